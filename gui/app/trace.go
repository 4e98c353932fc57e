package app

import (
	"encoding/json"
	"log/slog"
	"math"
	"strings"

	"fyne.io/fyne/v2"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/details"
	"github.com/refscope/refscope/gui/find"
	"github.com/refscope/refscope/gui/profile"
	"github.com/refscope/refscope/gui/steps"
	"github.com/refscope/refscope/gui/text"
	"github.com/refscope/refscope/gui/timeline"
	"github.com/refscope/refscope/gui/whatif"
	"github.com/refscope/refscope/overlay"
)

// tracer reports what the window shows, one record for each change, so that a test
// of the real window (or a person who looks for a fault) can wait for something to
// happen instead of sleeping, and knows where on the screen a mark is.
//
// A record has the message "state" and one attribute "window", a [Trace].
type tracer struct {
	log  *slog.Logger
	last string
}

func newTracer(log *slog.Logger) *tracer { return &tracer{log: log} }

// Trace is one record of the trace. Rectangles are x, y, width, height in
// Px of the window's content, that is, below a menu bar that the desktop draws but
// including the one that the window draws itself.
type Trace struct {
	// Browser and Session are the phases: off, starting, ready, failed, gone.
	Browser string `json:"browser"`
	Session string `json:"session"`
	// Name is the session's; Notes is how many notes there are about its turns.
	Name  string `json:"name"`
	Notes int    `json:"notes"`
	// Found is how many matches the search has, Why whether it is known why the selected
	// element is there, Profile whether the site's profile is "saved", "unsaved" or "",
	// Effect the heading of its effect, or of that of other settings.
	Finding bool   `json:"finding"` // the search is open
	Found   int    `json:"found"`
	Why     bool   `json:"why"`
	Profile string `json:"profile"`
	Effect  string `json:"effect"`
	// Status are the facts of the turn in view, at the bottom; Size is what the button of devices shows.
	Status string `json:"status"`
	Size   string `json:"size"`
	// Turn is the number of the turn in view, 0 for none; Turns how many there are, Listed how
	// many of them fit the filter, and Failed how many are known to have failed.
	Turn   int `json:"turn"`
	Turns  int `json:"turns"`
	Listed int `json:"listed"`
	Failed int `json:"failed"`
	Refs   int `json:"refs"`
	// Recorded names the turn in view where the tab shows something else, "" where it does not.
	Recorded string `json:"recorded"`
	// URL is that of the turn in view; Tab that of the browser's tab.
	URL string `json:"url"`
	Tab string `json:"tab"`
	// Selected is a ref number, 0 for none; Line its first line in the text in
	// view, counted from 1, 0 for none; LineText the text of that line.
	// Hover is the ref under the pointer.
	Selected int    `json:"selected"`
	Hover    int    `json:"hover"`
	Line     int    `json:"line"`
	LineText string `json:"lineText,omitempty"`
	Format   string `json:"format"`
	Chars    int    `json:"chars"` // bytes of the text in view
	// Busy is the work in the browser, Notice the sentence in the strip, and
	// NoticeTone "good", "warn", "bad" or "".
	Busy       string `json:"busy"`
	Notice     string `json:"notice"`
	NoticeTone string `json:"noticeTone"`
	Look       string `json:"look"`
	Side       string `json:"side"`   // the title of the side in view
	Rows       int    `json:"rows"`   // lines or rows of what it shows, without those that are folded
	Act        bool   `json:"act"`    // clicks on the picture go to the page
	Zoom       int    `json:"zoom"`   // of the picture, in percent
	Dialog     string `json:"dialog"` // what lies over the window, "" for nothing
	Drawer     string `json:"drawer"`
	// Picture, Text, Bar (the address), Cards (the turns), Sides (all right of the picture) and Details are where
	// these panes are.
	Picture [4]int      `json:"picture"`
	Text    [4]int      `json:"text"`
	Bar     [4]int      `json:"bar"`
	Cards   [4]int      `json:"cards"`
	Sides   [4]int      `json:"sides"`
	Details [4]int      `json:"details"`
	Marks   []TraceMark `json:"marks"`
}

// TraceMark is one mark that is drawn on the picture.
type TraceMark struct {
	Ref  int    `json:"ref"`
	Rect [4]int `json:"rect"`
	// Role and Name are the element's, as on the page.
	Role string `json:"role,omitempty"`
	Name string `json:"name,omitempty"`
}

// record writes one record, unless it equals the last one.
func (t *tracer) record(s *Shell, st core.State) {
	rec := traceOf(s, st)
	b, err := json.Marshal(rec)
	if err != nil || string(b) == t.last {
		return
	}
	t.last = string(b)
	t.log.Debug("state", "window", rec)
}

func traceOf(s *Shell, st core.State) Trace {
	strip := Note(st)
	rec := Trace{
		Browser: phaseWord(st.Browser.Phase), Session: phaseWord(st.Session.Phase), Turns: len(st.Session.Turns),
		Selected: st.Selected.Ref, Hover: st.Hover.Ref, Recorded: st.Recorded(), Act: steps.Of(st).Act.On,
		Zoom: int(math.Round(100 * st.Zoom)), Format: string(st.Format), Look: string(st.Look),
		Dialog: string(st.Dialog),
		Drawer: string(st.Drawer),
	}
	for place, o := range map[*[4]int]fyne.CanvasObject{
		&rec.Picture: s.panes.picture.Shot(), &rec.Text: s.panes.sides.text().Text(), &rec.Bar: s.panes.bar.box,
		&rec.Cards: s.panes.timeline, &rec.Sides: s.panes.sides.box, &rec.Details: s.panes.details.Object(),
	} {
		*place = onScreen(s.win.Canvas(), o)
	}
	rec.Name = st.Session.Name
	for _, r := range st.Session.Remarks {
		rec.Notes += r.Count
	}
	if f := find.Of(st).Found; find.Of(st).Open && f != nil {
		rec.Found = len(f.Matches)
	}
	filter := timeline.ParseTurnFilter(timeline.Of(st).Filter)
	for _, r := range st.Session.Turns {
		if filter.Match(r, st.Session.Remarks[r.N], timeline.Of(st).Hits) {
			rec.Listed++
		}
		if r.Failed() {
			rec.Failed++
		}
	}
	for _, r := range st.Sides() {
		if r.Side == st.Side && r.Text != nil {
			if d, _ := r.Text(st); d != nil {
				rec.Rows = len(d.Lines)
			}
			if folds := text.ViewOf(st).Folds; r.Side == core.SideText && folds != nil {
				rec.Rows = folds.Rows(rec.Rows)
			}
		}
	}
	rec.Finding = find.Of(st).Open
	rec.Why = details.Of(st).Answer != nil
	if d := profile.OpenDraft(st); d != nil && st.Side == profile.Side {
		rec.Profile = "saved"
		if d.Unsaved() {
			rec.Profile = "unsaved"
		}
		rec.Effect = words(profile.ViewOf(st).Bar)
	}
	if st.Side == whatif.Side {
		rec.Effect = words(whatif.ViewOf(st).Bar)
	}
	rec.Status, rec.Size = words(Status(st).Left), Bar(st).Viewport
	for _, t := range st.SideTabs() {
		if t.On {
			rec.Side = t.Text()
		}
	}
	if tab, ok := st.CurrentTab(); ok {
		rec.Tab = tab.URL
	}
	if t := st.Busy(); t != nil {
		rec.Busy = t.Sentence
	}
	rec.Notice, rec.NoticeTone = strip.Text, toneWord(strip.Tone)
	if d := st.Doc(st.Format); d != nil && d.Doc != nil {
		rec.Chars = len(d.Doc.Text)
		if st.Selected.Some() {
			if i := d.Doc.LineOf(st.Selected.Node); i >= 0 {
				l := d.Doc.Lines[i]
				rec.Line, rec.LineText = i+1, d.Doc.Text[l.Start:l.End]
			}
		}
	}
	if t := st.Current; t != nil {
		rec.Turn, rec.Refs, rec.URL = t.N, t.Counts.Refs, t.Capture.URL
		if t.Scene != nil {
			rec.Marks = traceMarks(t.Scene, s.panes.picture.Shot().Camera(), rec.Picture)
		}
	}
	return rec
}

// traceMarks are the drawn marks as the camera shows them.
func traceMarks(scene *overlay.Scene, cam overlay.Camera, pane [4]int) []TraceMark {
	var out []TraceMark
	for _, m := range scene.Marks() {
		if m.Status != overlay.Drawn {
			continue
		}
		px := func(v float64) int { return int(math.Round(v * cam.Scale)) }
		out = append(out, TraceMark{Ref: m.Ref, Role: m.Role, Name: m.Name, Rect: [4]int{
			pane[0] + px(m.Box.X()-cam.X), pane[1] + px(m.Box.Y()-cam.Y), px(m.Box.W()), px(m.Box.H()),
		}})
	}
	return out
}

// onScreen is where an object is in px of the canvas.
func onScreen(c fyne.Canvas, o fyne.CanvasObject) [4]int {
	pos := fyne.CurrentApp().Driver().AbsolutePositionForObject(o)
	x, y := c.PixelCoordinateForPosition(pos)
	w, h := c.PixelCoordinateForPosition(fyne.NewPos(o.Size().Width, o.Size().Height))
	return [4]int{x, y, w, h}
}

// words are the items of a bar.
func words(items []core.StatusItem) string {
	var b strings.Builder
	for _, i := range items {
		b.WriteString(i.Text + " ")
	}
	return b.String()
}

func phaseWord(p core.Phase) string {
	return [...]string{"off", "starting", "ready", "failed", "gone"}[p]
}

func toneWord(t core.Tone) string {
	switch t {
	case core.ToneGood:
		return "good"
	case core.ToneWarn:
		return "warn"
	case core.ToneBad:
		return "bad"
	}
	return ""
}

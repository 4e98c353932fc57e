package core

import (
	"fmt"
	"slices"

	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
)

// Shot is what the picture pane shows.
func (s State) Shot() ShotVM {
	v := ShotVM{Layers: s.Layers, Selected: s.Selected.Ref, Hover: s.Hover.Ref, FoundAt: -1, Point: s.point()}
	if t := s.Pictured(); t != nil {
		if f := s.Find; f.Open && f.Found != nil && t == s.Shown {
			v.Found = f.Found.Boxes
			if f.At >= 0 {
				v.FoundAt = f.Found.Matches[f.At].Box
			}
		}
		v.Version, v.Picture, v.Scene = t.N, t.Pyramid, s.scene(t)
		if s.costsInView() {
			v.Picture, v.Scene = s.Costs.Picture, nil
			v.Badge = fmt.Sprintf("what %s costs: %s tokens · Shift+T shows the marks", s.Costs.Format, Thousands(s.Costs.Tokens))
		}
		v.Caption = s.caption(t.Capture)
		v.Chosen, v.Pointed = s.unnumbered(t, s.Selected), s.unnumbered(t, s.Hover)
		s.pair(&v)
		if p := s.TurnPane.Points; p != nil && (p.After || s.Back) {
			v.Points = p
		}
		switch {
		case s.Back:
			v.Badge = fmt.Sprintf("before: turn %d · %s goes back to turn %d", t.N, keyBefore, s.Shown.N)
		case s.Selected.Some() && s.Selected.Node < 0:
			v.Missing = fmt.Sprintf("%d is not in this turn · %s shows where it was", s.Selected.Ref, keyBefore)
		}
		if t.Pyramid == nil {
			v.Empty = "This turn has no picture; its text is on the right."
		}
	} else {
		v.Empty = s.emptySentence("Nothing captured yet. Type an address above and press Enter.")
	}
	if t := s.Busy(); t != nil {
		v.Busy = t.Sentence
	}
	return v
}

// unnumbered is the outline of a selection without a number on the picture of a turn.
func (s State) unnumbered(t *Turn, sel Selection) Outline {
	if t != s.Shown || !sel.Some() || sel.Ref > 0 {
		return Outline{}
	}
	n := t.Capture.Node(sel.Node)
	if n == nil {
		return Outline{}
	}
	return t.outline(n)
}

// Pictured is the turn whose picture is in view: the shown one, or the one before it.
func (s State) Pictured() *Turn {
	if s.Back && s.Before != nil {
		return s.Before
	}
	return s.Shown
}

// caption says what covers the element that is pointed at, or else the chosen one.
func (s State) caption(c *snapshot.Capture) string {
	ref := s.Hover.Ref
	if ref == 0 {
		ref = s.Selected.Ref
	}
	n := c.ByRef(ref)
	if n == nil || n.Occlusion == nil || n.Occlusion.Coverer == nil {
		return ""
	}
	how := "covered by "
	switch o := n.Occlusion; {
	case o.State == snapshot.Partly:
		how = "partly covered by "
	case o.State == snapshot.Clear && o.ClickThrough:
		how = "under glass, which lets clicks pass: "
	case o.State == snapshot.Clear:
		return ""
	}
	return fmt.Sprintf("%d %s%s", ref, how, covererText(c, *n.Occlusion.Coverer))
}

// Dump is what the text pane shows.
func (s State) Dump() DumpVM {
	v := DumpVM{Selected: s.Selected.Ref, Hover: s.Hover.Ref}
	if s.Shown == nil {
		v.Empty = s.emptySentence("The text that an agent would read appears here after the first capture.")
		return v
	}
	v.Version = s.Shown.N*16 + s.formatIndex()
	d := s.Doc(s.Format)
	switch {
	case d == nil:
		v.Empty = "Writing the text…"
	case d.Problem != nil:
		v.Empty = d.Problem.Sentence
	default:
		v.Doc, v.Tones = d.Doc, d.Tones
	}
	return s.lit(v)
}

func (s State) formatIndex() int {
	for i, f := range s.Formats {
		if f == s.Format {
			return i
		}
	}
	return 0
}

// emptySentence says why a pane is empty: something is under way, or went wrong,
// or the given next action.
func (s State) emptySentence(next string) string {
	switch {
	case s.Session.Phase == PhaseStarting:
		return "Opening the session…"
	case s.Browser.Phase == PhaseStarting:
		return "Chrome is starting…"
	case s.Busy() != nil:
		return s.Busy().Sentence + "…"
	case s.Browser.Phase == PhaseFailed, s.Browser.Phase == PhaseGone:
		return "Chrome is not running. Start it again with the button above."
	}
	return next
}

// FormatsVM are the tabs over the text pane. Compare with [FormatsVM.Equal].
type FormatsVM struct {
	Formats []dump.Format
	Current dump.Format
	Sides   []SideTab
	Side    Side
}

// Equal reports whether both show the same. The list of formats never changes
// while a window lives, so its length stands for it.
func (v FormatsVM) Equal(o FormatsVM) bool {
	return v.Current == o.Current && len(v.Formats) == len(o.Formats) && v.Side == o.Side && slices.Equal(v.Sides, o.Sides)
}

// FormatTabs is what the tabs over the right side show.
func (s State) FormatTabs() FormatsVM {
	return FormatsVM{Formats: s.Formats, Current: s.Format, Sides: s.SideTabs(), Side: s.Side}
}

func (s State) changesTag() string {
	if c := s.Changes; c != nil && c.Problem == nil {
		return "· " + c.Count.Short()
	}
	return ""
}

func (s State) payloadTag() string {
	if s.Shown != nil && len(s.Shown.Stored) > 0 {
		return fmt.Sprintf("● %d", len(s.Shown.Stored))
	}
	return ""
}

// ToolsVM is the row over the picture.
type ToolsVM struct {
	Boxes, Labels, Occlusion bool
	// Before: the picture of the turn before is in view; CanBefore: there is one.
	Before, CanBefore bool
	Zoom, Hint        string
	// Act is the mode in which clicks go to the page.
	Act  bool
	Live LiveVM
	// Filtered: Hint says which boxes are left out.
	Filtered bool
	// Key is the scene whose signs are explained below the picture; nil for none.
	Key *overlay.Scene
}

// Tone is the tone of the hint.
func (v ToolsVM) Tone() Tone {
	if v.Filtered {
		return ToneWarn
	}
	return ToneMuted
}

// Tools is what the row over the picture shows.
func (s State) Tools() ToolsVM {
	v := ToolsVM{Boxes: s.Layers.Boxes, Labels: s.Layers.Labels, Occlusion: s.Layers.Occlusion, Before: s.Back, CanBefore: s.Before != nil, Act: s.Act.On, Live: s.LiveChip()}
	if t := s.Pictured(); t != nil && t.Scene != nil && v.Occlusion && !s.costsInView() {
		if scene := s.scene(t); len(scene.Signs()) > 0 {
			v.Key = scene
		}
	}
	if pictured(s) {
		v.Zoom = fmt.Sprintf("%.0f %%", s.Zoom*100)
		v.Hint = "fit 0 · 100 % 1 · wheel zooms · drag pans"
		if s.Act.On {
			v.Hint = "a click goes to the page · right click offers more · " + keyAct + " ends it"
		}
		if says := s.boxesSay(); says != "" {
			v.Hint, v.Filtered = says, true
		}
	}
	return v
}

// TurnsVM is the list of turns. Compare with [TurnsVM.Equal].
type TurnsVM struct {
	Rows    []TurnRow
	Damaged []Damage
	// Remarks are what was said about turns, Said tells one state of them from another.
	Remarks map[int]Remarks
	Said    int
	// Filter narrows the rows; the list does it, for it keeps what it found.
	Filter string
	Shown  int // number of the turn in view, 0 for none
	// Going is the turn that comes into view next, 0 for none.
	Going int
	// Note says what is under way, such as turns that are looked at; "" else.
	Note  string
	Empty string
}

// Turns is what the list of turns shows.
func (s State) Turns() TurnsVM {
	v := TurnsVM{Rows: s.Session.Turns, Damaged: s.Session.Damaged, Remarks: s.Session.Remarks, Said: s.Session.Said,
		Filter: s.Timeline.Filter, Going: s.Timeline.Going}
	if n := s.Timeline.Scanning; n > 0 {
		v.Note = "looking at " + Plural(n, "turn", "turns") + "…"
	}
	if s.Shown != nil {
		v.Shown = s.Shown.N
	}
	if len(v.Rows) == 0 && len(v.Damaged) == 0 {
		v.Empty = "Each capture becomes a turn here."
	}
	return v
}

// Equal reports whether both show the same. Rows are replaced, never changed, so
// the first element's address stands for the list.
func (v TurnsVM) Equal(o TurnsVM) bool {
	return same(v.Rows, o.Rows) && same(v.Damaged, o.Damaged) && v.Shown == o.Shown && v.Empty == o.Empty &&
		v.Said == o.Said && v.Filter == o.Filter && v.Going == o.Going && v.Note == o.Note
}

func same[T any](a, b []T) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

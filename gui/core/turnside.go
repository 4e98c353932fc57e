package core

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
)

// TurnPane is the state of the Turn side.
type TurnPane struct {
	// Part is the text that was chosen, "" for the first there is.
	Part ToldPart
	// Points are where the turn's steps acted, nil for nowhere.
	Points *ActionPoints
}

// ActionPoints are where steps acted. They are immutable.
type ActionPoints struct {
	Points []ActionPoint
	// After: the picture of the turn shows the same part of the same page, so the points
	// lie right on it too. They always lie right on the picture of the turn before.
	After bool
}

// ActionPoint is where one step acted, in image px of the picture.
type ActionPoint struct {
	X, Y  float64
	Label string // such as "click", with its number where there are several
	// Aimed: nothing tells where it acted; this is the click point of the element that
	// it named.
	Aimed bool
}

// TurnPartChosen shows another text of the Turn side.
type TurnPartChosen struct{ Part ToldPart }

func (m TurnPartChosen) Apply(s State) (State, []Effect) {
	s.TurnPane.Part = m.Part
	return s, nil
}

// maxPoints bounds the points on a picture.
const maxPoints = 12

// pointsOf finds where the steps of a turn acted on the page that was there before.
func pointsOf(t, before *Turn, same bool) *ActionPoints {
	if t == nil || before == nil || t.Told == nil {
		return nil
	}
	out := &ActionPoints{After: same}
	c := before.Capture
	scale := c.Viewport.Scale
	if scale <= 0 {
		scale = 1
	}
	acting := 0
	for _, s := range t.Told.Steps {
		if s.Point != nil || s.Ref > 0 {
			acting++
		}
	}
	for i, s := range t.Told.Steps {
		p := ActionPoint{Label: Plain(s.Action, 16)}
		switch {
		case s.Point != nil:
			p.X, p.Y = s.Point[0]*scale, s.Point[1]*scale
		default:
			n := c.ByRef(s.Ref)
			if s.Ref == 0 || n == nil || !n.InViewport {
				continue
			}
			p.Aimed = true
			p.X, p.Y = n.Box.Center()
			if n.Occlusion != nil {
				p.X, p.Y = n.Occlusion.Click[0], n.Occlusion.Click[1]
			}
			p.X, p.Y = p.X*scale, p.Y*scale
		}
		if acting > 1 {
			p.Label = fmt.Sprintf("%d %s", i+1, p.Label)
		}
		if s.Error != "" {
			p.Label += " ✗"
		}
		if len(out.Points) < maxPoints {
			out.Points = append(out.Points, p)
		}
	}
	if len(out.Points) == 0 {
		return nil
	}
	return out
}

// samePlace reports whether two captures show the same part of one document.
func samePlace(a, b *snapshot.Capture) bool {
	return len(a.Frames) > 0 && len(b.Frames) > 0 && a.Frames[0].Loader == b.Frames[0].Loader && a.Frames[0].ID == b.Frames[0].ID &&
		a.Scroll.X == b.Scroll.X && a.Scroll.Y == b.Scroll.Y && a.Viewport == b.Viewport
}

// TurnVM is what the Turn side shows. Compare with [TurnVM.Equal].
type TurnVM struct {
	Facts DetailsVM
	Chips []TurnChip
	Text  DumpVM
}

// TurnChip is one text of the Turn side to choose.
type TurnChip struct {
	Part ToldPart
	Text string
	On   bool
}

// Equal reports whether both show the same.
func (v TurnVM) Equal(o TurnVM) bool {
	return v.Facts.Equal(o.Facts) && slices.Equal(v.Chips, o.Chips) && v.Text == o.Text
}

// TurnSide is what the Turn side shows. Times are of the zone that loc names.
func (s State) TurnSide(loc *time.Location) TurnVM {
	t := s.Shown
	if t == nil {
		return TurnVM{Facts: DetailsVM{Empty: s.emptySentence("What was done, and what came of it, appears here after the first capture.")},
			Text: DumpVM{Empty: "No turn is in view yet."}}
	}
	v := TurnVM{Facts: s.turnFacts(loc)}
	v.Text.Version = t.N
	if t.Told == nil || len(t.Told.Texts) == 0 {
		v.Text.Empty = "Nothing else was recorded with this turn: no steps, no answer, and nothing on the console. Turns of refscopectl run and of agents have them."
		return v
	}
	shown, on := s.toldInView()
	for i, x := range t.Told.Texts {
		v.Chips = append(v.Chips, TurnChip{x.Part, x.Title(), i == on})
	}
	v.Text.Doc, v.Text.Tones = shown.Doc, shown.Tones
	v.Text.Version = t.N*16 + on
	v.Text = s.lit(v.Text)
	return v
}

// toldInView is the text of the Turn side that was chosen, or the first there is, and
// its place among them; nil where there is none.
func (s State) toldInView() (*ToldText, int) {
	if s.Shown == nil || s.Shown.Told == nil || len(s.Shown.Told.Texts) == 0 {
		return nil, 0
	}
	texts := s.Shown.Told.Texts
	on := max(0, slices.IndexFunc(texts, func(x ToldText) bool { return x.Part == s.TurnPane.Part }))
	return &texts[on], on
}

// turnFacts are the facts about the turn in view.
func (s State) turnFacts(loc *time.Location) DetailsVM {
	t, c := s.Shown, s.Shown.Capture
	d := describer{c: c}
	v := DetailsVM{Ref: t.N, Title: "turn · " + Plain(orNone(t.Action, "no action recorded"), 120)}
	d.row("result", "").setResult(t, s)
	if a := s.acted(); a != "" {
		d.row("acted on", a)
	}
	s.remarkRows(&d)
	if s.Changes != nil && s.Changes.Problem == nil {
		k := s.Changes.Count
		d.row(fmt.Sprintf("since turn %d", k.From), k.Words())
	}
	d.row("address", c.URL)
	d.row("title", orNone(c.Title, "none")).Tone = toneIfEmpty(c.Title)
	if !c.TakenAt.IsZero() {
		d.row("taken", c.TakenAt.In(loc).Format("2006-01-02 15:04:05.000"))
	}
	view := fmt.Sprintf("%s × %s CSS px · %s px for one CSS px", px(c.Viewport.Width), px(c.Viewport.Height), trimmed(c.Viewport.Scale))
	if c.FullPage != nil {
		view += " · the whole page"
	}
	d.row("viewport", view)
	d.row("scrolled", fmt.Sprintf("%s, %s of %s, %s", px(c.Scroll.X), px(c.Scroll.Y), px(c.Scroll.MaxX), px(c.Scroll.MaxY)))
	settled := d.row("moment", momentItem(c).Text)
	settled.Tone = momentItem(c).Tone
	if c.Chrome != "" {
		d.row("browser", c.Chrome)
	}
	profile := "none applied"
	if t.Profile != "" {
		profile = t.Profile
	}
	d.row("profile", profile).Tone = toneIfEmpty(t.Profile)
	d.row("took", fmt.Sprintf("%s: settle %s, walk %s, picture %s", millis(c.Timings.Total), millis(c.Timings.Settle), millis(c.Timings.Walk), millis(c.Timings.Screenshot)))
	if t.Tool != "" {
		d.row("taken by", t.Tool)
	}
	for _, l := range t.Lacks {
		d.row("lacks", l).Tone = ToneWarn
	}
	v.Rows = d.rows
	v.Copies = []DetailCopy{{Label: "address", Text: c.URL}}
	if t.Told != nil {
		for _, x := range t.Told.Texts {
			if x.Part == ToldSteps || x.Part == ToldAnswer {
				v.Copies = append(v.Copies, DetailCopy{Label: string(x.Part), Text: x.Doc.Text})
			}
		}
	}
	return v
}

// turnTag says behind the tab what is wrong with the turn, or what was said about it.
func (s State) turnTag() string {
	if s.Shown == nil {
		return ""
	}
	if n := s.Shown.errors(); n > 0 {
		return "✗ " + Thousands(n)
	}
	if v := VerdictSign(s.Session.Remarks[s.Shown.N].Verdict); v.Text != "" {
		return v.Text
	}
	return ""
}

// setResult says how the turn's steps went, and what else is wrong.
func (r *DetailRow) setResult(t *Turn, s State) {
	var parts []string
	if t.Told != nil && len(t.Told.Steps) > 0 {
		parts = append(parts, Plural(len(t.Told.Steps), "step", "steps"))
		if t.Told.Failed > 0 {
			parts = append(parts, Plural(t.Told.Failed, "failed", "failed"))
			for _, step := range t.Told.Steps {
				if step.Error != "" {
					parts = append(parts, Plain(step.Error, 240))
					break
				}
			}
			r.Tone = ToneBad
		} else {
			parts = append(parts, "none failed")
			r.Tone = ToneGood
		}
	}
	if n := CountErrors(t.Capture); n > 0 {
		parts = append(parts, Plural(n, "error", "errors")+" on the console")
		r.Tone = ToneBad
	}
	if n := len(t.Capture.Dialogs); n > 0 {
		parts = append(parts, Plural(n, "dialog", "dialogs"))
	}
	if len(parts) == 0 {
		parts = []string{"no errors seen"}
	}
	r.Value = strings.Join(parts, " · ")
	r.Copy = r.Value
}

// acted names the elements that the steps meant.
func (s State) acted() string {
	t := s.Shown
	if t.Told == nil {
		return ""
	}
	var parts []string
	for _, step := range t.Told.Steps {
		what := step.Selector
		if step.Ref > 0 {
			what = fmt.Sprintf("%d", step.Ref)
			for _, in := range []*Turn{s.Before, t} {
				if in == nil {
					continue
				}
				if n := in.Capture.ByRef(step.Ref); n != nil {
					what += " " + describe(n)
					break
				}
			}
		}
		if step.Point != nil {
			what = strings.TrimSpace(what + fmt.Sprintf(" at %s, %s", px(step.Point[0]), px(step.Point[1])))
		}
		if what == "" {
			continue
		}
		if parts = append(parts, step.Action+" "+what); len(parts) == 6 {
			break
		}
	}
	return strings.Join(parts, " · ")
}

// remarkRows are the notes of the turn, the newest last.
func (s State) remarkRows(d *describer) {
	t := s.Shown
	if t.Note != "" {
		d.row("note", t.Note)
	}
	n := 0
	for _, note := range s.Session.Notes {
		if note.Turn != t.N {
			continue
		}
		if n++; n > 50 {
			continue
		}
		label := "note"
		if note.Ref > 0 {
			label = fmt.Sprintf("note on %d", note.Ref)
		}
		sign := VerdictSign(note.Verdict)
		text := strings.TrimSpace(sign.Text + "  " + note.Text)
		if note.By != "" {
			text += "  — " + note.By
		}
		d.row(label, text).Tone = sign.Tone
	}
	if n == 0 && t.Note == "" {
		d.row("note", "none yet · M writes one, V gives a verdict").Tone = ToneMuted
	}
	if n > 50 {
		d.row("note", fmt.Sprintf("… and %d more", n-50)).Tone = ToneMuted
	}
}

func trimmed(f float64) string {
	return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.2f", f), "0"), ".")
}

// turnRoom is the side of what was done, and how the turn was taken.
func turnRoom() Room {
	return Room{Name: "turn",
		Shown: func(s State, _ *Turn) State {
			s.TurnPane.Points = nil
			return s
		},
		Compared: func(s State) (State, []Effect) {
			if s.Changes.Problem == nil {
				s.TurnPane.Points = pointsOf(s.Shown, s.Before, samePlace(s.Before.Capture, s.Shown.Capture))
			}
			return s, nil
		},
		Left: func(s State) (State, []Effect) {
			s.TurnPane.Points = nil
			return s, nil
		},
		Side: &SideRow{Side: SideTurn, Title: "Turn", Command: CmdTurn, Does: "What was done, and how the turn was taken", Key: "I", Place: 4, Whole: true, Tag: State.turnTag,
			Text: func(s State) (*dump.Document, *LineTones) {
				if x, _ := s.toldInView(); x != nil {
					return x.Doc, x.Tones
				}
				return nil, nil
			}}}
}

// SideTurn is what was done, and how the turn was taken (gui.md 1.3, rows 45 to 49 and 57).
const SideTurn Side = "turn"

// Package turn is the side Turn: what was done, how it went, and how the turn was taken.
package turn

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/details"
	"github.com/refscope/refscope/gui/find"
	"github.com/refscope/refscope/gui/findings"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/why"
)

// Model is the state of the Turn side.
type Model struct {
	// Part is the text that was chosen, "" for the first there is.
	Part core.ActivityPart
	// Points are where the turn's steps acted, nil for nowhere; Marked are the same without words, for the picture of
	// the turn itself: a word of a click that is over would hide what came of it.
	Points, Marked *core.ActionPoints
	// Rows are the activity of Turn with the dialogs since the turn before; nil for nothing.
	Turn *core.Turn
	Rows *core.Rows
}

// rowsOf are the activity of the turn in view, nil for nothing.
func rowsOf(s core.State) *core.Rows {
	t := s.Current
	switch {
	case t == nil || t.Activity == nil:
		return nil
	case Of(s).Turn == t:
		return Of(s).Rows
	}
	return t.Activity.Since(t.Capture, s.TakenBefore(t.N))
}

// PartChosen shows another text of the Turn side.
func PartChosen(part core.ActivityPart) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		edit(&s).Part = part
		return s, nil
	})
}

// maxPoints bounds the points on a picture.
const maxPoints = 12

// pointsOf finds where the steps of a turn acted on the page that was there before.
func pointsOf(t, before *core.Turn, same bool) *core.ActionPoints {
	if t == nil || before == nil || t.Activity == nil {
		return nil
	}
	out := &core.ActionPoints{After: same}
	c := before.Capture
	scale := c.Viewport.Scale
	if scale <= 0 {
		scale = 1
	}
	acting := 0
	for _, s := range t.Activity.Steps {
		if s.Point != nil || s.Ref > 0 {
			acting++
		}
	}
	for i, s := range t.Activity.Steps {
		p := core.ActionPoint{Label: text.Cut(text.Line(s.Action), 16), Lands: s.Error == ""}
		switch {
		case s.Point != nil:
			p.X, p.Y = s.Point[0]*scale, s.Point[1]*scale
		default:
			n := c.ByRef(s.Ref)
			if s.Ref == 0 || n == nil || !n.InViewport {
				continue
			}
			p.Aimed = clicks(s.Action)
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
			p.Label += " failed"
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

// clicks reports whether a step with that action clicks, in the spelling of any agent: what is typed or chosen goes to
// the element and to no point of it.
func clicks(action string) bool {
	a := strings.ToLower(action)
	return strings.Contains(a, "click") || a == "tap" || a == "check" || a == "uncheck"
}

// marked are the points with the words of what failed alone; of several each keeps its number.
func marked(p *core.ActionPoints) *core.ActionPoints {
	if p == nil {
		return nil
	}
	out := &core.ActionPoints{After: p.After, Points: slices.Clone(p.Points)}
	for i := range out.Points {
		q := &out.Points[i]
		q.Aimed = false
		switch number, _, _ := strings.Cut(q.Label, " "); {
		case strings.HasSuffix(q.Label, " failed"):
		case len(out.Points) > 1:
			q.Label = number
		default:
			q.Label = ""
		}
	}
	return out
}

// samePlace reports whether two captures show the same part of one document.
func samePlace(a, b *snapshot.Capture) bool {
	return len(a.Frames) > 0 && len(b.Frames) > 0 && a.Frames[0].Loader == b.Frames[0].Loader &&
		a.Frames[0].ID == b.Frames[0].ID &&
		a.Scroll.X == b.Scroll.X && a.Scroll.Y == b.Scroll.Y && a.Viewport == b.Viewport
}

// VM is the content of the Turn side. Compare with [VM.Equal].
type VM struct {
	Facts details.VM
	Chips []Chip
	// List is what happened, Text the JSON that was chosen in its place.
	List core.ListVM
	Text core.DumpVM
}

// Chip is one way to show what happened.
type Chip struct {
	Part core.ActivityPart
	Text string
	On   bool
}

// Equal reports whether both show the same.
func (v VM) Equal(o VM) bool {
	return v.Facts.Equal(o.Facts) && slices.Equal(v.Chips, o.Chips) && v.List == o.List && v.Text == o.Text
}

// ViewOf returns the content of the Turn side. Times are of the zone that loc names.
func ViewOf(s core.State, loc *time.Location) VM {
	t := s.Current
	if t == nil {
		return VM{Facts: details.VM{
			Empty: s.EmptySentence("What was done, and what came of it, appears here after the first capture.")},
			List: core.ListVM{Empty: "No turn is in view yet."}}
	}
	v := VM{Facts: facts(s, loc), List: s.List()}
	a := t.Activity
	rows := rowsOf(s)
	if a == nil || rows == nil && len(a.Texts) == 0 {
		v.List.Empty = "No steps, console messages or dialogs were recorded with this turn."
		return v
	}
	shown := jsonInView(s)
	if rows != nil {
		v.Chips = append(v.Chips, Chip{core.ActivityList, "Activity", shown == nil})
	}
	for i := range a.Texts {
		title := "Steps as JSON"
		if a.Texts[i].Part == core.ActivityAnswer {
			title = "Answer as JSON"
		}
		v.Chips = append(v.Chips, Chip{a.Texts[i].Part, title, shown == &a.Texts[i]})
	}
	v.List.Rows = rows
	if shown != nil {
		v.Text = find.Lit(s, core.DumpVM{Doc: shown.Doc, Version: t.N})
	} else {
		v.List = find.LitRows(s, v.List)
	}
	return v
}

// jsonInView is the JSON that was chosen, or the first where there is no list; nil where the list
// is in view.
func jsonInView(s core.State) *core.ActivityText {
	if s.Current == nil || s.Current.Activity == nil {
		return nil
	}
	texts := s.Current.Activity.Texts
	if i := slices.IndexFunc(texts, func(x core.ActivityText) bool { return x.Part == Of(s).Part }); i >= 0 {
		return &texts[i]
	}
	if rowsOf(s) == nil && len(texts) > 0 {
		return &texts[0]
	}
	return nil
}

// facts are the facts about the turn in view.
func facts(s core.State, loc *time.Location) details.VM {
	t, c := s.Current, s.Current.Capture
	d := details.Describer{C: c}
	v := details.VM{Ref: t.N, Title: fmt.Sprintf("Turn %d · %s", t.N,
		text.Cut(text.Line(core.OrNone(t.Action, "no action recorded")), 120))}
	setResult(d.Row("Result", ""), s)
	if a := acted(s); a != "" {
		d.Row("Target", a)
	}
	remarkRows(s, &d)
	if s.Changes != nil && s.Changes.Problem == nil {
		k := s.Changes.Count
		words := k.Words()
		if s.Previous != nil && t.Unseen(&s.Previous.Recorded) != "" {
			words = "what changed is not known"
		}
		d.Row(fmt.Sprintf("Since turn %d", k.From), words)
	}
	d.Row("Address", c.URL)
	d.Row("Title", core.OrNone(c.Title, "none")).Tone = core.ToneIfEmpty(c.Title)
	if !c.TakenAt.IsZero() {
		d.Row("Captured", c.TakenAt.In(loc).Format("2006-01-02 15:04:05.000"))
	}
	moment := t.Moment()
	d.Row("Consistency", moment.Text).Tone = moment.Tone
	if !t.Pageless() {
		pageRows(&d, t)
	}
	if t.Meta.Tool != "" {
		d.Row("Captured by", t.Meta.Tool)
	}
	for _, l := range t.Lacks {
		d.Row("Missing", l).Tone = core.ToneWarn
	}
	for _, l := range s.Session.Lost {
		if !slices.Contains(t.Lacks, l) {
			d.Row("Not imported", l).Tone = core.ToneWarn
		}
	}
	v.Rows = d.Rows
	v.Copies = []details.CopyItem{{Label: "Copy address", Text: c.URL}}
	if t.Activity != nil {
		for _, x := range t.Activity.Texts {
			v.Copies = append(v.Copies, details.CopyItem{Label: "Copy " + string(x.Part), Text: x.Doc.Text})
		}
	}
	return v
}

// pageRows are how the page of a turn was captured.
func pageRows(d *details.Describer, t *core.Turn) {
	c := t.Capture
	view := fmt.Sprintf("%s × %s CSS px · scale %s", core.Px(c.Viewport.Width), core.Px(c.Viewport.Height),
		trimmed(c.Viewport.Scale))
	if c.FullPage != nil {
		view += " · the whole page"
	}
	d.Row("Viewport", view)
	d.Row("Scroll", fmt.Sprintf("%s, %s of %s, %s", core.Px(c.Scroll.X), core.Px(c.Scroll.Y), core.Px(c.Scroll.MaxX),
		core.Px(c.Scroll.MaxY)))
	if c.Chrome != "" {
		d.Row("Browser", c.Chrome)
	}
	profile := "None applied"
	switch n := c.Verdicts[snapshot.VerdictFiltered]; {
	case t.ProfileName() != "":
		profile = t.ProfileName()
	case n > 0: // of a turn that does not have its profile
		profile = "Its name was not kept: " + text.Count(n, "element", "elements") + " filtered"
	}
	d.Row("Profile", profile).Tone = core.ToneIfEmpty(t.ProfileName())
	if c.Timings.Total > 0 {
		d.Row("Time", fmt.Sprintf("%s: settle %s, walk %s, picture %s", core.Millis(c.Timings.Total),
			core.Millis(c.Timings.Settle), core.Millis(c.Timings.Walk), core.Millis(c.Timings.Screenshot)))
	}
}

// badges count the errors of the turn in view, or show its verdict.
func badges(s core.State) []core.StatusItem {
	if s.Current == nil {
		return nil
	}
	n := s.Current.Errors()
	if i := s.TurnIndex(); i >= 0 { // as its card counts them
		n = s.Session.Turns[i].Faults()
	}
	if n > 0 {
		return core.Badge(n, core.ToneBad)
	}
	if v := s.Session.Remarks[s.Current.N].Verdict; v != "" {
		return []core.StatusItem{{Text: text.Cut(text.Line(v), 12), Tone: core.VerdictSign(v).Tone}}
	}
	return nil
}

// setResult shows how the turn's steps went, and what else is wrong.
func setResult(r *details.Row, s core.State) {
	t := s.Current
	var parts []string
	if t.Activity != nil && len(t.Activity.Steps) > 0 {
		parts = append(parts, text.Count(len(t.Activity.Steps), "step", "steps"))
		if t.Activity.Failed > 0 {
			parts = append(parts, text.Count(t.Activity.Failed, "failed", "failed"))
			for _, step := range t.Activity.Steps {
				if step.Error != "" {
					parts = append(parts, text.Cut(text.Line(step.Error), 240))
					break
				}
			}
			r.Tone = core.ToneBad
		} else {
			parts = append(parts, "none failed")
			r.Tone = core.ToneGood
		}
	}
	if t.Trouble != "" {
		parts = append(parts, text.Cut(t.Trouble, 160))
		r.Tone = core.ToneBad
	}
	if n := core.CountErrors(t.Capture); n > 0 {
		parts = append(parts, text.Count(n, "error", "errors")+" of the page and its requests")
		r.Tone = core.ToneBad
	}
	if n := len(t.Capture.DialogsSince(s.TakenBefore(t.N))); n > 0 {
		parts = append(parts, text.Count(n, "dialog", "dialogs"))
	}
	wrong, counted := findings.Errors(s)
	switch {
	case wrong > 0:
		parts = append(parts, text.Count(wrong, "finding is an error", "findings are errors"))
		r.Tone = core.ToneBad
	case len(parts) == 0 && counted:
		parts = []string{"No errors"}
	case len(parts) == 0:
		parts = []string{"No errors so far, findings are being counted…"}
	}
	r.Value = strings.Join(parts, " · ")
	r.Copy = r.Value
}

// acted names the elements that the steps meant.
func acted(s core.State) string {
	t := s.Current
	if t.Activity == nil {
		return ""
	}
	var parts []string
	for _, step := range t.Activity.Steps {
		what := step.Selector
		if step.Ref > 0 {
			what = fmt.Sprintf("%d", step.Ref)
			for _, in := range []*core.Turn{s.Previous, t} {
				if in == nil {
					continue
				}
				if n := in.Capture.ByRef(step.Ref); n != nil {
					what += " " + why.Describe(n)
					break
				}
			}
		}
		if step.Point != nil {
			what = strings.TrimSpace(what + fmt.Sprintf(" at %s, %s", core.Px(step.Point[0]), core.Px(step.Point[1])))
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
func remarkRows(s core.State, d *details.Describer) {
	t := s.Current
	if t.Note != "" {
		d.Row("Note", t.Note)
	}
	n := 0
	for _, note := range s.Session.Notes {
		if note.Turn != t.N {
			continue
		}
		if n++; n > 50 {
			continue
		}
		label := "Note"
		if note.Ref > 0 {
			label = fmt.Sprintf("Note on %d", note.Ref)
		}
		sign := core.VerdictSign(note.Verdict)
		text := strings.TrimSpace(sign.Text + "  " + note.Text)
		if note.By != "" {
			text += "  — " + note.By
		}
		d.Row(label, text).Tone = sign.Tone
	}
	if n == 0 && t.Note == "" {
		d.Row("Note", "None").Tone = core.ToneMuted
	}
	if n > 50 {
		d.Row("Note", fmt.Sprintf("… and %d more", n-50)).Tone = core.ToneMuted
	}
}

func trimmed(f float64) string {
	return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.2f", f), "0"), ".")
}

// Room is the side of what was done, and how the turn was taken.
func Room() core.Room {
	return core.Room{Name: "turn",
		Shown: func(s core.State, _ *core.Turn) core.State {
			*edit(&s) = Model{Part: Of(s).Part}
			rows := rowsOf(s)
			edit(&s).Turn, edit(&s).Rows = s.Current, rows
			return s
		},
		Compared: func(s core.State) (core.State, []core.Effect) {
			if s.Changes.Problem == nil {
				p := pointsOf(s.Current, s.Previous, samePlace(s.Previous.Capture, s.Current.Capture))
				m := edit(&s)
				m.Points, m.Marked = p, marked(p)
			}
			return s, nil
		},
		SessionClosed: func(s core.State) (core.State, []core.Effect) {
			*edit(&s) = Model{Part: Of(s).Part}
			return s, nil
		},
		Side: &core.SideRow{Side: Side, Title: "Activity", Command: core.CmdTurn,
			Does: "what was done, and how the turn was taken", Key: "I", Place: 5, Whole: true, Badges: badges,
			Text: func(s core.State) (*dump.Document, *core.LineTones) {
				if x := jsonInView(s); x != nil {
					return x.Doc, nil
				}
				if rows := rowsOf(s); rows != nil {
					return rows.Doc, nil
				}
				return nil, nil
			}}}
}

// Side is what was done, and how the turn was taken (gui.md 1.3, rows 45 to 49 and 57).
const Side core.Side = "turn"

// Of is the model of the room.
func Of(s core.State) Model { return core.Of[Model](s) }

func edit(s *core.State) *Model { return core.Edit[Model](s) }

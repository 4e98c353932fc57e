// Package sentrequest is the room of what a model was sent at the turn in view: the report that
// package doctor makes of the request that is stored with it. The room has no view of its own;
// the sides Payload and Findings and the picture show what it knows.
//
// The report is asked for when a turn with a request comes into view. Start with [Of]: its
// Report is nil until it is there, and for a turn without a request.
package sentrequest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/conversation"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/observation/tie"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/why"
	"github.com/refscope/refscope/snapshot/wire"
)

// Model is the request of one turn. What its pointers point to is immutable.
type Model struct {
	// Turn is the one that was asked about.
	Turn   *core.Turn
	Report *doctor.Report
	// Asked: the report is on its way.
	Asked bool
	// Stored is the place of the request in the turn's stored payloads, from 1.
	Stored int
	// Sent is the newest text of the page in the request, each line with its element; nil for none.
	Sent *core.Doc
	// Refs are the agent's own numbers of the elements that the text lists, nil without one.
	Refs *Refs
	// Aims are what the answer wants done.
	Aims []conversation.Aim
	// Points are where the answer's actions mean, nil for nowhere.
	Points *core.ActionPoints
	// Audit is what a person sees beside what Sent tells, nil until it is known and where that cannot be.
	Audit *audit.Sent
}

// Engine examines requests.
type Engine interface {
	// Examine examines the request of a turn of the session in use, as the next one after those
	// before it; nil where it holds none.
	Examine(ctx context.Context, n int) (*doctor.Report, *conversation.Story, error)
	// Stories calls each with the story of each of these turns that holds a request, in the order of the session.
	Stories(ctx context.Context, turns []int, each func(*conversation.Story)) error
}

// Examine examines the request of a turn. [examined] answers.
type Examine struct{ Turn *core.Turn }

// Pause implements [core.LatestWork].
func (Examine) Pause() time.Duration { return 0 }

// Soon implements [core.SoonWork]: the turn comes into view with what was sent.
func (Examine) Soon() {}

// Do implements [core.Work]. A request that cannot be read has no report; its bytes are shown.
func (e Examine) Do(ctx context.Context, w *core.Worker) core.Msg {
	r, story, err := core.EngineOf[Engine](w).Examine(ctx, e.Turn.N)
	if err != nil {
		if ctx.Err() == nil {
			w.Log.Warn("the request cannot be examined", "turn", e.Turn.N, "error", err)
		}
		return examined(Model{Turn: e.Turn}, nil)
	}
	if r == nil {
		return examined(Model{Turn: e.Turn}, nil)
	}
	aims := conversation.Aims(r, e.Turn.Capture)
	out := Model{Turn: e.Turn, Report: r, Sent: sentDoc(e.Turn, r, aims, w.Counter.Count), Refs: refsOf(e.Turn, r),
		Aims: aims, Points: aimPoints(e.Turn, aims)}
	if !r.Paired || len(r.Texts) == 0 || ctx.Err() != nil {
		return examined(out, story)
	}
	w.Dispatch(examined(out, story)) // the comparison takes longer on a large page, and changes nothing of it
	found := audit.AsSent(e.Turn.Capture, r.Texts[len(r.Texts)-1])
	return audited(e.Turn, found, unseenNotes(out.Sent, found))
}

// audited follows [examined]: what a person sees beside what the model was told, and the text with what nobody sees.
func audited(of *core.Turn, a *audit.Sent, sent *core.Doc) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if model := edit(&s); model.Turn == of {
			model.Audit, model.Sent = a, sent
		}
		return s, nil
	})
}

// Payloads are the request that is stored with a turn and its answer, nil where there is none.
func Payloads(t *core.Turn) (asked, answer *turn.Payload) {
	if t == nil {
		return nil, nil
	}
	return conversation.Stored(t.Payloads)
}

// ToModel reports whether the request of a turn went to a model, which can be asked again: the call of a tool did not.
func ToModel(t *core.Turn) bool {
	asked, _ := Payloads(t)
	return asked != nil && asked.Dialect != wire.MCP
}

// examined answers [Examine]: m is what is known of its turn, all but where the request is stored; story may be nil.
func examined(m Model, story *conversation.Story) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		model := edit(&s)
		if model.Turn != m.Turn {
			return s, nil
		}
		stored := model.Stored
		*model = m
		model.Stored = stored
		s.Agent.Of, s.Agent.Numbers = m.Turn, m.Refs.Numbers()
		if story != nil {
			s.Tell([]*conversation.Story{story})
		}
		return pickAim(s)
	})
}

// pickAim selects the element that the answer means, unless a person has selected another one: its line and its box are
// what one wants to see of the turn.
func pickAim(s core.State) (core.State, []core.Effect) {
	own := core.Of[stories](s).Picked
	if s.Selected.Some() && (own == 0 || s.Selected.Ref != own) {
		return s, nil
	}
	var effects []core.Effect
	core.Edit[stories](&s).Picked = 0
	for _, a := range Of(s).Aims {
		if n := s.Current.Capture.Node(a.Node); n != nil && n.Ref > 0 {
			s, effects = core.Update(s, core.NodePicked{Node: n.I, Source: core.PanePicture})
			core.Edit[stories](&s).Picked = n.Ref
			return s, effects
		}
	}
	if own != 0 { // of another turn
		s.Selected = core.Selection{}
	}
	return s, effects
}

// fill asks about the turn in view.
func fill(s core.State) (core.State, []core.Effect) {
	if s.Current == nil || Of(s).Turn == s.Current {
		return tellStories(s)
	}
	*edit(&s) = Model{Turn: s.Current, Stored: 1 + doctor.Request(s.Current.Payloads)}
	if Of(s).Stored == 0 {
		return s, nil
	}
	edit(&s).Asked = true
	return s, []core.Effect{Examine{s.Current}}
}

// Room is the request of the turn in view.
func Room() core.Room {
	return core.Room{Name: "request", AfterUpdate: fill, SessionClosed: func(s core.State) (core.State, []core.Effect) {
		*edit(&s) = Model{}
		return leaveStories(s)
	}}
}

// Of is the model of the room.
func Of(s core.State) Model { return core.Of[Model](s) }

func edit(s *core.State) *Model { return core.Edit[Model](s) }

// Format names the text as it was sent among the texts of a turn.
const Format dump.Format = "as sent"

// sentDoc is the newest text of a request that lists elements, nil where there is none. Its document is of the format
// that the text is written in, by which it is coloured.
func sentDoc(t *core.Turn, r *doctor.Report, aims []conversation.Aim, count func(string) int) *core.Doc {
	if len(r.Texts) == 0 {
		return nil
	}
	listed := r.Texts[len(r.Texts)-1]
	d := core.PlainDoc(colouredAs(listed.Format), text.Visible(listed.Body()))
	for _, l := range listed.Lines {
		n := t.Capture.Node(l.Node)
		for i := l.First - 1; n != nil && i >= 0 && i < min(l.Last, len(d.Lines)); i++ {
			d.Lines[i].Node, d.Lines[i].Ref = n.I, n.Ref
		}
	}
	ownersOf(d, listed)
	out := core.NewDoc(t.Capture, d, count)
	out.Format, out.Tones = Format, tones(listed, aims, len(d.Lines), r.Paired)
	return &out
}

// ownersOf gives the lines that list nothing, such as an address or a text, the element of the line that they lie in.
func ownersOf(d *dump.Document, listed *observation.Text) {
	type level struct{ indent, line int }
	var in []level
	of := map[int]bool{} // lines that list something, found or not
	for _, l := range listed.Lines {
		for i := l.First; i <= l.Last; i++ {
			of[i-1] = true
		}
	}
	for i := range d.Lines {
		line := d.Text[d.Lines[i].Start:d.Lines[i].End]
		words := strings.TrimLeft(line, " \t")
		indent := len(line) - len(words)
		if words == "" {
			continue
		}
		for len(in) > 0 && in[len(in)-1].indent >= indent {
			in = in[:len(in)-1]
		}
		switch {
		case of[i]:
			in = append(in, level{indent, i})
		case len(in) > 0:
			l := d.Lines[in[len(in)-1].line]
			d.Lines[i].Node, d.Lines[i].Ref = l.Node, l.Ref
		}
	}
}

// tones mark the line that the answer means, by what became of it, and lines of controls and headings whose element is
// not known, so that they have no box. Without a page that is all lines, which says nothing of any.
func tones(listed *observation.Text, aims []conversation.Aim, lines int, paired bool) *core.LineTones {
	of, notes := map[int]core.Tone{}, map[int]string{}
	for _, l := range listed.Lines {
		if paired && l.Ref != "" && l.Node < 0 && tie.Kind(l.Role) != "" {
			of[l.First-1], notes[l.First-1] = core.ToneWarn, withoutElement(&l)
		}
	}
	for _, a := range aims {
		switch {
		case a.Line == 0 || a.Section != listed.Section:
		case a.Trouble != "" && !a.Doubt:
			of[a.Line-1], notes[a.Line-1] = core.ToneBad, aimNote(&a)
		default:
			of[a.Line-1], notes[a.Line-1] = core.ToneGood, aimNote(&a)
		}
	}
	out := &core.LineTones{ByLine: map[int]core.Tone{}}
	for _, i := range slices.Sorted(maps.Keys(of)) {
		if i >= 0 && i < lines {
			out.Set(i, of[i])
			out.Note(i, notes[i])
		}
	}
	return out
}

// withoutElement says in a few words why no element is known of a line.
func withoutElement(l *observation.Line) string {
	switch {
	case l.Gone:
		return "its element is gone"
	case len(l.Candidates) > 1:
		return fmt.Sprintf("no box: one of %d alike", len(l.Candidates))
	case l.Why != "":
		return "no box: " + text.Cut(text.Line(l.Why), 60)
	}
	return "no box: nothing fits"
}

// aimNote says in a few words what an action wants of its line; the strip over the side has the sentence.
func aimNote(a *conversation.Aim) string {
	words := text.Cut(conversation.Verb(a.Verb), 24)
	if a.Trouble != "" && !a.Doubt {
		words += ", could not work"
	}
	return words
}

// unseenNotes is a text with a note at each line about what nobody sees.
func unseenNotes(d *core.Doc, found *audit.Sent) *core.Doc {
	if len(found.Unseen) == 0 {
		return d
	}
	out, known := *d, map[int]bool{}
	out.Tones = d.Tones.Clone()
	for _, u := range found.Unseen {
		i := u.Line - 1
		if known[i] || i < 0 || i >= len(d.Doc.Lines) || d.Tones.NoteOf(i) != "" {
			continue
		}
		known[i] = true
		out.Tones.Note(i, "nobody sees it: "+text.Cut(text.Line(u.Explanation), 60))
	}
	return &out
}

// Told is what the text as it was sent says of an element of the turn in view: its line, false where it has none.
func Told(s core.State, node int) (observation.Line, bool) {
	r := Of(s)
	if r.Turn != s.Current || r.Report == nil || len(r.Report.Texts) == 0 {
		return observation.Line{}, false
	}
	lines := r.Report.Texts[len(r.Report.Texts)-1].Lines
	i := slices.IndexFunc(lines, func(l observation.Line) bool { return l.Node == node })
	if i < 0 {
		return observation.Line{}, false
	}
	return lines[i], true
}

// Refs are an agent's own numbers of elements, by ours. They are immutable.
type Refs struct {
	of      map[int]string
	numbers *core.Numbers
}

// Of is the agent's own number of the element with a ref of ours, "" where it was told of none. nil knows none. A text
// of locators, which fit no picture, has the refs in their place.
func (r *Refs) Of(ref int) string {
	if r == nil {
		return ""
	}
	return r.of[ref]
}

// Numbers show them in the place of ours, nil for none, and for a text of locators.
func (r *Refs) Numbers() *core.Numbers {
	if r == nil {
		return nil
	}
	return r.numbers
}

// refsOf are the numbers of the newest text of a request, nil where it has none.
func refsOf(t *core.Turn, r *doctor.Report) *Refs {
	if len(r.Texts) == 0 {
		return nil
	}
	out, nodes := &Refs{of: map[int]string{}}, map[int]string{} // nodes by the element's place in the capture
	newest := r.Texts[len(r.Texts)-1]
	for _, l := range newest.Lines {
		n := t.Capture.Node(l.Node)
		if n == nil || l.Ref == "" || nodes[n.I] != "" {
			continue
		}
		label := text.Cut(text.Line(l.Ref), 12)
		if newest.Located() {
			label = strconv.Itoa(n.Ref)
		}
		if nodes[n.I] = label; n.Ref > 0 {
			out.of[n.Ref] = label
		}
	}
	if len(nodes) == 0 {
		return nil
	}
	if !newest.Located() {
		out.numbers = core.AgentNumbers(out.of)
	}
	return out
}

// colouredAs is the format of ours by whose rules a text of an agent is coloured.
func colouredAs(name observation.Format) dump.Format {
	switch name {
	case observation.DDDK, observation.BrowserUse, observation.AgentTARS, observation.HTML, observation.Skyvern:
		return format.DDDK
	case observation.WraithJSON, observation.DomTool, observation.AgentE:
		return core.FormatPretty
	}
	return format.Aria
}

// maxPoints bounds the points on a picture.
const maxPoints = 24

// Points are the places on the picture that actions mean, nil for none; lead begins the label of
// each.
func Points(t *core.Turn, targets []doctor.Target, lead string) *core.ActionPoints {
	out := &core.ActionPoints{After: true}
	sx, sy := t.Scale()
	for i := range targets {
		at, ok := conversation.Place(t.Capture, &targets[i])
		if ok && len(out.Points) < maxPoints {
			out.Points = append(out.Points, core.ActionPoint{X: at[0] * sx, Y: at[1] * sy,
				Label: text.Cut(text.Line(lead+targets[i].Verb), 32)})
		}
	}
	if len(out.Points) == 0 {
		return nil
	}
	return out
}

// aimPoints are the places on the picture that the actions of an answer mean, numbered where there are several, each
// with what is wrong with it.
func aimPoints(t *core.Turn, aims []conversation.Aim) *core.ActionPoints {
	out := &core.ActionPoints{After: true}
	sx, sy := t.Scale()
	for i := range aims {
		a := &aims[i]
		at, ok := conversation.Place(t.Capture, &a.Target)
		if !ok || len(out.Points) == maxPoints {
			continue
		}
		p := core.ActionPoint{X: at[0] * sx, Y: at[1] * sy, Label: text.Cut(conversation.Verb(a.Verb), 24),
			Lands: a.Trouble == "" || a.Doubt}
		if a.Label != "" {
			p.Label += " " + a.Label
		}
		if over := t.Capture.Node(a.By); over != nil {
			p.Label += " lands on " + text.Cut(why.Describe(over), 40)
		}
		if len(aims) > 1 {
			p.Label = fmt.Sprintf("%d · %s", i+1, p.Label)
		}
		out.Points = append(out.Points, p)
	}
	if len(out.Points) == 0 {
		return nil
	}
	return out
}

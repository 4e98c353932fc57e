// Package aim is the strip over the right side: what the answer that is stored with the turn in view wants done, in a
// sentence, why it could not work, and what happened next.
//
// What comes in is the report of the request (package request), the answer's own words, and how the next turn
// differs; what goes out is a card for each action. The place on the picture is drawn by package picture, by the same
// facts. A turn without an answer has no strip. Start with [viewOf].
package aim

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/sentrequest"
	"github.com/refscope/refscope/snapshot/conversation"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/wire"
)

// model is the answer of one turn. What its pointers point to is immutable.
type model struct {
	Turn   *core.Turn
	Report *doctor.Report
	// Next is how the turn behind it differs, nil where that is not known or that one has no page; Story and Then are
	// those of its row. They are kept to know when the rows are others.
	Next        *core.TurnChange
	Story, Then *conversation.Story
	Asked       bool
	Rows        *core.Rows
}

// most is how many actions have a card of their own.
const most = 3

// fill makes the cards again where what they are made of is another. Until the request is examined there is one card
// with what the answer says of itself, so that nothing moves when more is known.
func fill(s core.State) (core.State, []core.Effect) {
	r, m := sentrequest.Of(s), of(s)
	now := model{Turn: s.Current}
	if r.Turn == s.Current {
		now.Report, now.Asked = r.Report, r.Asked
	}
	i := s.TurnIndex()
	next := 0
	if i >= 0 {
		now.Story, now.Then = s.Session.Turns[i].Story, s.Session.Turns[i].Then
		if i++; i < len(s.Session.Turns) {
			if r := &s.Session.Turns[i]; r.Story == nil || r.Story.Paired {
				next, now.Next = r.N, r.Change
			}
		}
	}
	if now.Rows = m.Rows; now == m {
		return s, nil
	}
	now.Rows = nil
	if s.Current != nil && (now.Report != nil || now.Asked) {
		if rows := cards(&now, r.Aims, next); len(rows) > 0 {
			now.Rows = core.NewRows(rows)
		}
	}
	*edit(&s) = now
	return s, nil
}

// cards are the rows of the strip.
func cards(m *model, aims []conversation.Aim, next int) []core.Row {
	t := m.Turn
	a := answerOf(t)
	if a == nil {
		return nil
	}
	words := strings.TrimSpace(conversation.Thought(a.Text))
	if strings.HasPrefix(words, "{") || strings.HasPrefix(words, "[") || strings.HasPrefix(words, "`") {
		words = "" // the action itself, as JSON
	}
	words = said(words)
	var out []core.Row
	if m.Report == nil {
		out = []core.Row{{Kind: core.RowCard, Tone: core.ToneMuted, Title: conversation.Deed(a, nil)}}
		aims = nil
	}
	for i := range aims[:min(most, len(aims))] {
		row := card(t, &aims[i])
		if len(aims) > 1 {
			row.Title = fmt.Sprintf("%d · %s", i+1, row.Title)
		}
		out = append(out, row)
	}
	if more := len(aims) - most; more > 0 {
		out = append(out, core.Row{Tone: core.ToneMuted, Title: "and " + text.Count(more, "more action",
			"more actions")})
	}
	switch {
	case len(out) > 0:
	case a.Error != "": // in the place of an answer
		out = []core.Row{{Kind: core.RowCard, Tone: core.ToneBad, Title: text.Capital(conversation.Deed(a, nil))}}
	case len(a.Calls) > 0: // about no element
		out = []core.Row{{Kind: core.RowCard, Tone: core.ToneNormal, Title: conversation.Deed(a, nil)}}
	default:
		out = []core.Row{{Kind: core.RowCard, Tone: core.ToneNormal, Title: cmp.Or(conversation.Listed(
			strings.TrimSpace(a.Text)), wire.Line(a, 0, "", 160))}}
		if words != "" {
			out[0].Title, words = words, ""
		}
	}
	if words != "" {
		out[0].Body = join("“"+words+"”", out[0].Body)
	}
	last := &out[len(out)-1]
	if then := m.Then; then != nil && then.Said != "" {
		last.Body = join(last.Body, "The tool reports: "+then.Said)
		if then.Failed {
			last.Tone = core.ToneBad
		}
	}
	if m.Next != nil && (m.Report == nil || m.Report.Paired) { // it says something of a page
		last.Body = join(last.Body, fmt.Sprintf("Then, in turn %d: %s.", next, m.Next.Words()))
	}
	if m.Report != nil && sentrequest.ToModel(t) {
		out[0].Chips = []core.RowChip{{Text: "Ask again…", Msg: core.CommandChosen{ID: core.CmdAsk}}}
	}
	if m.Story != nil {
		if spent := core.Spent(m.Story); len(spent) > 0 { // an MCP server names no model and counts no tokens
			out[0].Cells = []string{strings.Join(spent, " · ")}
		}
	}
	return out
}

// said are the words of an answer in one line, without the marks of Markdown.
func said(words string) string {
	var lines []string
	for line := range strings.SplitSeq(words, "\n") {
		if line = conversation.Plain(line); line != "" {
			lines = append(lines, line)
		}
	}
	return text.Cut(strings.Join(lines, " "), 240)
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

func card(t *core.Turn, a *conversation.Aim) core.Row {
	row := core.Row{Kind: core.RowCard, Tone: core.ToneGood, Title: a.Sentence(), Body: join(a.Trouble, a.Note)}
	switch {
	case a.Trouble != "" && a.Doubt:
		row.Tone = core.ToneWarn
	case a.Trouble != "":
		row.Tone = core.ToneBad
	}
	if n := t.Capture.Node(a.Node); n != nil {
		row.Pick, row.Action, row.Do = core.PickOf(n.I, n.Ref), "Why", core.PickOf(n.I, n.Ref)
	}
	return row
}

// answerOf is the answer that is stored with a turn, nil where there is none that can be read.
func answerOf(t *core.Turn) *wire.Answer {
	if _, p := sentrequest.Payloads(t); p != nil {
		if a, err := wire.ReadAnswer(p.Dialect, p.Bytes); err == nil {
			return a
		}
	}
	return nil
}

// viewOf is what the strip shows; without rows there is none.
func viewOf(s core.State) core.ListVM {
	if m := of(s); m.Turn == s.Current && s.Current != nil && !s.ShowPrevious {
		return core.ListVM{Rows: m.Rows}
	}
	return core.ListVM{}
}

// Room is the strip.
func Room() core.Room { return core.Room{Name: "aim", AfterUpdate: fill} }

// of is the model of the room.
func of(s core.State) model { return core.Of[model](s) }

func edit(s *core.State) *model { return core.Edit[model](s) }

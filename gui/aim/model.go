// Package aim is the strip over the right side: what the answer that is stored with the turn in view wants done, in a
// sentence, why it could not work, and what happened next.
//
// What comes in is the report of the request (package request), the answer's own words, and how the next turn
// differs; what goes out is a card for each action. The place on the picture is drawn by package picture, by the same
// facts. A turn without an answer has no strip. Start with [ViewOf].
package aim

import (
	"fmt"
	"strings"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/request"
	"github.com/refscope/refscope/snapshot/conversation"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// model is the answer of one turn. What its pointers point to is immutable.
type model struct {
	Turn   *core.Turn
	Report *doctor.Report
	// Next is how the turn behind it differs, nil where that is not known; it is kept to know when the rows are others.
	Next *core.TurnChange
	Rows *core.Rows
}

// most is how many actions have a card of their own.
const most = 3

// fill makes the cards again where what they are made of is another.
func fill(s core.State) (core.State, []core.Effect) {
	r, m := request.Of(s), Of(s)
	var report *doctor.Report
	if r.Turn == s.Shown {
		report = r.Report
	}
	next, change := following(s)
	if m.Turn == s.Shown && m.Report == report && m.Next == change {
		return s, nil
	}
	now := model{Turn: s.Shown, Report: report, Next: change}
	if s.Shown != nil && report != nil {
		if rows := cards(s.Shown, r, next, change); len(rows) > 0 {
			now.Rows = core.NewRows(rows)
		}
	}
	*edit(&s) = now
	return s, nil
}

// following is the turn behind the one in view, and how it differs; 0 and nil where that is not known.
func following(s core.State) (int, *core.TurnChange) {
	i := s.TurnIndex() + 1
	if i == 0 || i >= len(s.Session.Turns) {
		return 0, nil
	}
	return s.Session.Turns[i].N, s.Session.Turns[i].Change
}

// cards are the rows of the strip.
func cards(t *core.Turn, r request.Model, next int, change *core.TurnChange) []core.Row {
	a := answerOf(t)
	if a == nil {
		return nil
	}
	words := text.Cut(text.Line(strings.TrimSpace(a.Text)), 240)
	if strings.HasPrefix(words, "{") || strings.HasPrefix(words, "[") || strings.HasPrefix(words, "`") {
		words = "" // the action itself, as JSON
	}
	var out []core.Row
	for i := range r.Aims[:min(most, len(r.Aims))] {
		row := card(t, &r.Aims[i])
		if len(r.Aims) > 1 {
			row.Title = fmt.Sprintf("%d · %s", i+1, row.Title)
		}
		out = append(out, row)
	}
	if more := len(r.Aims) - most; more > 0 {
		out = append(out, core.Row{Tone: core.ToneMuted, Title: "and " + text.Count(more, "more action", "more actions")})
	}
	if len(out) == 0 {
		out = append(out, core.Row{Kind: core.RowCard, Tone: core.ToneMuted,
			Title: "Answer: " + wire.Line(a, 0, "", 160)})
		words = ""
	}
	first := &out[0]
	if words != "" {
		first.Body = join("“"+words+"”", first.Body)
	}
	if change != nil {
		last := &out[len(out)-1]
		last.Body = join(last.Body, fmt.Sprintf("Then, in turn %d: %s.", next, change.Words()))
	}
	return out
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

func card(t *core.Turn, a *conversation.Aim) core.Row {
	row := core.Row{Kind: core.RowCard, Tone: core.ToneGood, Title: a.Sentence(), Body: a.Trouble}
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
	for _, p := range t.Stored {
		if p.Way == turn.Answer && doctor.Readable(p.Dialect) {
			if a, err := wire.ReadAnswer(p.Dialect, p.Bytes); err == nil {
				return a
			}
		}
	}
	return nil
}

// ViewOf is what the strip shows; without rows there is none.
func ViewOf(s core.State) core.ListVM {
	if m := Of(s); m.Turn == s.Shown && s.Shown != nil && !s.Back {
		return core.ListVM{Rows: m.Rows}
	}
	return core.ListVM{}
}

// Room is the strip.
func Room() core.Room { return core.Room{Name: "aim", Fill: fill} }

// Of is the model of the room.
func Of(s core.State) model { return core.Of[model](s) }

func edit(s *core.State) *model { return core.Edit[model](s) }

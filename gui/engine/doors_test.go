package engine

import (
	"cmp"
	"encoding/json"
	"image"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/inspect"
	"github.com/refscope/refscope/capture/inspect/inspecttest"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/core/coretest"
	"github.com/refscope/refscope/gui/costs"
	"github.com/refscope/refscope/gui/details"
	"github.com/refscope/refscope/gui/find"
	"github.com/refscope/refscope/gui/findings"
	"github.com/refscope/refscope/gui/payload"
	"github.com/refscope/refscope/gui/sentrequest"
	"github.com/refscope/refscope/gui/text"
	"github.com/refscope/refscope/snapshot/diff"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/wire"
)

// room is the window over the session Shop, with what work gets.
type room struct {
	t    *testing.T
	live *Live
	w    *core.Worker
}

// turn is a turn as it comes into view.
func (r *room) turn(n int) *core.Turn {
	rec, err := r.live.Load(r.t.Context(), n)
	require.NoError(r.t, err)
	shown, err := rec.Ready()
	require.NoError(r.t, err)
	return shown
}

// do does a piece of work and returns its answer; what it sends before goes to the room's state too.
func (r *room) do(work core.Work) core.Msg { return work.Do(r.t.Context(), r.w) }

// sent is the state of the room of requests after it has examined the first turn.
func (r *room) sent() sentrequest.Model {
	t := r.turn(1)
	s := core.New([]core.Room{sentrequest.Room()}, core.Prefs{}, "", image.Point{}, format.Names(), nil, nil)
	s.Current = t
	s, _ = core.Update(s, core.NoticeClosed{})
	w := *r.w
	w.Dispatch = func(m core.Msg) { s, _ = core.Update(s, m) }
	s, _ = core.Update(s, sentrequest.Examine{Turn: t}.Do(r.t.Context(), &w))
	return sentrequest.Of(s)
}

// TestRoomsAnswerAsTheOtherDoors: what a room of the window says of a saved session is the value that the command and the
// MCP server print: cmd/refscopectl holds those to the same table.
func TestRoomsAnswerAsTheOtherDoors(t *testing.T) {
	home := t.TempDir()
	inspecttest.Save(t, home)
	live := liveEngine(t, home)
	_, _, err := live.OpenSession(t.Context(), inspecttest.Shop)
	require.NoError(t, err)
	r := &room{t: t, live: live, w: coretest.Worker(live)}
	for _, q := range inspecttest.Questions() {
		t.Run(q.Name, func(t *testing.T) {
			r.t = t
			ask := rooms()[q.Name]
			require.NotNil(t, ask, "no room of the window answers this")
			want, err := q.Want(t.Context(), home)
			require.NoError(t, err)
			want, got := ask(r, want)
			a, err := json.Marshal(want)
			require.NoError(t, err)
			b, err := json.Marshal(got)
			require.NoError(t, err)
			require.NotEqual(t, "null", string(a))
			require.JSONEq(t, string(a), string(b))
		})
	}
}

// rooms answer the questions by name: each returns the part of what is wanted that the room shows, and the room's own.
func rooms() map[string]func(r *room, want any) (wanted, got any) {
	return map[string]func(r *room, want any) (any, any){
		"capture": func(r *room, want any) (any, any) { return want, r.turn(1).Capture },
		"text": func(r *room, want any) (any, any) {
			return want, r.do(text.Render{Turn: r.turn(1), Format: format.Wraith}).(core.Rendered).Doc.Doc.Text
		},
		"as sent": func(r *room, want any) (any, any) { return want, r.sent().Sent.Doc.Text },
		"told":    func(r *room, want any) (any, any) { return want, r.sent().Audit },
		"doctor":  func(r *room, want any) (any, any) { return want, r.sent().Report },
		"why": func(r *room, want any) (any, any) {
			t := r.turn(2)
			n := t.Capture.ByRef(inspecttest.Ref)
			got := r.do(details.Explain{Turn: t, Node: n.I, Ref: n.Ref}).(details.Explained)
			return want.(*inspect.WhyAnswer).Explanations[0], got.Answer.Explanation
		},
		"find": func(r *room, want any) (any, any) {
			t := r.turn(2)
			doc, err := t.Explainer.Document(format.Wraith)
			require.NoError(r.t, err)
			got := r.do(find.Find{Turn: t, Doc: doc, Query: find.Query{Text: "role=button"}}).(find.Searched)
			var wanted, nodes []int
			for _, m := range want.(*inspect.Found).Matches {
				wanted = append(wanted, m.Node)
			}
			for _, m := range got.Found.Matches {
				nodes = append(nodes, m.Node)
			}
			return wanted, nodes
		},
		"audit": func(r *room, want any) (any, any) {
			return want, r.do(findings.RunAudit{Turn: r.turn(1)}).(findings.Audited).Report
		},
		"tokens": func(r *room, want any) (any, any) {
			return want.(*inspect.Costs).Map, r.do(costs.Map{Turn: r.turn(1), Format: format.DDDK}).(costs.Mapped).Costs
		},
		"diff": func(r *room, want any) (any, any) {
			got := r.do(core.Compare{Turn: r.turn(2), From: 1}).(core.Compared)
			var wanted, lines []string
			report := want.(*diff.Diff).ReportLines()
			for _, l := range report[1 : len(report)-1] { // without the page's name and the sum
				wanted = append(wanted, l.Words)
			}
			for _, row := range got.Changes.Rows.List {
				if row.Kind != core.RowHead {
					lines = append(lines, cmp.Or(row.Body, row.Title))
				}
			}
			slices.Sort(wanted) // the room has them by what became of an element
			slices.Sort(lines)
			return wanted, lines
		},
		"compare": func(r *room, want any) (any, any) {
			_, got, err := r.live.CompareRuns(r.t.Context(), inspecttest.Again)
			require.NoError(r.t, err)
			return want, got
		},
		"payload": func(r *room, want any) (any, any) {
			got := r.do(payload.Build{Turn: r.turn(1),
				Choice: core.PayloadChoice{Dialect: wire.OpenAIChat, Model: inspecttest.Model}}).(payload.Ready)
			return want, string(got.Built.Body)
		},
	}
}

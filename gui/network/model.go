// Package network is the side Network: what the page of the turn in view loaded. The network layer of its capture comes
// in; a table that can be sorted goes out, what failed first, each row with the element that lacks what was requested.
// Start with [Room] and [ViewOf].
package network

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/find"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/network"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/why"
)

// Side is what the page loaded.
const Side core.Side = "network"

// Show selects the requests that the table has.
type Show int

const (
	All      Show = iota
	Problems      // what failed, was broken off, or was under way
	Data          // what scripts requested
)

// shows are the titles of their chips.
func shows() []string { return []string{"All", "Problems", "Data"} }

// The columns of the table, from 1. Problems come first where it is sorted by none.
const (
	columnTime = iota + 1 // of the request, which the title stands over
	columnStatus
	columnType
	columnSize
	columnDuration
)

// model is the table of one turn.
type model struct {
	// Turn is what the table is of.
	Turn *core.Turn
	Show Show
	// Order is the column that the table is sorted by, 0 for problems first. Negative turns it round.
	Order int
	// Elements are those that lack what was requested, by the numbers of the requests; nil until they are there.
	Elements map[int]int
	Rows     *core.Rows
}

type (
	// relate looks for the elements that lack what was requested; [related] answers.
	relate struct{ Turn *core.Turn }
)

// Do implements [core.Work].
func (e relate) Do(context.Context, *core.Worker) core.Msg {
	c := e.Turn.Capture
	out := map[int]int{}
	problems := why.NewProblems(c, snapshot.NewTree(c))
	for i := range c.Nodes {
		for _, cause := range problems.Causes(&c.Nodes[i]) {
			if _, known := out[cause.Request.ID]; !known && (cause.Own || cause.Named) {
				out[cause.Request.ID] = i
			}
		}
	}
	return related(e.Turn, out)
}

// related answers [relate].
func related(turn *core.Turn, elements map[int]int) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if of(s).Turn != turn {
			return s, nil // another turn is in view by now
		}
		edit(&s).Elements = elements
		return listed(s), nil
	})
}

// chosen shows other requests.
func chosen(show Show) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		edit(&s).Show = show
		return listed(s), nil
	})
}

// sorted sorts by a column, from 1; the one in use turns round.
func sorted(column int) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		model := edit(&s)
		model.Order = core.OrderAfter(model.Order, column)
		return listed(s), nil
	})
}

// fill makes the table of the turn in view where it is not there yet, and asks for the elements.
func fill(s core.State) (core.State, []core.Effect) {
	p := of(s)
	if s.Side != Side || s.Current == nil || p.Turn == s.Current {
		return s, nil
	}
	*edit(&s) = model{Turn: s.Current, Show: p.Show, Order: p.Order}
	s = listed(s)
	if s.Current.Capture.Network == nil {
		return s, nil
	}
	return s, []core.Effect{relate{s.Current}}
}

// listed makes the table.
func listed(s core.State) core.State {
	p := of(s)
	edit(&s).Rows = nil
	if p.Turn == nil || p.Turn.Capture.Network == nil {
		return s
	}
	if rows := rowsOf(&p); len(rows) > 1 {
		edit(&s).Rows = core.NewRows(rows)
	}
	return s
}

// line is a row with when it was.
type line struct {
	row core.Row
	at  time.Time
}

// rowsOf are the requests in their order below the names of the columns; in the order of time, the lines of the console
// are among them.
func rowsOf(p *model) []core.Row {
	c := p.Turn.Capture
	head := core.Row{Kind: core.RowColumns, Title: "Request", Cells: []string{"Status", "Type", "Size", "ms"},
		Sorted: p.Order}
	for column := columnTime; column <= columnDuration; column++ {
		head.Sorts = append(head.Sorts, sorted(column))
	}
	by := map[int]network.Sort{columnTime: network.ByTime, columnStatus: network.ByStatus, columnType: network.ByType,
		columnSize: network.BySize, columnDuration: network.ByDuration}[max(p.Order, -p.Order)]
	var lines []line
	for _, q := range c.Network.Sorted(cmp.Or(by, network.ByProblem)) {
		if p.Show == Problems && q.Problem() == "" || p.Show == Data && !data(q) {
			continue
		}
		lines = append(lines, line{p.row(q), q.Began})
	}
	if by == network.ByTime && p.Show == All {
		for _, e := range c.Console {
			at := c.TakenAt.Add(-time.Duration(e.Age * float64(time.Millisecond)))
			lines = append(lines, line{consoleRow(e), at})
		}
		slices.SortStableFunc(lines, func(a, b line) int { return a.at.Compare(b.at) })
	}
	if p.Order < 0 {
		slices.Reverse(lines)
	}
	rows := []core.Row{head}
	for _, l := range lines {
		rows = append(rows, l.row)
	}
	return rows
}

// row is one request.
func (p *model) row(q *network.Request) core.Row {
	c := p.Turn.Capture
	kind := q.Type
	if q.Worker != "" {
		kind = strings.ReplaceAll(q.Worker, "_", " ")
	}
	r := core.Row{Title: q.Name(c.URL, 200), Code: true, Tone: tone(q),
		Cells: []string{q.Mark(), text.Cut(text.Line(kind), 16), text.Line(q.Size()), text.Thousands(int(q.Duration))}}
	if problem := q.Problem(); problem != "" {
		r.Aside = text.Cut(problem, 160)
	}
	if i, ok := p.Elements[q.ID]; ok && i < len(c.Nodes) {
		n := &c.Nodes[i]
		r.Ref, r.Node, r.Pick = n.Ref, n.I+1, core.PickOf(n.I, n.Ref)
	}
	return r
}

func consoleRow(e snapshot.ConsoleEntry) core.Row {
	r := core.Row{Lead: "console", Title: text.Cut(text.Line(e.Text), 200), Tone: core.ToneMuted,
		Cells: []string{text.Cut(text.Line(e.Level), 12), "", "", ""}}
	if e.Level == "error" {
		r.Tone = core.ToneBad
	}
	return r
}

// tone is how a request went.
func tone(q *network.Request) core.Tone {
	switch {
	case q.Bad():
		return core.ToneBad
	case q.Problem() != "":
		return core.ToneWarn
	}
	return core.ToneNormal
}

// data reports whether a script requested it to work with.
func data(q *network.Request) bool {
	switch q.Type {
	case "XHR", "Fetch", "EventSource", "WebSocket":
		return true
	}
	return false
}

// ViewOf returns the content of the side.
func ViewOf(s core.State) core.TableVM {
	p := of(s)
	v := core.TableVM{Choice: int(p.Show), List: s.List()}
	switch {
	case s.Current == nil:
		v.List.Empty = s.EmptySentence("What the page loads appears here after the first capture.")
		return v
	case s.Current.Capture.Network == nil:
		v.List.Empty = "What the page loaded was not recorded with this turn."
		return v
	case p.Rows == nil && p.Show != All:
		v.List.Empty = "No request of this turn matches the filter."
	case p.Rows == nil:
		v.List.Empty = "No requests since the tab was attached."
	default:
		v.List.Rows = p.Rows
	}
	v.Facts = []core.StatusItem{{Text: s.Current.Capture.Network.Summary(), Tone: core.ToneMuted}}
	v.List = find.LitRows(s, v.List)
	return v
}

// badges count the requests that failed.
func badges(s core.State) []core.StatusItem {
	if s.Current == nil || s.Current.Capture.Network == nil {
		return nil
	}
	n := 0
	for i := range s.Current.Capture.Network.Requests {
		if q := &s.Current.Capture.Network.Requests[i]; q.Bad() && !q.Earlier {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return core.Badge(n, core.ToneBad)
}

// Room is the side of what the page loaded.
func Room() core.Room {
	return core.Room{Name: "network", AfterUpdate: fill,
		Side: &core.SideRow{Side: Side, Title: "Network", Command: "side.network", Does: "what the page loaded",
			Place:  5,
			Badges: badges,
			Text:   func(s core.State) (*dump.Document, *core.LineTones) { return of(s).Rows.Text() }}}
}

// of is the model of the room.
func of(s core.State) model { return core.Of[model](s) }

func edit(s *core.State) *model { return core.Edit[model](s) }

package network_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/core/coretest"
	room "github.com/refscope/refscope/gui/network"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/network"
)

// listed has the table of a turn whose page lacks what element 3 shows.
func listed(t *testing.T) core.State {
	t.Helper()
	s := apptest.Captured(t)
	c := s.Current.Capture
	frame := c.Frames[0].ID
	began := c.TakenAt.Add(-time.Second)
	request := func(id int, kind, url string, state network.State, status int) network.Request {
		return network.Request{ID: id, Method: "GET", URL: url, Type: kind, Frame: frame, State: state, Status: status, Duration: float64(10 * id),
			Began: began.Add(time.Duration(id) * time.Millisecond), Body: int64(id)}
	}
	c.Network = &network.Layer{Requests: []network.Request{
		request(1, "Document", c.URL, network.Done, 200), request(2, "Fetch", "https://api.example/cookies", network.Done, 500),
		request(3, "Image", "https://api.example/a\nb.png", network.Pending, 0),
	}}
	c.Console = []snapshot.ConsoleEntry{{Age: 998.5, Level: "error", Text: "no cookies"}}
	for i := range c.Nodes { // the region Cookies is empty
		if c.Nodes[i].Ref == 3 {
			c.Nodes[i].Text = ""
			for k := range c.Nodes {
				if c.Nodes[k].Parent == i {
					c.Nodes[k].Text, c.Nodes[k].Tag, c.Nodes[k].Value = "", "div", ""
				}
			}
		}
	}
	s, effects := apptest.Step(s, core.SideChosen(room.Side))
	require.Equal(t, []core.Effect{room.Relate{Turn: s.Current}}, effects, "it is asked for once")
	s, _ = apptest.Step(s, effects[0].(core.Work).Do(t.Context(), coretest.Worker(nil)))
	return s
}

func titles(s core.State) (out []string) {
	rows := room.ViewOf(s).List.Rows
	if rows == nil {
		return nil
	}
	for _, r := range rows.List[1:] {
		out = append(out, strings.TrimPrefix(strings.TrimPrefix(r.Title, "GET "), "https://api.example"))
	}
	return out
}

func TestTheTableSortsAndSelects(t *testing.T) {
	s := listed(t)
	page := titles(s)[2]
	require.Equal(t, []string{"/cookies", "/a b.png", page}, titles(s), "what failed comes first")
	rows := room.ViewOf(s).List.Rows.List
	require.Equal(t, core.ToneBad, rows[1].Tone)
	require.Equal(t, core.ToneWarn, rows[2].Tone)
	require.Equal(t, []string{"500", "Fetch", "2 B", "20"}, rows[1].Cells)
	require.Equal(t, "was answered with 500 Internal Server Error", rows[1].Aside)
	require.Equal(t, 3, rows[1].Ref, "the region Cookies lacks it")
	chosen, _ := apptest.Step(s, rows[1].Pick)
	require.Equal(t, 3, chosen.Selected.Ref)

	s, _ = apptest.Step(s, rows[0].Sorts[0])
	require.Equal(t, []string{page, "no cookies", "/cookies", "/a b.png"}, titles(s), "the console is in the order of time")
	s, _ = apptest.Step(s, rows[0].Sorts[4])
	require.Equal(t, []string{"/a b.png", "/cookies", page}, titles(s), "the slowest first")
	s, _ = apptest.Step(s, rows[0].Sorts[4])
	require.Equal(t, []string{page, "/cookies", "/a b.png"}, titles(s))
	s, _ = apptest.Step(s, room.Chosen(room.Data))
	require.Equal(t, []string{"/cookies"}, titles(s))
	require.Equal(t, "3 requests, 1 failed, 1 under way", room.ViewOf(s).Facts[0].Text)
	require.Equal(t, "Network 1", coretest.SideText(s, room.Side))
}

func TestATurnWithoutALayer(t *testing.T) {
	s, effects := apptest.Step(apptest.Captured(t), core.SideChosen(room.Side))
	require.Empty(t, effects)
	require.Equal(t, "What the page loaded was not recorded with this turn.", room.ViewOf(s).List.Empty)
	require.NotEmpty(t, room.ViewOf(apptest.Blank()).List.Empty)
}

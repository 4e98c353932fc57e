package snapshot_test

import (
	"encoding/json"
	"testing"

	"github.com/refscope/refscope/snapshot"
	"github.com/stretchr/testify/require"
)

func form() *snapshot.Capture {
	return &snapshot.Capture{URL: "https://a.example/#x", Title: "Form", Nodes: []snapshot.Node{
		{I: 0, Parent: -1, Tag: "body", Verdict: snapshot.VerdictWrapper},
		{I: 1, Parent: 0, Tag: "input", Role: "checkbox", Name: "Agree", UID: 5, Ref: 1, Verdict: snapshot.VerdictRef,
			States: snapshot.States{"checked": false, "level": 2.0}, Box: snapshot.Box{10, 10, 20, 20}},
		{I: 2, Parent: 0, Tag: "input", Role: "textbox", Name: "City", UID: 6, Ref: 2, Verdict: snapshot.VerdictRef,
			Attrs: map[string]string{"type": "text", "class": "a"}},
		{I: 3, Parent: 0, Tag: "p", Text: "Hello", UID: 7, Ref: 3, Verdict: snapshot.VerdictContent},
		{I: 4, Parent: 0, Tag: "div", UID: 8, Verdict: snapshot.VerdictDisplayNone, Text: "hidden"},
	}}
}

func TestStateHash(t *testing.T) {
	base := snapshot.StateHash(form())
	require.Len(t, base, 32)
	cases := map[string]struct {
		change func(c *snapshot.Capture)
		same   bool
	}{
		"nothing":     {func(c *snapshot.Capture) {}, true},
		"a box moves": {func(c *snapshot.Capture) { c.Nodes[1].Box = snapshot.Box{10.4, 11, 20, 20} }, true},
		"rendered again": {func(c *snapshot.Capture) {
			c.Nodes[1].UID, c.Nodes[1].Ref,
				c.Nodes[1].BackendNodeID = 90, 9, 77
		}, true},
		"another class": {func(c *snapshot.Capture) {
			c.Nodes[2].Attrs = map[string]string{"type": "text",
				"class": "b"}
		}, true},
		"hidden text":                 {func(c *snapshot.Capture) { c.Nodes[4].Text = "other" }, true},
		"scroll by a part of a pixel": {func(c *snapshot.Capture) { c.Scroll.Y = 0.3 }, true},
		"checked": {func(c *snapshot.Capture) {
			c.Nodes[1].States = snapshot.States{"checked": true,
				"level": 2.0}
		}, false},
		"mixed": {func(c *snapshot.Capture) {
			c.Nodes[1].States = snapshot.States{"checked": "mixed",
				"level": 2.0}
		}, false},
		"a state that was not there": {func(c *snapshot.Capture) { c.Nodes[2].States = snapshot.States{"focused": true} },
			false},
		"typed":        {func(c *snapshot.Capture) { c.Nodes[2].Value = "L" }, false},
		"renamed":      {func(c *snapshot.Capture) { c.Nodes[1].Name = "I agree" }, false},
		"text":         {func(c *snapshot.Capture) { c.Nodes[3].Text = "Hello!" }, false},
		"scrolled":     {func(c *snapshot.Capture) { c.Scroll.Y = 40 }, false},
		"another page": {func(c *snapshot.Capture) { c.URL = "https://a.example/#y" }, false},
		"covered": {func(c *snapshot.Capture) { c.Nodes[1].Occlusion = &snapshot.Occlusion{State: snapshot.Covered} },
			false},
		"gone": {func(c *snapshot.Capture) { c.Nodes[3].Verdict = snapshot.VerdictDisplayNone },
			false},
		"inside another kept element": {func(c *snapshot.Capture) { c.Nodes[3].Parent = 2 }, false},
		"words moved to the next node": {func(c *snapshot.Capture) { c.Nodes[1].Text, c.Nodes[2].Role = "textbox", "" },
			false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := form()
			tc.change(c)
			if tc.same {
				require.Equal(t, base, snapshot.StateHash(c))
			} else {
				require.NotEqual(t, base, snapshot.StateHash(c))
			}
			// The same from disk, where numbers and states come back as JSON has them.
			data, err := json.Marshal(c)
			require.NoError(t, err)
			var again snapshot.Capture
			require.NoError(t, json.Unmarshal(data, &again))
			require.Equal(t, snapshot.StateHash(c), snapshot.StateHash(&again))
			require.Equal(t, snapshot.StateHash(c), snapshot.StateHash(c.Kept()))
		})
	}
}

package semantic_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/readback"
	"github.com/refscope/refscope/snapshot/format/semantic"
	"github.com/refscope/refscope/snapshot/pagetest"
)

// TestTreeHash: an unchanged tree is known again, and a change that an agent could read
// is not taken for none.
func TestTreeHash(t *testing.T) {
	page := `
title: Shop
scroll: 10/500
event: 10 added text Saved
body
  p "Time: 10:00"
  input type=checkbox @0,0,20,20 %name="Agree"
  input @0,30,80,20 %name="Mail" %value="a@b.example"
  div %scroll=0.1,true,900 @0,60,300,300
    button @0,70,80,20 "Row"
`
	base := pagetest.Parse(t, page)
	hash := semantic.TreeHash(base, dump.Common{}, semantic.Options{})
	require.Regexp(t, `^[0-9a-f]{32}$`, hash)
	find := func(c *snapshot.Capture, name string) *snapshot.Node {
		for i := range c.Nodes {
			if n := &c.Nodes[i]; n.Name == name || n.Text == name {
				return n
			}
		}
		t.Fatal(name)
		return nil
	}
	for name, change := range map[string]func(*snapshot.Capture){
		"nothing": func(*snapshot.Capture) {},
		"time":    func(c *snapshot.Capture) { c.TakenAt, c.Timings.Walk = c.TakenAt.AddDate(1, 0, 0), 99 },
		"events":  func(c *snapshot.Capture) { c.Mutations[0].Age = 9_000 },
		"text": func(c *snapshot.Capture) {
			n := find(c, "Time: 10:00")
			n.Runs[0].Text, n.Text = "Time: 10:01", "Time: 10:01"
		},
		"uid":       func(c *snapshot.Capture) { find(c, "Row").UID = 77 },
		"half a px": func(c *snapshot.Capture) { find(c, "Row").Box[0] += 0.2 },
	} {
		t.Run(name, func(t *testing.T) {
			c := pagetest.Parse(t, page)
			change(c)
			require.Equal(t, hash, semantic.TreeHash(c, dump.Common{}, semantic.Options{}))
		})
	}
	for name, change := range map[string]func(*snapshot.Capture){
		"address": func(c *snapshot.Capture) { c.URL += "#x" },
		"title":   func(c *snapshot.Capture) { c.Title = "Shop 2" },
		"scroll":  func(c *snapshot.Capture) { c.Scroll.Y = 100 },
		"list":    func(c *snapshot.Capture) { n := find(c, "Row"); c.Node(n.Parent).Scroller.Depth = 0.5 },
		"checked": func(c *snapshot.Capture) { find(c, "Agree").States = snapshot.States{"checked": true} },
		"value":   func(c *snapshot.Capture) { find(c, "Mail").Value = "c@d.example" },
		"focus":   func(c *snapshot.Capture) { find(c, "Mail").States = snapshot.States{"focused": true} },
		"place":   func(c *snapshot.Capture) { find(c, "Row").Box[1] += 5 },
		"number":  func(c *snapshot.Capture) { find(c, "Row").Ref = 50 },
		"cover": func(c *snapshot.Capture) {
			find(c, "Row").Occlusion = &snapshot.Occlusion{State: snapshot.Covered, Click: [2]float64{40, 80}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := pagetest.Parse(t, page)
			change(c)
			require.NotEqual(t, hash, semantic.TreeHash(c, dump.Common{}, semantic.Options{}))
		})
	}
	require.NotEqual(t, hash, semantic.TreeHash(base, dump.Common{}, semantic.Options{Long: true}), "another text")
	require.Equal(t, hash, semantic.TreeHash(base, dump.Common{MaxChars: 100}, semantic.Options{}))
}

// TestAXOfAPage: a capture that is not from Chrome's tree says so in the text and in
// the omissions; one from before there was Capture.Source is known by its names.
func TestAXOfAPage(t *testing.T) {
	c := pagetest.Parse(t, "body\n  button @0,0,50,20 %name=Save \"Save\"\n  div %by=listener @0,30,50,20 \"Card\"")
	d, err := format.Render(c, format.AX, format.Options{})
	require.NoError(t, err)
	readback.CheckDocument(t, c, d)
	require.Contains(t, d.Text, `{"mode":"semantic","source":"page",`)
	require.Equal(t, dump.Omission{Node: -1, Reason: dump.ReasonRole,
		Detail: "roles and names are the page's, not Chrome's: take the capture with --source ax"}, d.Omitted[0])
	require.NotContains(t, d.Text, "Card", "what has no role is no control here")

	c.Nodes[1].NameFrom = "ax"
	d, err = format.Render(c, format.AX, format.Options{})
	require.NoError(t, err)
	require.Contains(t, d.Text, `"source":"ax"`)
	require.NotEqual(t, -1, d.Omitted[0].Node)
}

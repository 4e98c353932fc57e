package css

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
)

// The shortest selector that means an element alone: its id, a test's attribute, its name, else a path from
// the nearest element that has one.
func TestShortest(t *testing.T) {
	path := func(parent, tag, nth string) string { return parent + " > " + tag + ":nth-child(" + nth + ")" }
	body := path("html", "body", "2")
	main, form := path(body, "main", "1"), path(body, "form", "2")
	frame, host := path(body, "iframe", "3"), path(body, "x-card", "4")
	c := &snapshot.Capture{Frames: make([]snapshot.Frame, 2)}
	add := func(parent int, tag, path string, attrs ...string) *snapshot.Node {
		n := snapshot.Node{I: len(c.Nodes), Parent: parent, Tag: tag, Path: path, Attrs: map[string]string{}}
		for i := 0; i < len(attrs); i += 2 {
			n.Attrs[attrs[i]] = attrs[i+1]
		}
		c.Nodes = append(c.Nodes, n)
		return &c.Nodes[n.I]
	}
	add(-1, "html", "html")
	add(0, "body", body)
	add(1, "main", main)
	add(2, "button", path(main, "button", "1"), "id", "save")
	add(2, "button", path(main, "button", "2"), "data-testid", "push it")
	add(2, "button", path(main, "button", "3"), "id", ":r1:")
	add(2, "button", path(main, "button", "4"))
	add(2, "h1", path(main, "h1", "5"))
	add(1, "form", form)
	add(8, "input", path(form, "input", "1"), "name", "email")
	add(8, "input", path(form, "input", "2"), "name", "pick", "type", "radio")
	add(8, "input", path(form, "input", "3"), "name", "pick", "type", "radio")
	add(8, "b", path(form, "b", "4"), "id", "twice")
	add(1, "iframe", frame)
	inner := add(13, "html", frame+" |> html")
	inner.Frame = 1
	in := add(14, "b", frame+" |> html > b:nth-child(1)", "id", "twice")
	in.Frame = 1
	add(1, "x-card", host)
	deep := add(16, "b", host+" >>> b:nth-child(1)", "id", "twice")
	deep.Shadow = "open"
	s := NewShortest(c)
	for i, want := range map[int]string{
		0: "html", 1: "body", 3: "#save", 4: `[data-testid="push it"]`, 5: `[id=":r1:"]`, 6: "main > button:nth-child(4)", 7: "h1",
		9: `input[name="email"]`, 10: "form > input:nth-child(2)", 12: "form > b", 15: "iframe |> #twice",
		17: "x-card >>> b:nth-child(1)",
	} {
		require.Equal(t, want, s.Of(&c.Nodes[i]), c.Nodes[i].Path)
	}
}

// TestIDsThatNeedNoEscape: the selector of an id is #ID wherever CSS reads that as it is.
func TestIDsThatNeedNoEscape(t *testing.T) {
	for id, want := range map[string]string{
		"b": "#b", "ember1234": "#ember1234", "-x": "#-x", "_1": "#_1", "2col": `[id="2col"]`, "-2": `[id="-2"]`, "--x": `[id="--x"]`,
		"-": `[id="-"]`, "a.b": `[id="a.b"]`, ":r1:": `[id=":r1:"]`, "ä": `[id="ä"]`,
	} {
		c := &snapshot.Capture{Frames: []snapshot.Frame{{}}, Nodes: []snapshot.Node{
			{I: 0, Parent: -1, Tag: "html", Path: "html"},
			{I: 1, Parent: 0, Tag: "b", Path: "html > b:nth-child(1)", Attrs: map[string]string{"id": id}},
		}}
		got := NewShortest(c).Of(&c.Nodes[1])
		require.Equal(t, want, got)
		s, err := Parse(got)
		require.NoError(t, err, got)
		require.Equal(t, []*snapshot.Node{&c.Nodes[1]}, s.All(NewTree(c)), got)
	}
}

func TestAuthored(t *testing.T) {
	for s, want := range map[string]bool{
		"main": true, "site-nav": true, "navMain": true, "site_footer": true, "step2": true, "cnetFooter": true, "rbHeader": true, "nav": true,
		"": false, "x": false, "ember1234": false, "css-1q2w3e": false, "sc-aXbYcZ": false, ":r1:": false, "2col": false, "a1b2": false, "xkcdq": false,
		"aXbYcZdW": false, "mw-panel": true, "-nav": false, "nav.x": false, "näv": false, "radix-1": false,
	} {
		require.Equal(t, want, Authored(s), "%q", s)
	}
}

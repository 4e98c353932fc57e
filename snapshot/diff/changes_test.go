package diff

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
)

func states(n snapshot.Node, kv ...any) snapshot.Node {
	n.States = snapshot.States{}
	for i := 0; i < len(kv); i += 2 {
		n.States[kv[i].(string)] = kv[i+1]
	}
	return n
}

func TestChangesOf(t *testing.T) {
	ref := func(n int) string { return fmt.Sprintf("s1e%d", n) }
	a := page(button(1, "Menu"), states(button(2, "More"), "expanded", false), el(3, "input", "textbox", "Name"),
		button(4, "Bye"), button(5, "Far"))
	b := page(button(1, "Menu"), states(button(2, "More"), "expanded", true),
		with(el(3, "input", "textbox", "Name"), func(n *snapshot.Node) { n.Value = "Ada" }),
		button(6, "New \"one\"\n- link"), button(5, "Far"))
	b.Nodes[5].Box[1], b.Nodes[5].InViewport = 2000, false
	c := ChangesOf(a, b, ChangesOptions{Action: "Clicked", Ref: ref})
	data, err := json.Marshal(c)
	require.NoError(t, err)
	require.JSONEq(t, `{
		"summary":"Clicked. 1 added (s1e6). 1 removed (s1e4). 1 left the view (s1e5). 1 expanded/collapsed (s1e2). 1 value changed (s1e3).",
		"added":["- button \"New \\\"one\\\" - link\" [ref=s1e6]"],
		"removed":["- button \"Bye\" [ref=s1e4]"],
		"leftView":["- button \"Far\" [ref=s1e5]"],
		"changed":[{"ref":"s1e2","field":"expanded","from":false,"to":true},{"ref":"s1e3","field":"value","from":"","to":"Ada"}]}`, string(data))

	c = ChangesOf(a, b, ChangesOptions{Compat: true})
	require.Equal(t, "1 added (e6). 2 removed (e4, e5). 1 expanded/collapsed (e2).", c.Summary,
		"the original does not see values")

	typed := func(first, second string) *snapshot.Capture {
		one := with(el(1, "input", "textbox", "Name"), func(n *snapshot.Node) { n.Value = first })
		two := with(el(2, "input", "textbox", "Town"), func(n *snapshot.Node) { n.Value = second })
		return page(one, two)
	}
	require.Equal(t, "2 changed their value (e1, e2).",
		ChangesOf(typed("", ""), typed("Ada", "Bath"), ChangesOptions{}).Summary)

	back := ChangesOf(b, a, ChangesOptions{})
	require.Equal(t, []string{"- button \"Far\" [ref=e5]"}, back.CameIntoView)
	require.Contains(t, back.Summary, "1 came into view (e5).")

	require.Nil(t, ChangesOf(a, a, ChangesOptions{}), "nothing changed")
	b.URL = "https://a.example/other"
	require.Nil(t, ChangesOf(a, b, ChangesOptions{}), "another page")
	b.URL = a.URL + "#part"
	require.NotNil(t, ChangesOf(a, b, ChangesOptions{}), "the same page")
}

// What changes where nobody sees it is told too, apart from what is in view.
func TestChangesOutOfView(t *testing.T) {
	far := func(n snapshot.Node) snapshot.Node {
		return with(n, func(n *snapshot.Node) { n.Box[1], n.InViewport = 2000, false })
	}
	named := func(ref int, name string) snapshot.Node {
		return with(button(ref, name), func(n *snapshot.Node) { n.UID = 100 + ref })
	}
	a := page(named(1, "Add"), far(named(2, "Pay")), far(named(3, "Gone")), far(named(4, "Came")), named(5, "Left"))
	b := page(named(1, "Add"), far(named(2, "Pay 3")), named(4, "Came and renamed"), far(named(5, "Left and renamed")),
		far(named(6, "New")))
	data, err := json.Marshal(ChangesOf(a, b, ChangesOptions{Action: "Clicked"}))
	require.NoError(t, err)
	require.JSONEq(t, `{
		"summary":"Clicked. 1 came into view (e4). 1 left the view (e5). 1 renamed (e4). Out of view: 1 added (e6). `+
		`1 removed (e3). 2 renamed (e2, e5).",
		"cameIntoView":["- button \"Came and renamed\" [ref=e4]"],
		"leftView":["- button \"Left\" [ref=e5]"],
		"changed":[{"ref":"e4","field":"name","from":"Came","to":"Came and renamed"}],
		"outOfView":{
			"added":["- button \"New\" [ref=e6]"],
			"removed":["- button \"Gone\" [ref=e3]"],
			"changed":[{"ref":"e2","field":"name","from":"Pay","to":"Pay 3"},
				{"ref":"e5","field":"name","from":"Left","to":"Left and renamed"}]}}`, string(data))
	compat := ChangesOf(a, b, ChangesOptions{Compat: true})
	require.Nil(t, compat.OutOfView, "the original looks at the view alone")
	require.Equal(t, "1 added (e4). 1 removed (e5).", compat.Summary)

	var many []snapshot.Node
	for ref := range 9 {
		many = append(many, far(named(10+ref, "New")))
	}
	c := ChangesOf(page(named(1, "Add")), page(append(many, named(1, "Add"))...), ChangesOptions{})
	require.Len(t, c.OutOfView.Added, 5)
	require.Equal(t, map[string]int{"added": 4}, c.OutOfView.Omitted)
	require.Empty(t, c.ChangeLists)
	require.Equal(t, "Out of view: 9 added (e10, e11, e12, +6 more).", c.Summary)

	secret := func(kind string) *snapshot.Capture {
		return page(with(el(1, "input", "textbox", "Word"), func(n *snapshot.Node) {
			n.Attrs = map[string]string{"type": kind, "placeholder": "of " + kind}
		}))
	}
	c = ChangesOf(secret("password"), secret("text"), ChangesOptions{})
	require.Equal(t, []FieldChange{{"e1", "type", "password", "text"},
		{"e1", "placeholder", "of password", "of text"}}, c.Changed)
}

// A select that offers others than before is told, also where its value stays; of a long list what is the same at its
// beginning is counted.
func TestChangesOfOptions(t *testing.T) {
	list := func(options ...string) *snapshot.Capture {
		nodes := []snapshot.Node{with(el(1, "select", "combobox", "State"), func(n *snapshot.Node) { n.Value = "Choose" })}
		for _, s := range options {
			nodes = append(nodes, with(el(0, "option", "option", s), func(n *snapshot.Node) {
				n.Parent, n.Verdict = 1, snapshot.VerdictInsideAtomic
				if n.Text = strings.TrimSuffix(s, " off"); n.Text != s {
					n.States = snapshot.States{"disabled": true}
				}
			}))
		}
		c := page(nodes...)
		c.Verdicts = map[snapshot.Verdict]int{snapshot.VerdictInsideAtomic: len(c.Nodes)}
		return c
	}
	long := func(last string) []string {
		out := make([]string, 0, 31)
		for i := range 30 {
			out = append(out, fmt.Sprint("n", i))
		}
		return append(out, last)
	}
	for _, x := range []struct {
		from, to []string
		want     []FieldChange
	}{
		{[]string{"Choose"}, []string{"Choose"}, nil},
		{[]string{"Choose"}, []string{"Choose", "A1", `A"2`},
			[]FieldChange{{"e1", "options", `["Choose"]`, `["Choose","A1","A\"2"]`}}},
		{[]string{"A"}, nil, []FieldChange{{"e1", "options", `["A"]`, `[]`}}},
		{[]string{"A", "B"}, []string{"A", "B off"},
			[]FieldChange{{"e1", "options", `["A","B"]`, `["A","B" disabled]`}}},
		{long("x"), long("y"), []FieldChange{{"e1", "options", `+30 ["x"]`, `+30 ["y"]`}}},
		{[]string{"Choose"}, long("y"), []FieldChange{{"e1", "options", `["Choose"]`, `["n0","n1","n2","n3","n4","n5","n6",` +
			`"n7","n8","n9","n10","n11","n12","n13","n14","n15","n16","n17","n18","n19"] +11`}}},
	} {
		var got []FieldChange
		if c := ChangesOf(list(x.from...), list(x.to...), ChangesOptions{}); c != nil {
			got = c.Changed
		}
		require.Equal(t, x.want, got)
	}
}

// Rows that a click has sorted are told in their new order; what only moved with its parent is not.
func TestReordered(t *testing.T) {
	rows := func(refs ...int) *snapshot.Capture {
		var nodes []snapshot.Node
		for _, r := range refs {
			nodes = append(nodes, with(button(r, fmt.Sprint("Row ", r)), func(n *snapshot.Node) { n.UID = 100 + r }))
		}
		c := page(nodes...)
		c.Nodes[0].UID = 100
		return c
	}
	c := ChangesOf(rows(1, 2, 3), rows(3, 1, 2), ChangesOptions{Action: "Clicked"})
	require.NotNil(t, c)
	require.Equal(t, "Clicked. 3 reordered (e3, e1, e2).", c.Summary)
	require.Len(t, c.Reordered, 3)
	require.Contains(t, c.Reordered[0], "Row 3")
	require.Nil(t, ChangesOf(rows(1, 2, 3), rows(1, 2, 3), ChangesOptions{}))
	require.Nil(t, ChangesOf(rows(1, 2, 3), rows(3, 1, 2), ChangesOptions{Compat: true}))
	require.Nil(t, ChangesOf(rows(1, 2), rows(1, 2, 3), ChangesOptions{}).Reordered)
}

// A row tells what its cells say; a cell that can be operated, or says more, has a line of its own.
func TestRowsTellTheirCells(t *testing.T) {
	table := func(first int) *snapshot.Capture {
		cell := func(ref, row int, words string) snapshot.Node {
			return with(el(ref, "td", "cell", words), func(n *snapshot.Node) {
				n.Parent, n.NameFrom, n.Interactive = row, "content", nil
			})
		}
		row := with(el(first, "tr", "row", "Di 5 Edit"), func(n *snapshot.Node) { n.NameFrom, n.Interactive = "content", nil })
		edit := with(button(first+3, "Edit"), func(n *snapshot.Node) { n.Parent = 1 })
		c := page(row, cell(first+1, 1, "Di"), cell(first+2, 1, "5"), edit, cell(first+4, 1, "hidden words"))
		for i := range c.Nodes {
			c.Nodes[i].Box = snapshot.Box{1, 1, 9, 9}
		}
		return c
	}
	c := ChangesOf(table(10), table(20), ChangesOptions{})
	require.Equal(t, "3 added (e20, e23, e24). 3 removed (e10, e13, e14).", c.Summary)
	c = ChangesOf(table(10), table(20), ChangesOptions{Compat: true})
	require.Equal(t, "1 added (e23). 1 removed (e13).", c.Summary)
}

func TestChangesAreCapped(t *testing.T) {
	var nodes, on []snapshot.Node
	for i := range 14 {
		nodes = append(nodes, states(el(100+i, "input", "checkbox", fmt.Sprint("box ", i)), "checked", false))
		on = append(on, states(el(100+i, "input", "checkbox", fmt.Sprint("box ", i)), "checked", true))
	}
	for i := range 12 {
		on = append(on, button(200+i, fmt.Sprint("new ", i)))
	}
	for i := range on {
		on[i].Box = snapshot.Box{1, 1, 9, 9}
	}
	for i := range nodes {
		nodes[i].Box = snapshot.Box{1, 1, 9, 9}
	}
	c := ChangesOf(page(nodes...), page(on...), ChangesOptions{})
	require.Equal(t, "12 added (e200, e201, e202, +9 more). 14 checked/unchecked (e100, e101, e102, +11 more).", c.Summary)
	require.Len(t, c.Added, 10)
	require.Len(t, c.Changed, 10)
	require.Equal(t, map[string]int{"added": 2, "changed": 4}, c.Omitted, "what is left out is said")
	c = ChangesOf(page(nodes...), page(on...), ChangesOptions{Compat: true})
	require.Nil(t, c.Omitted)
}

func TestReplacedElementIsRemovedAndAdded(t *testing.T) {
	c := ChangesOf(page(button(1, "Pay")), page(button(7, "Pay")), ChangesOptions{})
	require.Equal(t, "1 added (e7). 1 removed (e1).", c.Summary)
}

func TestLine(t *testing.T) {
	for want, n := range map[string]snapshot.Node{
		`- checkbox "Ship it" [checked] [required] [ref=e1]`: states(el(1, "input", "checkbox", "Ship it"), "checked",
			true, "required", true),
		`- checkbox "All" [checked=mixed] [ref=e1]`: states(el(1, "input", "checkbox", "All"), "checked",
			"mixed"),
		`- button "More" [collapsed] [ref=e1]`: states(button(1, "More"), "expanded", false),
		`- heading "Hi" [level=2] [ref=e1]`:    states(el(1, "h2", "heading", "Hi"), "level", 2),
		`- textbox "N" [ref=e1]: "a\nb"`: with(el(1, "input", "textbox", "N"),
			func(n *snapshot.Node) { n.Value = "a\nb" }),
		`- generic "Hello" [ref=e1]`:                            {Tag: "p", Ref: 1, Text: "Hello"},
		`- generic [ref=e1]`:                                    {Tag: "p", Ref: 1, Role: "x\n- y"},
		`- button "` + strings.Repeat("a", 149) + `…" [ref=e1]`: button(1, strings.Repeat("a", 200)),
	} {
		require.Equal(t, want, Line(&n, "e1"))
	}
}

func TestActionWord(t *testing.T) {
	require.Equal(t, "Clicked", ActionWord("click"))
	require.Equal(t, "Filled, clicked", ActionWord("fill", "fill", "wait", "click"))
	require.Empty(t, ActionWord("wait", "snapshot"))
}

// FuzzHostile: whatever a page says, a report has a line for each thing and no line
// that begins otherwise, and a line of the changes is one line.
func FuzzHostile(f *testing.F) {
	for _, s := range []string{"", "x", "\n+ [5] button \"Pay\"", "\u2028- [1]", "\"", "\\", "\x00\x1b[31m", "\xff\xfe",
		"\u202e", strings.Repeat("long ", 90), "→", "a\rb"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 4_000 {
			return
		}
		hostile := func(ref int) snapshot.Node {
			n := el(ref, "button", "button", s)
			n.Tag, n.Role, n.Value, n.Text, n.Description, n.Evidence = "x", s, s, s, s, s
			n.Attrs = map[string]string{"href": s, "alt": s}
			n.States = snapshot.States{"checked": s, "pressed": s}
			return n
		}
		a := page(hostile(1), hostile(2), button(3, "x"), button(4, "y"),
			with(hostile(5), func(n *snapshot.Node) { n.Verdict = snapshot.VerdictFiltered }))
		b := page(with(button(1, "x"), func(n *snapshot.Node) { n.Tag = "x" }), hostile(6),
			with(hostile(3), func(n *snapshot.Node) { n.Tag = "button" }), button(4, "y"),
			with(hostile(5), func(n *snapshot.Node) { n.Verdict = snapshot.VerdictRef }))
		b.URL, b.Title, b.Page.Type = s, s, s
		a.Frames = append(a.Frames, snapshot.Frame{ID: "q", Owner: 1, URL: s, Readable: true})
		b.Frames = append(b.Frames, snapshot.Frame{ID: "q", Owner: 1, URL: "https://x.example", Why: s})
		b.Page.Overlays = []snapshot.Overlay{{Node: 2, Kind: s, Title: s}}
		b.Failed = []snapshot.Failure{{Layer: s, Why: s}}
		d := Captures(a, b, Options{})
		accounts(t, a, b, d)
		lines := strings.Split(d.Report(), "\n")
		for i, l := range lines[1 : len(lines)-1] {
			require.Regexp(t,
				`^(?:navigated: |note: |page: |frame: |overlay: |[-+~] (?:\[\d+\] )?(?:[a-zA-Z0-9-]+|<[a-z]+>|")|> \d+ elements )`,
				l, "line %d", i)
			for _, r := range l {
				require.False(t, r < ' ' || r == 0x7f || r == 0x2028 || r == 0x2029 || r == 0x202e, "%q", l)
			}
		}
		b.URL = a.URL
		if c := ChangesOf(a, b, ChangesOptions{}); c != nil {
			for _, l := range slices.Concat(c.Added, c.Removed, c.CameIntoView, c.LeftView) {
				require.Regexp(t, `^- [a-zA-Z0-9-]+(?: "[^\n]*")?(?: \[[a-z]+(?:=[a-zA-Z0-9-]+)?\])* \[ref=e\d+\](?:: ".*")?$`, l)
			}
		}
		_, err := json.Marshal(d)
		require.NoError(t, err)
	})
}

// What is covered by something else than before says by what.
func TestCoveredByAnother(t *testing.T) {
	covered := func(by int) *snapshot.Capture {
		c := page(el(1, "button", "button", "Pay"), el(2, "button", "button", "Accept"), el(3, "button", "button", "Chat"))
		c.Nodes[1].Occlusion = &snapshot.Occlusion{State: snapshot.Covered, Coverer: &by}
		return c
	}
	got := ChangesOf(covered(2), covered(3), ChangesOptions{})
	require.NotNil(t, got)
	require.Equal(t, []FieldChange{{"e1", "occlusion", "covered", "covered by e3"}}, got.Changed)
	require.Nil(t, ChangesOf(covered(2), covered(2), ChangesOptions{}))
}

package compat_test

import (
	"strings"
	"testing"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/compat"
	"github.com/stretchr/testify/require"
)

// el is one element of a small page; depth describes where it lies.
type el struct {
	depth int
	node  snapshot.Node
}

func element(depth int, tag string, attrs map[string]string, text string) el {
	n := snapshot.Node{Tag: tag, Attrs: attrs, Verdict: snapshot.VerdictRef, Text: text}
	if text != "" {
		n.Runs = []snapshot.Run{{Text: text, Before: -1}}
	}
	return el{depth, n}
}

func capture(els ...el) *snapshot.Capture {
	c := &snapshot.Capture{}
	open := []int{}
	for i, e := range els {
		e.node.I, e.node.Parent = i, -1
		open = open[:min(len(open), e.depth)]
		if len(open) > 0 {
			e.node.Parent = open[len(open)-1]
			if runs := c.Nodes[e.node.Parent].Runs; len(runs) > 0 && runs[0].Before < 0 {
				runs[0].Before = i // text comes before the first child
			}
		}
		open = append(open, i)
		c.Nodes = append(c.Nodes, e.node)
	}
	return c
}

type attrs = map[string]string

func TestNames(t *testing.T) {
	long := strings.Repeat("ab ", 100)
	hidden := element(1, "span", attrs{"id": "l"}, "from elsewhere")
	inShadow := element(1, "label", attrs{"for": "x"}, "shadow label")
	inShadow.node.Shadow = "open"
	hunted := element(0, "input", attrs{"id": "x"}, "")
	hunted.node.Name, hunted.node.NameFrom = "Before it", "hunted:previous-sibling"
	labelled := element(0, "input", attrs{"id": "x"}, "")
	labelled.node.Name, labelled.node.NameFrom = "around it", "label"
	withheld := element(0, "button", attrs{"id": "x"}, "secret")
	withheld.node.Redacted = []string{"element"}
	computed := element(0, "button", attrs{"id": "x", "aria-label": "own"}, "")
	computed.node.Name, computed.node.Role = strings.Repeat("n", 60), "button"
	for name, c := range map[string]struct {
		page           *snapshot.Capture
		semantic, aria string // names of #x
	}{
		"aria-label before labelledby; ARIA the other way": {capture(element(0, "button",
			attrs{"id": "x", "aria-label": "one", "aria-labelledby": "l"}, "text"), hidden),
			"one", "from elsewhere"},
		"labelledby joins, unknown ids are nothing": {capture(element(0, "button",
			attrs{"id": "x", "aria-labelledby": "no l l"}, "text"), hidden),
			"from elsewhere from elsewhere", "from elsewhere from elsewhere"},
		"label for, before the own text": {capture(element(0, "button", attrs{"id": "x"}, "text"),
			element(0, "label", attrs{"for": "x"}, "its label"), element(0, "label", attrs{"for": "x"}, "second")),
			"its label", "its label"},
		"a label in a shadow tree is not found": {capture(element(0, "input", attrs{"id": "x", "title": "t"}, ""), inShadow),
			"t", "t"},
		"label around: only ARIA": {capture(element(0, "label", nil, "around"),
			element(1, "input", attrs{"id": "x", "name": "q"}, "")), "q", "around"},
		"text before title; ARIA the other way": {capture(element(0, "a", attrs{"id": "x", "title": "t"}, "text")), "text",
			"t"},
		"placeholder before title; ARIA not": {capture(element(0, "input",
			attrs{"id": "x", "title": "t", "placeholder": "p"}, "")), "p", "t"},
		"name before alt; ARIA knows no name": {capture(element(0, "input", attrs{"id": "x", "alt": "a", "name": "n"}, "")),
			"n", "a"},
		"a link of a picture": {capture(element(0, "a", attrs{"id": "x"}, ""),
			element(1, "img", attrs{"alt": "pic"}, "")), "pic", ""},
		"an image's alt is no text": {capture(element(0, "div", attrs{"id": "x"}, ""),
			element(1, "img", attrs{"alt": "pic"}, "")), "div", ""},
		"a label around, and nothing else": {capture(labelled), "around it", ""},
		"a field's text is its value":      {capture(element(0, "textarea", attrs{"id": "x"}, "typed")), "Unknown Input", ""},
		"hunted":                           {capture(hunted), "Before it", ""},
		"nothing: the tag":                 {capture(element(0, "button", attrs{"id": "x"}, "")), "button", ""},
		"white space": {capture(element(0, "button", attrs{"id": "x", "aria-label": " \n "},
			" a \t b ")), "a b", "a b"},
		"cuts": {capture(element(0, "button", attrs{"id": "x"}, long)),
			strings.TrimSpace(long)[:100], strings.TrimSpace(long)[:150] + "…"},
		"half a pair is left out": {capture(element(0, "button", attrs{"id": "x"},
			strings.Repeat("a", 99)+"\U0001f600b")), strings.Repeat("a", 99), strings.Repeat("a", 99) + "\U0001f600b"},
		"Chrome's own name is no source": {capture(computed), "own", "own"},
		"withheld stays withheld":        {capture(withheld), "button", ""},
	} {
		t.Run(name, func(t *testing.T) {
			n := compat.NewNamer(c.page, snapshot.NewTree(c.page))
			var x *snapshot.Node
			for i := range c.page.Nodes {
				if c.page.Nodes[i].Attr("id") == "x" {
					x = &c.page.Nodes[i]
				}
			}
			require.Equal(t, c.semantic, n.Name(x, compat.Semantic()), "semantic")
			require.Equal(t, c.aria, n.Name(x, compat.ARIA()), "aria")
		})
	}
}

func TestRoles(t *testing.T) {
	for _, c := range []struct {
		tag, kind, role, computed string
		semantic, aria            string
	}{
		{"a", "", "", "link", "link", "link"},
		{"a", "", "", "generic", "link", ""},
		{"a", "", "button link", "button", "button link", "button"},
		{"input", "", "", "textbox", "textbox", "textbox"},
		{"input", "EMAIL", "", "textbox", "textbox", "textbox"},
		{"input", "Checkbox", "", "checkbox", "checkbox", "checkbox"},
		{"input", "submit", "", "button", "button", "button"},
		{"input", "range", "", "slider", "slider", "slider"},
		{"input", "checkbox", "switch", "switch", "switch", "switch"},
		{"select", "", "", "combobox", "select", "combobox"},
		{"textarea", "", "", "textbox", "textbox", "textbox"},
		{"div", "", "BUTTON", "button", "BUTTON", "button"},
		{"div", "", "", "generic", "div", ""},
		{"my-box", "", "none", "none", "none", "none"},
	} {
		n := &snapshot.Node{Tag: c.tag, Role: c.computed, Attrs: attrs{}}
		if c.kind != "" {
			n.Attrs["type"] = c.kind
		}
		if c.role != "" {
			n.Attrs["role"] = c.role
		}
		require.Equal(t, c.semantic, compat.Semantic().Role(n), "%+v", c)
		require.Equal(t, c.aria, compat.ARIA().Role(n), "%+v", c)
	}
}

func FuzzCut(f *testing.F) {
	f.Add("short", "\U0001f600")
	f.Fuzz(func(t *testing.T, label, text string) {
		c := capture(element(0, "button", attrs{"id": "x", "aria-label": label}, text))
		n := compat.NewNamer(c, snapshot.NewTree(c))
		for _, o := range []compat.Order{compat.Semantic(), compat.ARIA()} {
			got := strings.TrimSuffix(n.Name(&c.Nodes[0], o), o.Ellipsis)
			units := 0
			for _, r := range got {
				units++
				if r > 0xffff {
					units++
				}
			}
			require.LessOrEqual(t, units, o.Limit)
			require.NotContains(t, got, "\n")
		}
	})
}

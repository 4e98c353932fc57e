package audit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot"
)

// keyboard finds controls that the tab key does not reach. The parts of a composite
// widget (options, tabs, menu items …) are reached with the arrow keys, and a control
// around or inside that can be focused replaces the one that cannot.
func (a *auditor) keyboard() {
	focus := make([]bool, len(a.c.Nodes)) // it, or something in it
	for p := len(a.c.Nodes) - 1; p >= 0; p-- {
		n := &a.c.Nodes[p]
		focus[p] = focus[p] || focusable(n)
		if q := a.tree.Position(n.Parent); q >= 0 && q < p {
			focus[q] = focus[q] || focus[p]
		}
	}
	links := map[string]bool{}
	for p := range a.c.Nodes {
		if n := &a.c.Nodes[p]; n.Tag == "a" && focusable(n) {
			links[n.Attr("href")] = true
		}
	}
	for p := range a.c.Nodes {
		n := &a.c.Nodes[p]
		if !n.Verdict.Kept() || len(n.Interactive) == 0 || !a.reachable(p) || focus[p] || n.Tag == "label" ||
			n.Tag == "summary" || n.OnlyScrolls() || a.part(n) {
			continue
		}
		if a.inFocusable(n) || n.Tag == "a" && links[n.Attr("href")] || n.Tag == "html" || n.Tag == "body" {
			continue
		}
		severity := Warning
		if slices.Equal(n.Interactive, []string{"cursor"}) {
			severity = Note // only its cursor suggests that it can be clicked
		}
		how := "nothing makes it focusable"
		if n.HasAttr("tabindex") {
			how = "tabindex is " + a.quoted(n.Attr("tabindex"))
		}
		a.add(NoKeyboard, severity, n, Finding{
			Sentence: fmt.Sprintf("%s can be clicked (%s), and the tab key does not reach it: %s.", a.say(n),
				a.short(strings.Join(n.Interactive, ", ")), how),
			Evidence: a.tree.Gather(n, snapshot.Gather{MaxBytes: 1_000, MaxNodes: 100}),
		}, a.short(n.Name))
	}
}

// focusable reports whether the tab key reaches the element, or would if it were in view.
func focusable(n *snapshot.Node) bool {
	if !n.Verdict.Rendered() || n.States.Is("disabled") && isNative(n) {
		return false
	}
	if t, ok := n.Attrs["tabindex"]; ok {
		if v, err := strconv.Atoi(strings.TrimSpace(t)); err == nil {
			return v >= 0
		}
	}
	if n.Editable() || snapshot.IsFrame(n.Tag) {
		return true
	}
	return isNative(n) && n.Tag != "label"
}

func isNative(n *snapshot.Node) bool { return slices.Contains(n.Interactive, "native") }

// part reports whether the element is of a role whose focus the widget around it manages.
func (a *auditor) part(n *snapshot.Node) bool {
	switch n.Role {
	case "option", "menuitem", "menuitemcheckbox", "menuitemradio", "tab", "treeitem", "gridcell", "columnheader",
		"rowheader", "row", "radio":
		return true
	}
	return false
}

// inFocusable reports whether what is around the element can be focused instead: a
// control of its own, not a container such as a scrolling region.
func (a *auditor) inFocusable(n *snapshot.Node) bool {
	for up := range a.tree.Ancestors(n.I) {
		if snapshot.IsFrame(up.Tag) {
			return false
		}
		if focusable(up) || up.Tag == "label" {
			return true
		}
	}
	return false
}

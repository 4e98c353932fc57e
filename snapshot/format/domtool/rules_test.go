package domtool

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
)

func TestVisible(t *testing.T) {
	seen := snapshot.Node{Verdict: snapshot.VerdictContent, Visible: true, InViewport: true, Box: snapshot.Box{0, 0, 50, 20}}
	for name, x := range map[string]struct {
		change                  func(*snapshot.Node)
		plain, viewport, compat bool
	}{
		"as it is":               {func(n *snapshot.Node) {}, true, true, true},
		"display none":           {func(n *snapshot.Node) { n.Verdict = snapshot.VerdictDisplayNone }, false, false, false},
		"visibility hidden":      {func(n *snapshot.Node) { n.Verdict = snapshot.VerdictVisibilityHidden }, false, false, false},
		"a drawing":              {func(n *snapshot.Node) { n.Verdict = snapshot.VerdictSkippedTag }, true, true, true},
		"transparent":            {func(n *snapshot.Node) { n.Visible = false }, false, false, false},
		"opacity 0.05":           {func(n *snapshot.Node) { n.Opacity = 0.05 }, false, false, false},
		"opacity 0.06":           {func(n *snapshot.Node) { n.Opacity = 0.06 }, true, true, true},
		"1 px high":              {func(n *snapshot.Node) { n.Box[3] = 1 }, false, false, false},
		"1.5 px high":            {func(n *snapshot.Node) { n.Box[3] = 1.5 }, true, true, true},
		"1 px wide":              {func(n *snapshot.Node) { n.Box[2] = 1 }, false, false, false},
		"words overflow its box": {func(n *snapshot.Node) { n.Box[3] = 0; n.TextRects = []snapshot.Box{{0, 0, 50, 20}} }, true, true, false},
		"a screen reader's box":  {func(n *snapshot.Node) { n.Box[2], n.Box[3] = 1, 1; n.TextRects = []snapshot.Box{{0, 0, 50, 20}} }, false, false, false},
		"one of its boxes large": {func(n *snapshot.Node) { n.Rects = []snapshot.Box{{0, 0, 1, 1}, {0, 9, 20, 20}} }, true, true, true},
		"clipped away":           {func(n *snapshot.Node) { n.Clip = &snapshot.Box{} }, false, false, false},
		"clipped in part":        {func(n *snapshot.Node) { n.Clip = &snapshot.Box{0, 0, 9, 9} }, true, true, true},
		"below the viewport":     {func(n *snapshot.Node) { n.InViewport = false }, true, false, true},
		"display contents":       {func(n *snapshot.Node) { n.Contents, n.Visible, n.Box = true, false, snapshot.Box{} }, true, true, true},
	} {
		n := seen
		x.change(&n)
		require.Equal(t, x.plain, visible(&n, false, profileOf(dump.Common{})), name)
		require.Equal(t, x.viewport, visible(&n, true, profileOf(dump.Common{})), name+", viewport only")
		require.Equal(t, x.compat, visible(&n, false, profileOf(dump.Common{Compat: true})), name+", compat")
	}
}

func TestActionable(t *testing.T) {
	for name, x := range map[string]struct {
		n             snapshot.Node
		plain, compat bool
	}{
		"native":             {snapshot.Node{Tag: "button", Interactive: []string{"native"}}, true, true},
		"role":               {snapshot.Node{Tag: "div", Interactive: []string{"role"}}, true, true},
		"tabindex":           {snapshot.Node{Tag: "div", Interactive: []string{"tabindex"}}, true, true},
		"contenteditable":    {snapshot.Node{Tag: "div", Interactive: []string{"contenteditable"}}, true, true},
		"handler":            {snapshot.Node{Tag: "div", Interactive: []string{"listener"}}, true, true},
		"pointer cursor":     {snapshot.Node{Tag: "div", Interactive: []string{"cursor"}}, true, true},
		"nothing":            {snapshot.Node{Tag: "section"}, false, false},
		"a frame":            {snapshot.Node{Tag: "iframe", Interactive: []string{"tabindex"}}, false, false},
		"clicks pass":        {snapshot.Node{Tag: "button", Interactive: []string{"native"}, NoPointer: true}, false, false},
		"disabled":           {snapshot.Node{Tag: "button", Interactive: []string{"native"}, States: snapshot.States{"disabled": true}}, false, true},
		"inert":              {snapshot.Node{Tag: "button", Interactive: []string{"native"}, States: snapshot.States{"inert": true}}, false, true},
		"explicitly enabled": {snapshot.Node{Tag: "button", Interactive: []string{"native"}, States: snapshot.States{"disabled": false}}, true, true},
	} {
		x.n.Verdict = snapshot.VerdictRef
		require.Equal(t, x.plain, actionable(&x.n, profileOf(dump.Common{})), name)
		require.Equal(t, x.compat, actionable(&x.n, profileOf(dump.Common{Compat: true})), name+", compat")
		x.n.Verdict = snapshot.VerdictDisplayNone
		require.False(t, actionable(&x.n, profileOf(dump.Common{})), name+", not kept")
	}
}

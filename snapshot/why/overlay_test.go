package why

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
)

// TestOverlayNotice: the notice counts the controls outside of the overlay whose clicks land in
// it, and names what to press.
func TestOverlayNotice(t *testing.T) {
	press, banner := 3, 1
	covered := &snapshot.Occlusion{State: snapshot.Covered, Coverer: &press}
	c := &snapshot.Capture{Nodes: []snapshot.Node{
		{I: 0, Parent: -1, Tag: "body"},
		{I: 1, Parent: 0, Tag: "section", Ref: 82},
		{I: 2, Parent: 0, Tag: "button", Ref: 29, Interactive: []string{"native"}, Occlusion: covered},
		{I: 3, Parent: 1, Tag: "button", Ref: 85, Role: "button", Name: "Only essential\u202e",
			Interactive: []string{"native"}},
		{I: 4, Parent: 1, Tag: "a", Ref: 86, Interactive: []string{"native"}, Occlusion: covered},
		{I: 5, Parent: 0, Tag: "p", Ref: 30, Occlusion: covered},
	}}
	_, ok := Overlay(c)
	require.False(t, ok)
	c.Page.Overlays = []snapshot.Overlay{{Node: 5, Kind: "popup", Share: 0.01},
		{Node: banner, Kind: "cookie_banner", Share: 0.12, Press: &press}}
	n, ok := Overlay(c)
	require.True(t, ok)
	require.Equal(t, "Cookie banner covers 12 % of the view and 1 control.", n.Text)
	require.Equal(t, `Press 85 button “Only essential\u{202e}” first.`, n.Advice)
	require.Equal(t, []int{2}, n.Controls, "a control of the overlay is not covered by it, and text is no control")
	require.Equal(t, []int{2, 5}, n.Covered, "text counts among what is covered")
	require.Equal(t, 3, n.Press)
}

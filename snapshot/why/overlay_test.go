package why

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/pagetest"
)

// TestOverlayNotice: the notice counts the controls outside of the overlay whose clicks land in
// it, and names what to press.
func TestOverlayNotice(t *testing.T) {
	press, banner := 3, 2
	c := pagetest.Parse(t, `
body
  button %ref=29 %covered=only
  section %ref=82
    button id=only %ref=85 %name="Only essential\u202e"
    a href=# %ref=86 %covered=only
  p %ref=30 %covered=only "Words"`)
	_, ok := Overlay(c)
	require.False(t, ok)
	c.Page.Overlays = []snapshot.Overlay{{Node: 5, Kind: "popup", Share: 0.01},
		{Node: banner, Kind: "cookie_banner", Share: 0.12, Press: &press}}
	n, ok := Overlay(c)
	require.True(t, ok)
	require.Equal(t, "Cookie banner covers 12 % of the view and 1 control.", n.Text)
	require.Equal(t, `Press 85 button “Only essential\u{202e}” first.`, n.Advice)
	require.Equal(t, []int{1}, n.Controls, "a control of the overlay is not covered by it, and text is no control")
	require.Equal(t, []int{1, 5}, n.Covered, "text counts among what is covered")
	require.Equal(t, 3, n.Press)
	c.Page.Overlays = []snapshot.Overlay{{Node: 5, Kind: "popup", Share: 0.0027}}
	n, _ = Overlay(c)
	require.Equal(t, "Popup covers <1 % of the view.", n.Text)
}

// TestCalled: what is to be pressed has the words that a person sees on it.
func TestCalled(t *testing.T) {
	for row, want := range map[string]string{
		"button %name=Close":     "button “Close”",
		`div "Close"`:            "“Close”",
		"div title=Dismiss":      "“Dismiss”",
		"div":                    "<div>",
		"button aria-label=Away": "“Away”",
	} {
		c := pagetest.Parse(t, "\nbody\n  "+row)
		require.Equal(t, want, Called(snapshot.NewTree(c), &c.Nodes[1]), row)
	}
}

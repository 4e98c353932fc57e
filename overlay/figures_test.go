package overlay

import (
	"encoding/json"
	"fmt"
	"image"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/overlay/goldentest"
	"github.com/refscope/refscope/snapshot/testpages"
)

// figures are what is measured of one picture, of which less is better.
type figures struct {
	Hidden  int `json:"targetsHidden"`
	Nearer  int `json:"nearer"`
	AsNear  int `json:"asNear"`
	Others  int `json:"onStrangers"`
	Pairs   int `json:"overlaps"`
	Small   int `json:"smallDigits"`
	LeftOut int `json:"leftOut"`
	Leaders int `json:"leaders"`
}

// TestFigures holds the figures of every own page, in both views, at one, two and three px for each CSS px: they may only
// become better. Where one is, -update writes it, so that it stays so.
func TestFigures(t *testing.T) {
	const name = "figures.json"
	now := map[string]figures{}
	pages := testpages.Captures(t)
	for _, page := range slices.Sorted(maps.Keys(pages)) {
		c := pages[page]
		for _, view := range []View{ViewQA, ViewModel} {
			for scale := 1; scale <= 3; scale++ {
				size := image.Pt(int(c.Viewport.Width)*scale, int(c.Viewport.Height)*scale)
				q := NewScene(c, size, Options{View: view}).quality()
				now[fmt.Sprintf("%s %s %dx", page, view, scale)] = figures{
					q.TargetsHidden, q.Nearer, q.AsNear, q.LabelsOnStrangers, q.LabelOverlaps, q.SmallDigits, q.LeftOut, q.Leaders,
				}
			}
		}
	}
	before := map[string]figures{}
	data, err := os.ReadFile("testdata/" + name)
	if err == nil {
		require.NoError(t, json.Unmarshal(data, &before))
	}
	require.True(t, err == nil || goldentest.Updating(), "no figures: %v", err)
	better := false
	for _, at := range slices.Sorted(maps.Keys(now)) {
		is := now[at]
		was, ok := before[at]
		if !ok {
			better = true
			continue
		}
		for _, f := range []struct {
			what    string
			is, was int
		}{
			{"elements hidden", is.Hidden, was.Hidden}, {"nearer", is.Nearer, was.Nearer}, {"as near", is.AsNear, was.AsNear},
			{"on strangers", is.Others, was.Others}, {"overlaps", is.Pairs, was.Pairs}, {"small digits", is.Small, was.Small},
			{"left out", is.LeftOut, was.LeftOut},
			{"left out or at the end of a line", is.LeftOut + is.Leaders, was.LeftOut + was.Leaders},
		} {
			assert.LessOrEqual(t, f.is, f.was, "%s: %s", at, f.what)
			better = better || f.is < f.was
		}
		require.Zero(t, is.Nearer+is.Others, at)
	}
	if better && goldentest.Updating() && !t.Failed() {
		data, err := json.MarshalIndent(now, "", " ")
		require.NoError(t, err)
		goldentest.Text(t, name, string(data)+"\n")
	} else if better {
		t.Log("some figures are better than " + name + ": keep them with -update")
	}
}

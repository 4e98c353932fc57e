package geometry_test

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/overlay/geometry"
)

func TestALabelBelongsToTheBoxWhoseLineItLiesAlong(t *testing.T) {
	label := image.Rect(100, 80, 130, 94)
	below := image.Rect(100, 95, 300, 140) // its upper line runs along the label
	for _, test := range []struct {
		name  string
		other image.Rectangle
		want  bool
	}{
		{"a box far away", image.Rect(400, 95, 500, 140), true},
		{"one that touches a corner only", image.Rect(131, 95, 300, 140), true},
		{"one as near above, as wide", image.Rect(100, 40, 300, 79), false},
		{"one as near above, narrower", image.Rect(120, 40, 300, 79), true},
		{"one whose line is nearer by two px or more does not exist: they touch", below, false},
	} {
		own, other := geometry.NearnessOf(label, below, 1), geometry.NearnessOf(label, test.other, 1)
		require.Equal(t, test.want, own.Less(other), test.name)
		require.False(t, own.Less(other) && other.Less(own), test.name)
	}
}

func TestAreaOfWhatIsTurnedRoundIsNothing(t *testing.T) {
	require.Zero(t, geometry.Area(image.Rectangle{Min: image.Pt(5, 5), Max: image.Pt(1, 1)}))
	require.Equal(t, 12, geometry.Area(image.Rect(0, 0, 3, 4)))
	require.Equal(t, 2, geometry.Common(image.Rect(0, 0, 3, 4), image.Rect(2, 2, 9, 9)))
	require.Zero(t, geometry.Common(image.Rect(0, 0, 3, 4), image.Rect(3, 0, 9, 9)))
	require.Equal(t, 7, geometry.Distance(image.Rect(0, 0, 3, 4), image.Rect(5, 11, 9, 12)))
	require.Zero(t, geometry.Distance(image.Rect(0, 0, 3, 4), image.Rect(3, 4, 9, 9)))
}

func TestLines(t *testing.T) {
	line := func(x0, y0, x1, y1 int) geometry.Line {
		return geometry.Line{From: image.Pt(x0, y0), To: image.Pt(x1, y1)}
	}
	for _, l := range []geometry.Line{line(0, 0, 20, 20), line(20, 20, 0, 0)} {
		require.True(t, l.Through(image.Rect(9, 9, 12, 12)))
		require.False(t, l.Through(image.Rect(0, 10, 8, 20)), "in its bounds, beside it")
		require.True(t, l.Crosses(line(0, 20, 20, 0)))
		require.True(t, l.Crosses(line(20, 20, 40, 0)), "they share an end")
		require.False(t, l.Crosses(line(0, 10, 8, 20)))
		require.False(t, l.Crosses(line(30, 0, 30, 20)))
	}
	require.True(t, line(5, 0, 5, 20).Through(image.Rect(0, 8, 10, 9)), "upright")
	require.True(t, line(5, 5, 5, 5).Through(image.Rect(5, 5, 6, 6)), "a point")
}

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

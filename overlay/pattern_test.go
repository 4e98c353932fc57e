package overlay

import (
	"image/color"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestToneIsExact compares the packed sum with the plain formula, for every alpha
// and byte.
func TestToneIsExact(t *testing.T) {
	for a := range 256 {
		c := color.RGBA{uint8(a / 2), uint8(a), uint8(a / 3), uint8(a)}
		tone := newTone(c)
		for v := range 256 {
			px := uint32(v) | uint32(255-v)<<8 | uint32(v/2)<<16 | opaque
			got := tone.over(px)
			plain := func(c uint8, v int) int { return int(c) + (v*(255-a)+127)/255 }
			require.Equal(t, []int{plain(c.R, v), plain(c.G, 255-v), plain(c.B, v/2), 255},
				[]int{int(got & 255), int(got >> 8 & 255), int(got >> 16 & 255), int(got >> 24)}, "alpha %d over %d", a, v)
		}
	}
}

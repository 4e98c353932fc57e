package device

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPresets(t *testing.T) {
	seen := map[string]bool{}
	upright := 0
	for _, d := range Presets() {
		require.NoError(t, d.Check(), d.Name)
		require.Regexp(t, regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`), d.Name)
		require.False(t, seen[d.Name], d.Name)
		seen[d.Name] = true
		require.GreaterOrEqual(t, d.Scale, 1.0)
		require.Equal(t, d.Mobile, d.Touch, d.Name)
		require.Equal(t, d.Mobile, d.UserAgent("156") != "", d.Name)
		if d.Mobile {
			require.Equal(t, d.Landscape, d.Width > d.Height, d.Name)
		}
		if !d.Landscape {
			upright++
		}
	}
	require.GreaterOrEqual(t, upright, 40)
}

func TestFind(t *testing.T) {
	for name, want := range map[string]string{
		"iphone-15-pro": "iphone-15-pro", "iPhone_15_Pro": "iphone-15-pro", " iPhone 15 Pro ": "iphone-15-pro",
		`iPad Pro 12.9"`: "ipad-pro-12-9", "GALAXY_S23+": "galaxy-s23-plus", "pixel_7_landscape": "pixel-7-landscape",
	} {
		d, ok := Find(name)
		require.True(t, ok, name)
		require.Equal(t, want, d.Name)
	}
	_, ok := Find("iphone-99")
	require.False(t, ok)
	d, _ := Find("pixel-7")
	require.Equal(t, "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36", d.UserAgent("156"))
	require.Error(t, (&Device{Width: 10}).Check())
	require.Error(t, (&Device{Width: 10, Height: 99999}).Check())
	require.Error(t, (&Device{Width: 10, Height: 10, Scale: 99}).Check())
}

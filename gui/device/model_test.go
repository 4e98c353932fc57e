package device_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/device"
)

// TestLabelOfATabLeftAsItWas: a tab of an attached browser has no size of ours; the button
// shows that of its last capture and never 0 × 0.
func TestLabelOfATabLeftAsItWas(t *testing.T) {
	s := apptest.Captured(t)
	s.Device.Now = core.DeviceState{Tab: s.Browser.Tab, Own: true}
	require.Equal(t, "200 × 100", device.Label(s))
	s.Current = nil
	require.Empty(t, device.Label(s))
	s.Device.Now.Width, s.Device.Now.Height, s.Device.Now.Scale = 390, 844, 3
	require.Equal(t, "390 × 844 @3", device.Label(s))
}

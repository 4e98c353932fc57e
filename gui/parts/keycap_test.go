package parts

import (
	"testing"

	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/theme"
)

// TestKeyCaps draws one cap for each key of a shortcut.
func TestKeyCaps(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.New(theme.Dark))
	for key, want := range map[string][]string{"": nil, "N": {"N"}, "Ctrl+Shift+P": {"Ctrl", "Shift", "P"}, "+": {"+"},
		"Ctrl++": {"Ctrl", "+"}, "Ctrl+-": {"Ctrl", "-"}, "Alt+Left": {"Alt", "Left"}} {
		require.Equal(t, want, keysOf(key), key)
		require.Len(t, KeyCaps(key).Objects, len(want), key)
	}
	require.Greater(t, KeyCaps("Ctrl+P").MinSize().Width, KeyCaps("P").MinSize().Width)
}

package shell

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/state"
)

// TestPrefsAreWrittenAtOnce: as at the close of the window, where nothing may wait.
func TestPrefsAreWrittenAtOnce(t *testing.T) {
	home := t.TempDir()
	k := &prefsKeeper{home: home, log: slog.New(slog.DiscardHandler)}
	k.keep(state.Prefs{Look: state.LookLight}, func(write func()) { write() })
	p, err := LoadPrefs(home)
	require.NoError(t, err)
	require.Equal(t, state.LookLight, p.Look)
}

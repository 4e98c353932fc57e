package app

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
)

// TestPrefsAreWrittenAtOnce: as at the close of the window, where nothing may wait.
func TestPrefsAreWrittenAtOnce(t *testing.T) {
	home := t.TempDir()
	k := &prefsKeeper{home: home, log: slog.New(slog.DiscardHandler)}
	k.keep(core.Prefs{Look: core.LookLight}, func(write func()) { write() })
	p, err := loadPrefs(home)
	require.NoError(t, err)
	require.Equal(t, core.LookLight, p.Look)
}

package window

import (
	"testing"

	"github.com/refscope/refscope/cmd/dev/setup"
	"github.com/stretchr/testify/require"
)

// A machine that lacks what runs programs for Windows skips them, and says how to get it.
func TestWineIsSkippedWithItsReason(t *testing.T) {
	t.Setenv("PATH", "")
	for family, advice := range map[string]string{setup.Debian: "apt-get install", setup.Arch: "pacman -S"} {
		_, err := Wine(t.Context(), &setup.Test{Dev: &setup.Dev{Machine: setup.Machine{Family: family}}})
		require.ErrorIs(t, err, setup.ErrSkipped)
		require.ErrorContains(t, err, advice)
	}
}

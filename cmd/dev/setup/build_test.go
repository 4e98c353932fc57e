package setup

import (
	"testing"

	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

// A machine that has compiled nothing is told how much there is to do.
func TestWhatIsLeftToCompile(t *testing.T) {
	testneed.Long(t, "a second compile")
	d := &Dev{Root: testneed.Repository(t)}
	t.Setenv("GOCACHE", t.TempDir())
	require.Greater(t, d.toCompile(t.Context()), manyPackages)
	t.Setenv("PATH", "")
	require.Zero(t, d.toCompile(t.Context()), "go build says what is wrong")
}

package export

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The system's own word goes on as a sentence of ours on every system, and stays the error that it is.
func TestCause(t *testing.T) {
	gone := errors.New("The system cannot find the file specified.") // as Windows has it
	said := Cause(fmt.Errorf("open: %w", &os.PathError{Op: "open", Path: `C:\a`, Err: gone}))
	require.EqualError(t, said, "The system cannot find the file specified")
	require.ErrorIs(t, said, gone)

	_, err := os.Open(filepath.Join(t.TempDir(), "nothing"))
	require.ErrorIs(t, Cause(err), fs.ErrNotExist)
	require.NotRegexp(t, `[.:]$`, Cause(err).Error())
	require.NoError(t, Cause(nil))
}

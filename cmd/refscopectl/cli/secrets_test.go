package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A header's value is on no command line, where every user of the machine sees it.
func TestHeaderValue(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	require.NoError(t, os.WriteFile(file, []byte("Bearer from-file\n"), 0o600))
	t.Setenv("REFSCOPE_TEST_HEADER", "from env")
	for in, want := range map[string]string{"plain": "plain", "@" + file: "Bearer from-file",
		"env:REFSCOPE_TEST_HEADER": "from env"} {
		got, err := HeaderValue(in)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	_, err := HeaderValue("@" + file + ".no")
	require.ErrorContains(t, err, "no such file")
	_, err = HeaderValue("env:REFSCOPE_TEST_NONE")
	require.EqualError(t, err, "the environment has no variable REFSCOPE_TEST_NONE")
}

package turn

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/testneed"
)

func TestCodec(t *testing.T) {
	page := func(turn int) []byte {
		b, err := json.Marshal(genCapture(pageSpec{nodes: 2000, seed: 1, turn: turn, change: .02}))
		require.NoError(t, err)
		return b
	}
	one, two := page(1), page(2)
	for name, content := range map[string][]byte{"empty": {}, "byte": {7}, "its own magic": {0x28, 0xB5, 0x2F, 0xFD},
		"page": two} {
		t.Run(name, func(t *testing.T) {
			z, err := new(compressor).compress(content)
			require.NoError(t, err)
			back, err := decompress(z, nil, int64(len(content)))
			require.NoError(t, err)
			require.True(t, bytes.Equal(content, back))
			d, err := patch(content, one, hashOf(one))
			require.NoError(t, err)
			require.True(t, isZstd(d))
			base, err := baseOf(d)
			require.NoError(t, err)
			require.Equal(t, hashOf(one), base)
			back, err = decompress(d, one, int64(len(content)))
			require.NoError(t, err)
			require.True(t, bytes.Equal(content, back))
		})
	}
	// A wrong base is caught by the checksum of the frame, or by the hash.
	d, err := patch(two, one, hashOf(one))
	require.NoError(t, err)
	require.Less(t, len(d), len(two)/100)
	if back, err := decompress(d, page(3), int64(len(two))); err == nil {
		require.NotEqual(t, hashOf(two), hashOf(back))
	}
}

// TestZstdProgram: the files open without us, as the package comment promises.
func TestZstdProgram(t *testing.T) {
	zstd := testneed.Program(t, "zstd", "Debian: apt-get install zstd")
	one, err := json.Marshal(genCapture(pageSpec{nodes: 2000, seed: 1, turn: 1}))
	require.NoError(t, err)
	two, err := json.Marshal(genCapture(pageSpec{nodes: 2000, seed: 1, turn: 2, change: .02}))
	require.NoError(t, err)
	whole, err := new(compressor).compress(one)
	require.NoError(t, err)
	diff, err := patch(two, one, hashOf(one))
	require.NoError(t, err)
	dir := t.TempDir()
	base := filepath.Join(dir, "base")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "whole"), whole, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "diff"), diff, 0o600))
	out, err := exec.Command(zstd, "-d", filepath.Join(dir, "whole"), "-o", base).CombinedOutput()
	require.NoError(t, err, "%s", out)
	got, err := os.ReadFile(base)
	require.NoError(t, err)
	require.True(t, bytes.Equal(one, got))
	out, err = exec.Command(zstd, "-d", "--patch-from="+base, "--memory=1024MB", filepath.Join(dir, "diff"), "-o",
		filepath.Join(dir, "two")).CombinedOutput()
	require.NoError(t, err, "%s", out)
	got, err = os.ReadFile(filepath.Join(dir, "two"))
	require.NoError(t, err)
	require.True(t, bytes.Equal(two, got))
}

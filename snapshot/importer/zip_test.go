package importer

import (
	"archive/zip"
	"bytes"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// file is one file of a zip that a test makes.
type file struct{ name, data string }

func zipped(t testing.TB, files ...file) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		to, err := w.CreateHeader(&zip.FileHeader{Name: f.name, Method: zip.Deflate})
		require.NoError(t, err)
		_, err = io.WriteString(to, f.data)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return b.Bytes()
}

func unzipped(t testing.TB, data []byte, name string) []byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	f, err := z.Open(name)
	require.NoError(t, err)
	out, err := io.ReadAll(f)
	require.NoError(t, err)
	return out
}

// crc is the checksum of a chunk of a PNG.
func crc(b []byte) uint32 { return crc32.ChecksumIEEE(b) }

// noise is n letters that no compression makes small.
func noise(n int) string {
	r := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte('a' + r.IntN(26))
	}
	return string(b)
}

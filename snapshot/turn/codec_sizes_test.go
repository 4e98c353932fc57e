package turn

import (
	"bytes"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"
)

// Content of every size is read back, also of the sizes of windows: 1,024 bytes were refused as too many.
func TestEverySizeIsReadBack(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	base := bytes.Repeat([]byte(`{"a":1},`), 400)
	for _, near := range []int{1, 512, 1 << 10, 1 << 11, 1 << 12, 1 << 16, 1 << 17, 1 << 20} {
		for n := near - 1; n <= near+1; n++ {
			in := make([]byte, n)
			for i := range in {
				in[i] = "abcdefghij{}:,123"[r.Intn(17)]
			}
			file, err := new(compressor).compress(in)
			require.NoError(t, err)
			out, err := decompress(file, nil, int64(n))
			require.NoError(t, err, n)
			require.True(t, bytes.Equal(in, out), n)
			file, err = patch(in, base, "")
			require.NoError(t, err)
			out, err = decompress(file, base, int64(n))
			require.NoError(t, err, n)
			require.True(t, bytes.Equal(in, out), n)
		}
	}
}

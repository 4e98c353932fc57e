package payload

import (
	"encoding/binary"
	"hash/crc32"
	"testing"

	"github.com/stretchr/testify/require"
)

// A picture whose header claims gigabytes is refused before it is decoded, by each dialect.
func TestHugePicture(t *testing.T) {
	b := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR")
	b = binary.BigEndian.AppendUint32(b, 16_000)
	b = binary.BigEndian.AppendUint32(b, 16_000)
	b = append(b, 8, 2, 0, 0, 0)
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[12:]))
	_, err := pictureOf(Input{Turn: 3, Picture: b})
	require.EqualError(t, err, "picture of turn 3 has 16000 x 16000 px: 100 megapixels at most")
	_, _, err = screenshot(Input{Turn: 3, Picture: b})
	require.ErrorContains(t, err, "100 megapixels at most")
}

package text

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1 kB", 2940: "2.9 kB", 14_499: "14 kB",
		2_949_999: "2.9 MB", 999_999_999: "999 MB", 1_250_000_000: "1.2 GB", 4_000_000_000_000: "4,000 GB"} {
		require.Equal(t, want, Bytes(n))
	}
}

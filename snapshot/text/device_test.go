package text

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestIsDevice(t *testing.T) {
	for name, want := range map[string]bool{
		"con": true, "NUL.txt": true, "Com1": true, "LPT9.tar.gz": true, "aux.": true,
		"": false, "console": false, "com": false, "com10": false, "x.con": false, "cön": false, "lptx": false,
	} {
		require.Equal(t, want, IsDevice(name), "%q", name)
	}
}

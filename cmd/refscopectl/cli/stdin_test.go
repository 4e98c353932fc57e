package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Input comes whole, in however many pieces it is read.
func TestInputComesWhole(t *testing.T) {
	long := strings.Repeat("one line\n", 100_000)
	a := &App{In: strings.NewReader(long)}
	var got bytes.Buffer
	_, err := got.ReadFrom(a.Stdin(t.Context()))
	require.NoError(t, err)
	require.Equal(t, long, got.String())
}

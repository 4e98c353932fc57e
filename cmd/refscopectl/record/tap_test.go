package record

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/refscope/refscope/snapshot/text"
	"github.com/stretchr/testify/require"
)

// What the tap has to say while an agent draws on the terminal comes once the agent has ended, and what comes after that
// at once: an error is said then.
func TestHeldWriter(t *testing.T) {
	var out bytes.Buffer
	w := &heldWriter{to: &out}
	fmt.Fprintln(w, "a remark")
	require.Empty(t, out.String())
	_, err := w.Write(make([]byte, maxHeld))
	require.NoError(t, err)
	w.release()
	fmt.Fprintln(w, "refscopectl: the error")
	require.Equal(t, fmt.Sprintf("a remark\n%s of further remarks were not kept\nrefscopectl: the error\n", text.Count(maxHeld, "byte", "bytes")),
		out.String())
}

package step_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A link that opens a tab puts its own tab behind it. Commands and steps in that tab go on as
// before: with picture, snapshot and context (issue 18: they came after 20 s, without).
func TestATabBehindAnotherIsStillRead(t *testing.T) {
	b := on(t, `<title>Opener</title><button onclick="this.textContent = 'stayed'">stay</button>
		<a target=_blank href="data:text/html,<title>New</title>new">open</a>`)
	a := b.Run(`[{"click":"a"},{"click":"button"},{"hover":"button"},{"snapshot":true}]`)
	require.Equal(t, "ok", a.Status, a.Raw)
	require.Contains(t, a.Raw, "stayed")
	for range 2 {
		a = b.Run(`[{"click":"a"},{"snapshot":true}]`)
		require.Equal(t, "ok", a.Status, a.Raw)
		require.NotContains(t, a.Raw, `"note"`)
		require.Contains(t, a.Raw, `"fullSnapshot"`)
		require.Contains(t, a.Raw, `"screenshot"`)
	}
}

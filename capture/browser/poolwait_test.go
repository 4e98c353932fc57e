package browser

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestABrowserGivenBackBeforeTheWaitIsNoticed: between the question for a browser and the wait for one, another user may
// give back the only one there is.
func TestABrowserGivenBackBeforeTheWaitIsNoticed(t *testing.T) {
	p := NewPool(Options{}, "127.0.0.1:9222")
	slot, _, err := p.choose()
	require.NoError(t, err)
	none, next, err := p.choose()
	require.NoError(t, err)
	require.Nil(t, none, "it is lent")
	(&Lent{nil, p, slot}).Return()
	require.NoError(t, next.wait(t.Context()))
	again, _, err := p.choose()
	require.NoError(t, err)
	require.Same(t, slot, again)
}

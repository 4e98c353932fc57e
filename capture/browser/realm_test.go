package browser

import (
	"testing"

	"github.com/chromedp/cdproto"
	"github.com/stretchr/testify/require"
)

// TestLostDocument: in whatever words the browser says that a document is gone, it is one
// error; what else goes wrong stays what it is.
func TestLostDocument(t *testing.T) {
	for _, words := range []string{"Cannot find context with specified id", "uniqueContextId not found", "Inspected target navigated or closed"} {
		require.ErrorIs(t, (&Session{}).lost(world{}, &cdproto.Error{Message: words}), ErrNavigated, words)
	}
	err := &cdproto.Error{Message: "Invalid parameters"}
	require.Equal(t, error(err), (&Session{}).lost(world{}, err))
}

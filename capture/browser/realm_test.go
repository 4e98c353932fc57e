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

// TestTheFirstWorldIsOurs: Chrome 141 and before make a second world of our name in a frame whose window a script of ours
// in another frame touches. What a capture has left in the first one must be found again until that one is gone.
func TestTheFirstWorldIsOurs(t *testing.T) {
	var w worlds
	first, second := isolatedWorld{world{4, "a"}, worldName}, isolatedWorld{world{7, "b"}, worldName}
	w.add("F", isolatedWorld{world{3, "page"}, ""}, true)
	for _, made := range []isolatedWorld{{world{5, "c"}, "agent"}, first, second} {
		w.add("F", made, false)
	}
	ours, page := w.of("F")
	require.Equal(t, first.world, ours)
	require.Equal(t, world{3, "page"}, page)
	w.forget("a")
	ours, _ = w.of("F")
	require.Equal(t, second.world, ours)
	w.forget("b")
	ours, _ = w.of("F")
	require.Zero(t, ours)
}

func TestTooOld(t *testing.T) {
	for product, old := range map[string]bool{
		"HeadlessChrome/112.0.5615.0": true, "Chrome/118.0.5993.70": true, "Edg/118.0.1": true,
		"HeadlessChrome/119.0.6045.0": false, "Chrome/156.0.8078.79": false, "Edg/156.0.1": false,
		"Other/12.1": false, "": false,
	} {
		if err := tooOld(product); old {
			require.ErrorContains(t, err, product)
			require.ErrorIs(t, err, ErrTooOld)
		} else {
			require.NoError(t, err)
		}
	}
}

package readability_test

import (
	"image"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testpages"
)

var chrome chrometest.Chrome

func TestMain(m *testing.M) { os.Exit(chrome.Main(m)) }

// pictured is a page as a browser shows it.
type pictured struct {
	name    string
	capture *snapshot.Capture
	clean   *image.RGBA
}

// photographed takes pages of a folder in one tab, as wide as a window is.
func photographed(t *testing.T, f testpages.Folder, names ...string) []pictured {
	t.Helper()
	site, tab := chrometest.Folder(t, f.Path), chrome.Tab(t)
	var out []pictured
	for _, name := range names {
		require.NoError(t, tab.Navigate(chrometest.Context(t), site+name))
		shot, err := session.Take(chrometest.Context(t), tab, session.Options{})
		require.NoError(t, err, name)
		img, err := shot.Image()
		require.NoError(t, err, name)
		out = append(out, pictured{f.Name + "/" + strings.TrimSuffix(name, ".html"), shot.Capture, img})
	}
	return out
}

package readability

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

// photographed takes pages of a folder in one tab, in a window of 1280x720 CSS px with that
// many px for each.
func photographed(t *testing.T, scale float64, f testpages.Folder, names ...string) []pictured {
	t.Helper()
	site, tab := chrometest.Folder(t, f.Path), chrome.Tab(t)
	require.NoError(t, tab.Enlarge(chrometest.Context(t), 1280, 720, scale))
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

// allPages are all our own pages, and the saved ones of other people where they are there.
func allPages(t *testing.T) []pictured {
	t.Helper()
	var out []pictured
	for _, k := range testpages.Kinds() {
		for _, f := range testpages.Folders(t, k) {
			out = append(out, photographed(t, 1, f, f.Pages(t)...)...)
		}
	}
	return out
}

// ownPages are all our own pages.
func ownPages(t *testing.T, scale float64) []pictured {
	t.Helper()
	var out []pictured
	for _, k := range testpages.Kinds() {
		f := testpages.Own(t, k)
		out = append(out, photographed(t, scale, f, f.Pages(t)...)...)
	}
	return out
}

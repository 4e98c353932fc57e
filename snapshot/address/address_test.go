package address_test

import (
	"net/url"
	"testing"

	"github.com/refscope/refscope/snapshot/address"
	"github.com/stretchr/testify/require"
)

// A file: URL is a path of the system that it is read on, in each spelling that browsers and desktops write.
func TestFilePath(t *testing.T) {
	for _, tt := range []struct{ typed, windows, elsewhere string }{
		{"file:///C:/my%20pages/%C3%BC.html", "C:/my pages/ü.html", "/C:/my pages/ü.html"},
		{"file://localhost/c:/a.html", "c:/a.html", "/c:/a.html"},
		{"file:/C:/a.html", "C:/a.html", "/C:/a.html"},
		{"FILE:////C:/a.html", "C:/a.html", "//C:/a.html"},
		{"file://server/share/a.html", "//server/share/a.html", "/share/a.html"},
		{"file:///a.html", "/a.html", "/a.html"},
		{"file:///1:/a.html", "/1:/a.html", "/1:/a.html"},
		{"file:///CD:/a.html", "/CD:/a.html", "/CD:/a.html"},
		{"file:///C:/a%23b%3F.html#part", "C:/a#b?.html", "/C:/a#b?.html"},
	} {
		u, err := url.Parse(tt.typed)
		require.NoError(t, err)
		require.Equal(t, tt.windows, address.FilePath(u, "windows"), tt.typed)
		for _, system := range []string{"linux", "darwin"} {
			require.Equal(t, tt.elsewhere, address.FilePath(u, system), tt.typed)
		}
	}
}

package snapshot_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
)

// TestResolve: an address is that of the element's own document, with its <base>.
func TestResolve(t *testing.T) {
	c := &snapshot.Capture{
		Frames: []snapshot.Frame{{Parent: -1, URL: "https://shop.example/list/a.html?x=1"}, {URL: "https://id.example/in/"}},
		Nodes: []snapshot.Node{{Tag: "a"}, {I: 1, Tag: "base", Frame: 1, Attrs: map[string]string{"href": "../out/"}},
			{I: 2, Tag: "a", Frame: 1}, {I: 3, Tag: "a", Frame: 2}},
	}
	for _, one := range []struct {
		node          int
		address, want string
	}{
		{0, "?ep=1", "https://shop.example/list/a.html?ep=1"}, {0, "go.cgi?sid=2", "https://shop.example/list/go.cgi?sid=2"},
		{0, "/top", "https://shop.example/top"}, {0, "http://other.example/", "http://other.example/"},
		{2, "go", "https://id.example/out/go"}, {3, "go", ""}, {0, ":", ""},
	} {
		require.Equal(t, one.want, c.Resolve(&c.Nodes[one.node], one.address), one.address)
	}
}

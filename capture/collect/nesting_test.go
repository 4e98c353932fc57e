package collect_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

// TestNesting: what lies 2,000 deep is read, with its place and its path; 700 deep beside other packages' tests, where the
// browser needs for 2,000 closed roots as long as a page may take.
func TestNesting(t *testing.T) {
	depth := 2000
	if testing.Short() {
		depth = 700
	}
	for name, c := range map[string]struct{ in, shadow string }{
		"elements":     {`at = d`, ""},
		"open roots":   {`at = d.attachShadow({ mode: 'open' })`, "open"},
		"closed roots": {`at = d.attachShadow({ mode: 'closed' })`, "closed"},
	} {
		if c.shadow == "open" && testing.Short() {
			continue // the two others are its halves
		}
		t.Run(name, func(t *testing.T) {
			got := read(t, chrome.Open(t, chrometest.Page(t, fmt.Sprintf(`<body><script>let at = document.body;
				for (let i = 0; i < %d; i++) { const d = document.createElement('div'); at.append(d); %s } at.innerHTML = '<button>bottom</button>'</script>`, depth, c.in))))
			require.Empty(t, got.Failed)
			last := got.Nodes[len(got.Nodes)-1]
			require.Equal(t, "button", last.Tag)
			require.Equal(t, "bottom", last.Name)
			require.Equal(t, snapshot.VerdictRef, last.Verdict)
			require.Equal(t, c.shadow, last.Shadow)
			up := 0
			for n := &last; n != nil && n.Tag != "body"; n = got.Node(n.Parent) {
				up++
			}
			require.Equal(t, depth+1, up)
			if c.shadow != "" {
				require.Equal(t, depth, strings.Count(last.Path, " >>> "))
			}
			require.NotNil(t, last.Occlusion)
		})
	}
}

// TestNestingOfFrames: each document holds the next. 40 deep all of them are read; 250
// deep (with $REFSCOPE_SLOW, as Chrome takes ms for each hit test in it) Chrome can no
// longer tell the tree of frames, and a frame may not answer in time, with the reason.
func TestNestingOfFrames(t *testing.T) {
	testneed.Long(t, "frames within frames")
	depth := 40
	if os.Getenv("REFSCOPE_SLOW") != "" {
		depth = 250
	}
	tab := chrome.Open(t, chrometest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<body style="margin:0"><script>const n = +location.search.slice(1) || 0; document.write('<button>b' + n + '</button>');
			if (n < %d) document.write('<iframe style="border:0;width:600px;height:600px" src="?' + (n + 1) + '"></iframe>')</script>`, depth)
	})))
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	res, err := collect.Read(ctx, tab, collect.Options{Deadline: time.Minute})
	require.NoError(t, err)
	got := res.Capture
	button := map[int]string{}
	for i := range got.Nodes {
		if n := &got.Nodes[i]; n.Tag == "button" {
			button[n.Frame] = n.Text
		}
	}
	for i, f := range got.Frames {
		require.Equal(t, i-1, f.Parent, "a chain")
		require.NotEmpty(t, f.URL)
		if f.Readable {
			require.Equal(t, fmt.Sprint("b", i), button[i])
			continue
		}
		// Below what is out of sight or does not answer there is nothing to be read.
		require.NotEmpty(t, f.Why)
		require.Len(t, got.Frames, i+1)
	}
	t.Logf("%d frames within frames, failed: %v", len(got.Frames)-1, got.Failed)
	if depth == 40 {
		require.Len(t, got.Frames, depth+1)
		require.Empty(t, got.Failed)
	}
}

// TestFrameTreeTooDeepToTell: Chrome cannot write down the tree of 200 frames within
// one another; the tab is taken all the same.
func TestFrameTreeTooDeepToTell(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<body><button>Pay</button><script>
		let at = window;
		for (let i = 0; i < 200; i++) { const f = at.document.createElement('iframe'); f.style.display = i ? '' : 'none'; at.document.body.append(f); at = f.contentWindow; }
	</script>`))
	_, err := tab.Session().FrameTree(chrometest.Context(t))
	require.ErrorContains(t, err, "stack limit")
	got := read(t, tab)
	require.Contains(t, texts(got), "Pay")
	require.Equal(t, tab.ID(), got.Frames[0].ID)
	require.Equal(t, "the frame element is not rendered", got.Frames[1].Why)
}

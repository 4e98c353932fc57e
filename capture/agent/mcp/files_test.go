package mcp_test

import (
	"bytes"
	"encoding/json"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/agent/mcp"
	"github.com/refscope/refscope/capture/chrometest"
)

var fileURI = regexp.MustCompile(`refscope://files/[^"\\]+`)

// TestFilesAreResources: an answer names a file by a resource that its client can read, and by no path of the server's
// machine, which may be another one. No other file is read so.
func TestFilesAreResources(t *testing.T) {
	site := chrometest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><title>Files</title><p>` +
			strings.Repeat("word ", 2000) + `</p>` + strings.Repeat("<button>B</button>", 400)))
	}))
	files, root := t.TempDir(), t.TempDir()
	r := newRig(t, true, func(o *mcp.Options) { o.Files, o.Roots = files, []string{root} })
	c := r.stdio(nil)
	done(t, c, "browse_navigate", map[string]any{"url": site})
	answers := []string{
		done(t, c, "run_steps", map[string]any{"steps": []any{
			map[string]any{"screenshot": "shot.png"}, map[string]any{"pdf": "page.pdf"},
			map[string]any{"screenshot": filepath.Join(root, "shot.png")},
			map[string]any{"snapshot": map[string]any{"inlineLimit": 100}},
		}}),
	}
	kinds := map[string]int{}
	for _, answer := range answers {
		for _, folder := range []string{files, root, r.home} {
			require.NotContains(t, strings.ReplaceAll(answer, `\\`, `\`), folder)
		}
		for _, uri := range fileURI.FindAllString(answer, -1) {
			got, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
			require.NoError(t, err, uri)
			one := got.Contents[0]
			kinds[one.MIMEType]++
			switch {
			case one.MIMEType == "image/png":
				_, err := png.Decode(bytes.NewReader(one.Blob))
				require.NoError(t, err, uri)
			case one.MIMEType == "application/json":
				require.True(t, json.Valid([]byte(one.Text)), uri)
			case one.MIMEType == "application/pdf":
				require.True(t, bytes.HasPrefix(one.Blob, []byte("%PDF-")))
			default:
				require.Contains(t, one.Text, `button "B" [ref=@e`, uri)
			}
		}
	}
	require.GreaterOrEqual(t, kinds["image/png"], 3, "%v", kinds)
	require.Positive(t, kinds["application/pdf"]*kinds["text/plain"], "%v", kinds)

	require.NoError(t, os.WriteFile(filepath.Join(files, "mine.txt"), []byte("mine"), 0o600))
	require.NoError(t, os.Remove(filepath.Join(files, "page.pdf")))
	require.NoError(t, os.Symlink(filepath.Join(files, "mine.txt"), filepath.Join(files, "page.pdf")))
	for _, uri := range []string{"mine.txt", "..%2Fmine.txt", "page.pdf", "../page.pdf", ""} {
		_, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "refscope://files/" + uri})
		require.Error(t, err, uri)
		require.NotContains(t, err.Error(), files)
	}
	_, err := r.stdio(nil).ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "refscope://files/shot.png"})
	require.Error(t, err, "another client was not told of it")
}

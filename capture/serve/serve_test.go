package serve_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/assets"
	"github.com/refscope/refscope/capture/loopback"
	"github.com/refscope/refscope/capture/serve"
)

// answer is what a browser got.
type answer struct {
	status     int
	kind, body string
	header     http.Header
}

func get(t *testing.T, address string, change ...func(*http.Request)) answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)
	for _, f := range change {
		f(request)
	}
	client := http.Client{ // it knows the names of this computer by itself, as browsers do
		Transport:     &http.Transport{DisableKeepAlives: true, DialContext: loopback.Dial},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	response, err := client.Do(request)
	require.NoError(t, err)
	defer func() { require.NoError(t, response.Body.Close()) }()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return answer{response.StatusCode, response.Header.Get("Content-Type"), string(body), response.Header}
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, body := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o755))
		require.NoError(t, os.WriteFile(full, []byte(body), 0o644))
	}
}

func folder(t *testing.T, files map[string]string) (*serve.Server, string) {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, files)
	s, err := serve.Folder(t.Context(), dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s, dir
}

func TestContentTypes(t *testing.T) {
	s, _ := folder(t, map[string]string{
		"plain.html":   "<p>Grüße",
		"utf8.html":    `<meta charset="UTF-8"><p>Grüße`,
		"own.html":     `<meta charset="shift_jis"><p>plain`,
		"latin.html":   "<p>Gr\xfc\xdfe",
		"app.js":       "let x = 'ü';",
		"mod.mjs":      "export {}",
		"look.css":     "a{}",
		"data.json":    "{}",
		"draw.svg":     "<svg/>",
		"photo.PNG":    "\x89PNG\r\n\x1a\n",
		"no-extension": "<!doctype html><p>hi",
		"font.woff2":   "wOF2",
	})
	for name, want := range map[string]string{
		"plain.html":   "text/html; charset=utf-8",
		"utf8.html":    "text/html; charset=utf-8",
		"own.html":     "text/html",
		"latin.html":   "text/html",
		"app.js":       "text/javascript; charset=utf-8",
		"mod.mjs":      "text/javascript; charset=utf-8",
		"look.css":     "text/css; charset=utf-8",
		"data.json":    "application/json; charset=utf-8",
		"draw.svg":     "image/svg+xml; charset=utf-8",
		"photo.PNG":    "image/png",
		"no-extension": "text/html; charset=utf-8",
		"font.woff2":   "font/woff2",
	} {
		t.Run(name, func(t *testing.T) {
			got := get(t, s.URL()+name)
			require.Equal(t, http.StatusOK, got.status)
			require.Equal(t, want, got.kind)
			require.Equal(t, "no-store", got.header.Get("Cache-Control"))
			require.Empty(t, got.header.Get("Last-Modified"))
		})
	}
}

func TestOnlyTheFolder(t *testing.T) {
	outside := t.TempDir()
	write(t, outside, map[string]string{"secret.txt": "outside"})
	s, dir := folder(t, map[string]string{
		"page.html": "page", "sub/index.html": "sub index", "list/a.txt": "a",
		".env": "key", ".git/config": "git", "sub/.hidden/x.txt": "x",
	})
	require.NoError(t, os.Symlink(filepath.Join(outside, "secret.txt"), filepath.Join(dir, "out.txt")))
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, "outdir")))
	require.NoError(t, os.Symlink("page.html", filepath.Join(dir, "in.html")))
	up := "../" + filepath.Base(outside) + "/secret.txt"

	for _, tt := range []struct {
		name, path string
		status     int
		body       string
	}{
		{"a file", "page.html", 200, "page"},
		{"a link inside", "in.html", 200, "page"},
		{"the index of a folder", "sub/", 200, "sub index"},
		{"a folder without its slash", "sub", 307, ""},
		{"a folder without an index", "list/", 404, ""},
		{"a root without an index", "", 404, ""},
		{"a link out", "out.txt", 404, ""},
		{"through a linked folder", "outdir/secret.txt", 404, ""},
		{"dots", up, 404, ""},
		{"escaped dots", strings.ReplaceAll(up, "/", "%2f"), 404, ""},
		{"escaped dots twice", strings.ReplaceAll(up, ".", "%252e"), 404, ""},
		{"backslashes", `..\` + filepath.Base(outside) + `\secret.txt`, 404, ""},
		{"a zero byte", "page.html%00.txt", 404, ""},
		{"a dot file", ".env", 404, ""},
		{"in a dot folder", ".git/config", 404, ""},
		{"in a deep dot folder", "sub/.hidden/x.txt", 404, ""},
		{"no such file", "none.html", 404, ""},
		{"below a file", "page.html/x", 404, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := get(t, s.URL(), func(r *http.Request) {
				r.URL.Opaque = "//" + r.URL.Host + "/" + tt.path
			})
			require.Equal(t, tt.status, got.status, got.body)
			require.NotContains(t, got.body, "outside")
			require.NotContains(t, got.body, "a.txt", "a folder was listed")
			if tt.body != "" {
				require.Equal(t, tt.body, got.body)
			}
		})
	}
}

func TestAnswersToLoopbackNamesOnly(t *testing.T) {
	s, _ := folder(t, map[string]string{"page.html": "page"})
	for host, status := range map[string]int{
		"127.0.0.1:1": 200, "localhost": 200, "[::1]:80": 200, "LOCALHOST:9": 200,
		"evil.example": 403, "127.0.0.1.evil.example:80": 403, "": 200,
	} {
		got := get(t, s.URL()+"page.html", func(r *http.Request) { r.Host = host })
		require.Equal(t, status, got.status, "host %q", host)
	}
	require.Equal(t, 405, get(t, s.URL()+"page.html", func(r *http.Request) { r.Method = http.MethodPost }).status)
	part := get(t, s.URL()+"page.html", func(r *http.Request) { r.Header.Set("Range", "bytes=1-2") })
	require.Equal(t, http.StatusPartialContent, part.status)
	require.Equal(t, "ag", part.body)
}

func TestSamePortAgain(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"page.html": "x"})
	first, page, err := serve.File(t.Context(), filepath.Join(dir, "page.html"))
	require.NoError(t, err)
	require.Equal(t, first.URL()+"page.html", page)
	second, err := serve.Folder(t.Context(), dir)
	require.NoError(t, err)
	require.NotEqual(t, first.URL(), second.URL(), "the port was taken, the next one is used")
	require.Equal(t, 200, get(t, second.URL()+"page.html").status)
	require.NoError(t, second.Close())
	require.NoError(t, first.Close())

	again, err := serve.Folder(t.Context(), dir)
	require.NoError(t, err)
	require.Equal(t, first.URL(), again.URL())
	require.NoError(t, again.Close())
}

func TestPage(t *testing.T) {
	s, dir := folder(t, map[string]string{"a b#c?.html": "x", "sub/p.html": "x", ".env": "x"})
	require.NoError(t, os.Symlink(os.DevNull, filepath.Join(dir, "out.html")))
	address, err := s.Page("a b#c?.html")
	require.NoError(t, err)
	require.Equal(t, 200, get(t, address).status)
	for name, want := range map[string]string{
		"none.html": `page "none.html": no such file or directory`,
		"sub":       "not a regular file",
		"../x.html": "not a path inside the site",
		".env":      "not served",
		"out.html":  "leads out of its folder",
	} {
		_, err := s.Page(name)
		require.ErrorContains(t, err, want)
	}
}

func TestMissing(t *testing.T) {
	dir := t.TempDir()
	_, err := serve.Folder(t.Context(), filepath.Join(dir, "none"))
	require.ErrorContains(t, err, "none: no such file or directory")
	_, _, err = serve.File(t.Context(), filepath.Join(dir, "none.html"))
	require.ErrorContains(t, err, `open page `+filepath.Join(dir, "none.html"))
	require.ErrorIs(t, err, os.ErrNotExist)
	write(t, dir, map[string]string{"file": "x"})
	_, err = serve.Folder(t.Context(), filepath.Join(dir, "file"))
	require.Error(t, err)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = serve.Folder(ended, dir)
	require.ErrorIs(t, err, context.Canceled)
}

func TestDemoUnderBothNames(t *testing.T) {
	s, err := serve.FS(t.Context(), assets.Demo())
	require.NoError(t, err)
	require.Equal(t, 200, get(t, s.URL()).status)
	require.Equal(t, 200, get(t, s.Other()).status)
	require.Equal(t, "image/svg+xml; charset=utf-8", get(t, s.URL()+"img/heron.svg").kind)
	at, err := url.Parse(s.Other())
	require.NoError(t, err)
	if probe, err := net.Listen("tcp6", "[::1]:0"); err == nil {
		require.NoError(t, probe.Close())
		require.Equal(t, 200, get(t, "http://[::1]:"+at.Port()+"/checkout.html").status)
	}
	require.NoError(t, s.Close())
	require.NoError(t, s.Close(), "closing twice")
	_, err = net.Dial("tcp", at.Host)
	require.Error(t, err)
}

func TestFilesWithoutSeek(t *testing.T) {
	s, err := serve.FS(t.Context(), unseekable{fstest.MapFS{"index.html": {Data: []byte("<p>hello")}}})
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	require.Equal(t, "<p>hello", get(t, s.URL()).body)
}

func TestEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s, err := serve.FS(ctx, assets.Demo())
	require.NoError(t, err)
	at, err := url.Parse(s.URL())
	require.NoError(t, err)
	// A connection that a browser opened in advance must not hold the end up.
	idle, err := net.Dial("tcp", at.Host)
	require.NoError(t, err)
	require.True(t, working())
	cancel()
	require.NoError(t, s.Close(), "returns after the context's own close is through")
	_, err = idle.Read(make([]byte, 1))
	require.Error(t, err)
	require.Eventually(t, func() bool { return !working() }, time.Minute, time.Millisecond)
}

// working tells whether some goroutine still serves.
func working() bool {
	stacks := make([]byte, 1<<20)
	all := string(stacks[:runtime.Stack(stacks, true)])
	return strings.Contains(all, "net/http.(*Server).Serve") || strings.Contains(all, "net/http.(*conn).serve")
}

// TestUnstyled: a style sheet above the folder of a page is known to be missing, and no other file.
func TestUnstyled(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "page.html"), []byte("<p>a"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "own.css"), []byte("p{}"), 0o600))
	s, _, err := serve.File(t.Context(), filepath.Join(dir, "page.html"))
	require.NoError(t, err)
	defer s.Close()
	for _, name := range []string{"own.css", "../up.css", "up.css", "none.png"} {
		r, err := http.Get(s.URL() + name)
		require.NoError(t, err)
		r.Body.Close()
	}
	require.Equal(t, []string{"up.css"}, s.Unstyled())
}

package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/refscope/refscope/capture/browser"
	"github.com/stretchr/testify/require"
)

// loggingSite is a site that logs what is asked of it, as "METHOD /path": a frame, a worker of its own, a shared worker,
// a redirect, a beacon, a request that is broken off, an error, and a script that loads a module.
type loggingSite struct {
	*httptest.Server
	mu  sync.Mutex
	log []string
	all chan struct{} // closed once the log has all that the page asks for but its last picture
}

// siteAsks are the paths that the page asks for, with all that belongs to it. Its last picture comes when the others
// were asked for, so that the page has loaded then and not before.
var siteAsks = []string{"/", "/frame", "/style.css", "/main.js", "/module.js", "/worker.js", "/shared.js", "/logo.svg",
	"/ground.svg", "/from", "/to", "/missing", "/posted", "/never", "/asked", "/from-frame", "/from-module", "/from-worker",
	"/from-shared"}

// note logs a request.
func (s *loggingSite) note(r *http.Request) (all chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = append(s.log, r.Method+" "+r.URL.Path)
	left := slices.DeleteFunc(slices.Clone(siteAsks), func(path string) bool {
		return slices.Contains(s.log, "GET "+path) || slices.Contains(s.log, "POST "+path)
	})
	select {
	case <-s.all:
	default:
		if len(left) == 0 {
			close(s.all)
		}
	}
	return s.all
}

func newLoggingSite(t *testing.T) *loggingSite {
	s := &loggingSite{all: make(chan struct{})}
	files := map[string][2]string{
		"/": {"text/html", `<!doctype html><title>busy</title><link rel=stylesheet href=/style.css><h1>Shop</h1>
<img src=/logo.svg width=9 height=9 alt=Logo><img src=/last width=9 height=9 alt="">
<iframe src=/frame title=Frame></iframe><script type=module src=/main.js></script>`},
		"/frame":     {"text/html", `<!doctype html><title>frame</title><p>Frame</p><script>fetch('/from-frame')</script>`},
		"/style.css": {"text/css", `h1 { background: url(/ground.svg) }`},
		"/main.js": {"text/javascript", `import {load} from '/module.js';
const all = [load(), fetch('/from'), fetch('/missing'), fetch('/posted', {method: 'POST', body: 'x'})];
const stop = new AbortController();
all.push(fetch('/never', {signal: stop.signal}).catch(() => {}), fetch('/asked').then(() => stop.abort()));
all.push(new Promise((done) => { new Worker('/worker.js').onmessage = done; }));
all.push(new Promise((done) => { const w = new SharedWorker('/shared.js'); w.port.onmessage = done; }));
Promise.all(all).then(() => { document.title = 'done'; document.querySelector('h1').textContent = 'done'; });`},
		"/module.js":  {"text/javascript", `export const load = () => fetch('/from-module');`},
		"/worker.js":  {"text/javascript", `fetch('/from-worker').then(() => postMessage('done'));`},
		"/shared.js":  {"text/javascript", `onconnect = (e) => fetch('/from-shared').then(() => e.ports[0].postMessage('done'));`},
		"/logo.svg":   {"image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg"/>`},
		"/ground.svg": {"image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg"/>`},
	}
	asked := make(chan struct{})
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/favicon.ico" { // the browser's own; which pages ask for it is not theirs
			http.NotFound(w, r)
			return
		}
		all := s.note(r)
		switch r.URL.Path {
		case "/last":
			select {
			case <-all:
			case <-r.Context().Done():
			}
		case "/from":
			http.Redirect(w, r, "/to", http.StatusFound)
		case "/missing":
			http.NotFound(w, r)
		case "/never":
			select {
			case asked <- struct{}{}:
			case <-r.Context().Done():
			}
			<-r.Context().Done()
		case "/asked":
			select {
			case <-asked:
			case <-r.Context().Done():
			}
		default:
			file := files[r.URL.Path]
			w.Header().Set("Content-Type", file[0])
			fmt.Fprint(w, file[1])
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// taken is what was logged since the last call, sorted.
func (s *loggingSite) taken() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.log
	s.log, s.all = nil, make(chan struct{})
	slices.Sort(out)
	return out
}

// harRequests are the requests of a HAR file to the site, sorted as its log is.
func (s *loggingSite) harRequests(t *testing.T, file string) []string {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	var archive struct {
		Log struct {
			Version string
			Entries []struct {
				Request struct{ Method, URL string }
			}
		}
	}
	require.NoError(t, json.Unmarshal(data, &archive))
	require.Equal(t, "1.2", archive.Log.Version)
	var out []string
	for _, e := range archive.Log.Entries {
		if path, ours := strings.CutPrefix(e.Request.URL, s.URL); ours && path != "/favicon.ico" {
			out = append(out, e.Request.Method+" "+path)
		}
	}
	slices.Sort(out)
	return out
}

// missing are those of all that list lacks.
func missing(all, list []string) []string {
	left := slices.Clone(list)
	out := []string{}
	for _, r := range all {
		if i := slices.Index(left, r); i >= 0 {
			left = slices.Delete(left, i, i+1)
		} else {
			out = append(out, r)
		}
	}
	return out
}

// TestHARIsWhole: what a server logs of a page is in the HAR of its turn, each once and nothing else. Where
// $REFSCOPE_PEERS names a node_modules folder with playwright-core, the log has what Playwright's HAR of the same page
// lacks.
func TestHARIsWhole(t *testing.T) {
	needChrome(t)
	site, dir := newLoggingSite(t), t.TempDir()
	session, har := filepath.Join(dir, "s"), filepath.Join(dir, "ours.har")
	code, _, stderr := ctl(t, "turn", site.URL+"/", "-o", session, "--settle", "100ms")
	require.Zero(t, code, stderr)
	logged := site.taken()
	require.Contains(t, logged, "GET /from-shared")
	code, _, stderr = ctl(t, "session", "export", session, "--as", "har", "-o", har)
	require.Zero(t, code, stderr)
	ours := site.harRequests(t, har)
	// A shared worker is no page's: Chrome attaches it to none, so what it asks for itself is not recorded.
	require.Equal(t, []string{"GET /from-shared"}, missing(logged, ours), "the server logged them: the HAR has %v", ours)
	require.Empty(t, missing(ours, logged), "the HAR has them twice, or nobody asked for them")

	modules := os.Getenv("REFSCOPE_PEERS")
	if modules == "" {
		return
	}
	chrome, err := browser.Find("")
	require.NoError(t, err)
	theirs := filepath.Join(dir, "theirs.har")
	out, err := exec.CommandContext(t.Context(), "node", "testdata/playwright-har.mjs", modules, chrome, site.URL+"/",
		theirs).CombinedOutput()
	require.NoError(t, err, string(out))
	logged = site.taken()
	t.Logf("of %d requests that the server logged ours lacks 1, Playwright's lacks %v", len(logged),
		missing(logged, site.harRequests(t, theirs)))
}

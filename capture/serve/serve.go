// Package serve puts files on a loopback address so that a browser can open them:
// the demo site that the programs carry ([FS]), and the folder of an .html file that a
// person names ([File]).
//
// Why not file:? A page under file: has an opaque origin, cannot load modules, and
// its own frames are cross-origin, so it is not the page that its author runs.
//
// What is served is only ever reachable from this machine, under a loopback host
// name, and only below its root:
//
//   - the listener is bound to 127.0.0.1 (and ::1 for a site of our own);
//   - a request whose Host is no loopback name is refused, so that a page elsewhere
//     cannot reach the files by pointing its own name at 127.0.0.1 (DNS rebinding);
//   - the folder is an [os.Root]: no ".." and no symbolic link leads out of it;
//   - names that start with a dot (.git, .env) are not served, folders are not listed.
//
// One folder always gets the same port where it is free, because the port is part
// of the address, the address is part of the dump, and the same page seen in two
// sessions should give the same bytes.
package serve

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/refscope/refscope/capture/loopback"
)

// Ports lie below the range that Linux assigns automatically (32768 and up), so that
// a passing connection of another program seldom sits on ours.
const (
	firstPort  = 20000
	portCount  = 12000
	portsTried = 64
)

// Server is a site on loopback. It answers from the moment that [FS], [Folder] or
// [File] returned it until [Server.Close] or the end of their context.
type Server struct {
	http    *http.Server
	site    fs.FS
	port    int
	twoName bool           // also answers as "localhost" on every address of that name
	root    *os.Root       // nil for a site that is no folder
	stop    func() bool    // ends the watch of the context
	serving sync.WaitGroup // one per listener
	answers sync.RWMutex   // held for reading by each request in progress
	closed  bool           // no request is answered any more; under answers
	closing sync.Once
	failed  error
	lack    lack
}

// Unstyled are the paths of style sheets that pages asked for and that are not in the site, as where a page names one
// above its own folder; a hundred at most. They are the page's words.
func (s *Server) Unstyled() []string {
	s.lack.mu.Lock()
	defer s.lack.mu.Unlock()
	return slices.Clone(s.lack.names)
}

// FS serves site at a port of its own, on 127.0.0.1 and on localhost. To a browser
// these two names are two sites, so a page of the one can hold a frame of the
// other that runs in another process. The server ends with ctx.
func FS(ctx context.Context, site fs.FS) (*Server, error) {
	s := &Server{site: site, twoName: true}
	return s.start(ctx, "the built-in site")
}

// Folder serves the folder dir and what is below it on 127.0.0.1. The server ends
// with ctx. An error names dir.
func Folder(ctx context.Context, dir string) (*Server, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("serve folder %s: %w", dir, err)
	}
	root, err := os.OpenRoot(abs)
	if err != nil {
		return nil, fmt.Errorf("serve folder %s: %w", dir, cause(err))
	}
	s := &Server{site: root.FS(), root: root}
	if _, err := s.start(ctx, abs); err != nil {
		_ = root.Close() // the error of start matters more
		return nil, fmt.Errorf("serve folder %s: %w", dir, err)
	}
	return s, nil
}

// File serves the folder of the page at file and returns the page's address with
// it. It fails where there is no such file or it is not a regular one.
func File(ctx context.Context, file string) (*Server, string, error) {
	s, err := Folder(ctx, filepath.Dir(file))
	if err != nil {
		return nil, "", fmt.Errorf("open page %s: %w", file, err)
	}
	address, err := s.Page(filepath.Base(file))
	if err != nil {
		_ = s.Close() // nothing was served yet
		return nil, "", fmt.Errorf("open page %s: %w", file, err)
	}
	return s, address, nil
}

// URL is the address of the site's root, such as "http://127.0.0.1:20417/".
func (s *Server) URL() string { return s.address("127.0.0.1") }

// Other is the address of the same site under the name localhost, which a browser
// takes for another site; empty for a folder, which answers as 127.0.0.1 only.
func (s *Server) Other() string {
	if !s.twoName {
		return ""
	}
	return s.address("localhost")
}

func (s *Server) address(host string) string {
	return "http://" + net.JoinHostPort(host, strconv.Itoa(s.port)) + "/"
}

// Page is the address of one file of the site. name is relative to the root, with
// slashes; it fails where the site has no such file or does not serve it.
func (s *Server) Page(name string) (string, error) {
	if !fs.ValidPath(name) {
		return "", fmt.Errorf("page %q: not a path inside the site", name)
	}
	if hidden(name) {
		return "", fmt.Errorf("page %q: names that start with a dot are not served", name)
	}
	info, err := fs.Stat(s.site, name)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist) && s.root != nil && escapes(s.root, name):
		return "", fmt.Errorf("page %q: a link that leads out of its folder; name the file that it points to", name)
	case err != nil:
		return "", fmt.Errorf("page %q: %w", name, cause(err))
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("page %q: not a regular file", name)
	}
	return s.URL() + (&url.URL{Path: name}).EscapedPath(), nil
}

// escapes reports whether name is a symbolic link, which is what an [os.Root] refuses
// when its target lies outside.
func escapes(root *os.Root, name string) bool {
	info, err := root.Lstat(name)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// Close ends the server: no new request is answered, and Close returns when those
// in progress and the listeners are done. Calling it again does nothing and returns
// the same error.
func (s *Server) Close() error {
	s.stop()
	s.shut()
	return s.failed
}

func (s *Server) shut() {
	s.closing.Do(func() {
		// Not Shutdown: it would wait for connections that a browser opened in
		// advance and has not used.
		s.failed = s.http.Close()
		s.serving.Wait()
		s.answers.Lock()
		s.closed = true
		s.answers.Unlock()
		if s.root != nil {
			s.failed = errors.Join(s.failed, s.root.Close())
		}
	})
}

func (s *Server) start(ctx context.Context, name string) (*Server, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	listeners, port, err := listen(ctx, wish(name), s.twoName)
	if err != nil {
		return nil, err
	}
	s.port = port
	s.http = &http.Server{
		Handler:           s.guard(handler{s.site, &s.lack}),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
	}
	for _, l := range listeners {
		// always ErrServerClosed or the listener's end, which Close reports
		s.serving.Go(func() { _ = s.http.Serve(l) })
	}
	s.stop = context.AfterFunc(ctx, s.shut)
	return s, nil
}

// wish is the port that a site of that name asks for first.
func wish(name string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name)) // a hash never fails
	return firstPort + int(h.Sum32()%portCount)
}

// listen takes the first port from wish on that is free under every address that
// the site answers to. "localhost" means ::1 as much as 127.0.0.1 and browsers try
// ::1 first: a port that another program holds there counts as taken.
func listen(ctx context.Context, wish int, twoName bool) ([]net.Listener, int, error) {
	var config net.ListenConfig
	var last error
	for i := range portsTried {
		port := firstPort + (wish-firstPort+i)%portCount
		v4, err := config.Listen(ctx, "tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err != nil {
			last = err
			continue
		}
		if !twoName {
			return []net.Listener{v4}, port, nil
		}
		v6, err := config.Listen(ctx, "tcp6", net.JoinHostPort("::1", strconv.Itoa(port)))
		if err == nil {
			return []net.Listener{v4, v6}, port, nil
		}
		if !loopback.Taken(err) { // this machine has no IPv6 loopback
			return []net.Listener{v4}, port, nil
		}
		last = err
		_ = v4.Close() // never used
	}
	return nil, 0, fmt.Errorf("no free port between %d and %d on 127.0.0.1: %w", wish, wish+portsTried-1, last)
}

// guard lets Close wait for the requests in progress, and refuses those that do not
// call us by a loopback name.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.answers.RLock()
		defer s.answers.RUnlock()
		if s.closed {
			return
		}
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = r.Host
		}
		switch strings.ToLower(host) {
		case "127.0.0.1", "localhost", "::1":
			next.ServeHTTP(w, r)
		default:
			http.Error(w, "this server answers to loopback names only", http.StatusForbidden)
		}
	})
}

// hidden reports whether a part of the path starts with a dot.
func hidden(name string) bool {
	for part := range strings.SplitSeq(path.Clean(name), "/") {
		if strings.HasPrefix(part, ".") && part != "." {
			return true
		}
	}
	return false
}

// cause takes the system's own words out of a path error: the caller has already
// named the object.
func cause(err error) error {
	if pathError, ok := errors.AsType[*fs.PathError](err); ok {
		return pathError.Err
	}
	return err
}

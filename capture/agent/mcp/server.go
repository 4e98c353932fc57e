package mcp

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/gofrs/flock"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/refscope/refscope/capture/loopback"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/tabs"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/turn"
)

// Default limits of a server.
const (
	// MaxSessions is how many clients may be there at a time.
	MaxSessions = 100
	// MaxQueue is how many calls of one client may wait for the one that runs.
	MaxQueue = 16
	// MaxBody is how large a request over HTTP may be, in bytes.
	MaxBody = 16 << 20
	// atOnce is how many calls of all clients begin at a time: the next one begins when one ends, or has
	// run for placeLasts, so that one that waits for its page holds up nobody. Fifty at once keep Chrome so
	// busy that none gets its answer in time; a call that waits for its place uses up none of its time.
	atOnce     = 4
	placeLasts = 5 * time.Second
	// Idle is how long a client over HTTP may be silent before it counts as gone.
	Idle = 30 * time.Minute
)

// Options configure a server.
type Options struct {
	// Host has the browsers. Where it is nil the server makes one of HostOptions and ends
	// it with itself; one that is given should keep tabs ([tabs.Options].Keep).
	Host        *tabs.Host
	HostOptions tabs.Options    // Session and Keep are the server's to set
	Profiles    *profiles.Store // nil keeps none
	// Session is the name of the first client's session folder; "" makes one of the time.
	Session string
	// Format is the text format of pages where a call names none; [format.Wraith] if empty.
	Format dump.Format
	// AllowSecrets gives agents the values of password, code and card fields. They are in
	// no turn (B-11).
	AllowSecrets bool
	// KeepTabs leaves the tabs of a client that has left open.
	KeepTabs bool
	// ReadSessions lets agents read all recorded sessions of the home folder, and not only their own.
	ReadSessions bool
	// Roots are folders whose files agents may read and write; none by default.
	Roots []string
	// Timeout is for each step, and for each reading of a page, where a call names none.
	Timeout time.Duration
	// Writes is what a call leaves in the page when it is over.
	Writes session.PageWrites
	// Files is the folder for pictures and snapshots that steps write; "" for none.
	Files string

	// Token is what clients over HTTP must show as their bearer token. [Server.Handler]
	// refuses everybody where it is empty.
	Token string
	// AllowRemote answers also clients that call this machine by another name than a
	// loopback one.
	AllowRemote bool

	MaxSessions, MaxQueue int           // [MaxSessions] and [MaxQueue] if 0
	Idle                  time.Duration // [Idle] if 0
	Version               string        // of the program, for clients and turns
	Log                   *slog.Logger  // nil discards
}

// Server serves agents. It is safe for concurrent use.
type Server struct {
	opt    Options
	host   *tabs.Host
	own    bool // the host is the server's
	name   string
	tools  []*tool
	http   http.Handler
	work   sync.WaitGroup // one for each client
	closed chan struct{}
	places chan struct{} // of calls that begin

	mu      sync.Mutex
	clients map[string]*clientSession // by session id
	waiting map[string]*clientSession // clients that are not yet initialized
	names   map[string]bool           // of session folders, of this server's time
	gone    bool
}

// Session is a connected client.
type Session struct {
	ID string
	// Client is the name and version that it gave, as they may be shown.
	Client    string
	Transport string // stdio, http
	// Name is that of its session folder.
	Name    string
	Started time.Time
	Turns   int    // kept since it came
	Calls   int    // answered, cancelled or refused
	Busy    string // the tool that runs now, "" for none
	Queued  int    // calls that wait
	Tab     string // alias of its tab, "" for none
	URL     string // of the last turn, without what looks like a secret
}

// New makes a server. It does nothing yet.
func New(o Options) (*Server, error) {
	o.Format = cmp.Or(o.Format, format.Wraith)
	if !slices.Contains(format.Names(), o.Format) {
		return nil, fmt.Errorf("mcp: unknown format %q", o.Format)
	}
	if o.Session != "" {
		if err := turn.CheckName(o.Session); err != nil {
			return nil, fmt.Errorf("mcp: session: %w", err)
		}
	}
	o.MaxSessions, o.MaxQueue, o.Idle = cmp.Or(
		o.MaxSessions, MaxSessions,
	), cmp.Or(
		o.MaxQueue, MaxQueue,
	), cmp.Or(
		o.Idle, Idle,
	)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.HostOptions.Keep, o.HostOptions.Tool = true, "refscope mcp "+o.Version
	o.HostOptions.Words = tabs.Words{
		List: "browse_tabs with the action list lists the tabs", Open: "open its page with browse_navigate",
		Start: "browse_navigate starts one",
	}
	s := &Server{
		opt: o, host: o.Host, name: o.Session, tools: tools(), closed: make(chan struct{}),
		places: make(chan struct{}, atOnce), clients: map[string]*clientSession{}, waiting: map[string]*clientSession{},
		names: map[string]bool{},
	}
	if s.host == nil {
		s.host, s.own = tabs.NewHost(o.HostOptions), true
	}
	s.http = s.guard(sdk.NewStreamableHTTPHandler(s.forRequest, &sdk.StreamableHTTPOptions{
		// guard looks at the host
		Logger: o.Log, SessionTimeout: o.Idle, MaxRequestBodyBytes: MaxBody, DisableLocalhostProtection: true,
	}))
	return s, nil
}

// Handler answers clients over streamable HTTP, at any path. It checks the bearer token,
// and Origin and Host against pages that would reach this machine through a browser. It
// ends its clients' sessions with [Server.Close].
func (s *Server) Handler() http.Handler { return s.http }

// Serve serves clients over streamable HTTP at HOST:PORT until the server is closed; see [loopback.Serve].
func (s *Server) Serve(ctx context.Context, hostPort string, failed func(error)) (*loopback.Server, error) {
	web := &http.Server{Handler: s.http, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute}
	return loopback.Serve(ctx, hostPort, web, failed)
}

// ServeStdio serves one client that writes to in and reads from out, one JSON message a
// line, until it closes in or ctx is done; what runs then is broken off. Nothing else is
// written to out. A line that is no message is answered with an error of JSON-RPC.
func (s *Server) ServeStdio(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	d, err := s.newClient("stdio")
	if err != nil {
		return err
	}
	out = oneByOne{out, &sync.Mutex{}}
	lines := &goodLines{Closer: in, in: bufio.NewReader(in), out: out}
	ss, err := d.server.Connect(ctx, &sdk.IOTransport{Reader: lines, Writer: out}, nil)
	if err != nil {
		return fmt.Errorf("mcp: %w", err)
	}
	d.meet(ss)
	stop := context.AfterFunc(ctx, d.close)
	defer stop()
	err = ss.Wait()
	<-d.left
	if ctx.Err() != nil || errors.Is(err, io.EOF) || errors.Is(err, sdk.ErrConnectionClosed) {
		return ctx.Err()
	}
	return err
}

// Sessions lists the connected clients, the oldest first.
func (s *Server) Sessions() []Session {
	s.mu.Lock()
	var list []*clientSession
	for _, d := range s.clients {
		list = append(list, d)
	}
	s.mu.Unlock()
	out := make([]Session, len(list))
	for i, d := range list {
		out[i] = d.session()
	}
	slices.SortFunc(
		out, func(a, b Session) int { return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.Name, b.Name)) },
	)
	return out
}

// Stop ends a client's session: what it is doing is broken off, its tabs are closed, and
// its turns stay. It waits for that until ctx is done.
func (s *Server) Stop(ctx context.Context, id string) error {
	s.mu.Lock()
	d := s.clients[id]
	s.mu.Unlock()
	if d == nil {
		return fmt.Errorf("unknown MCP session %q", id)
	}
	d.close()
	select {
	case <-d.left:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close ends all sessions and waits for them. Browsers stay, as after a run.
func (s *Server) Close() error {
	s.mu.Lock()
	first := !s.gone
	s.gone = true
	var list []*clientSession
	for _, d := range s.clients {
		list = append(list, d)
	}
	s.mu.Unlock()
	if !first {
		<-s.closed
		return nil
	}
	defer close(s.closed)
	for _, d := range list {
		d.close()
	}
	s.work.Wait()
	if s.own {
		return s.host.Close()
	}
	return nil
}

// place waits until a call may begin, or ctx is done, and returns what lets the next one begin.
func (s *Server) place(ctx context.Context) (leave func(), err error) {
	select {
	case s.places <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	free := sync.OnceFunc(func() { <-s.places })
	timer := time.AfterFunc(placeLasts, free)
	return func() {
		timer.Stop()
		free()
	}, nil
}

// forRequest returns the server of a client over HTTP. One that is connected already
// has a session id, and its server is not requested again.
func (s *Server) forRequest(r *http.Request) *sdk.Server {
	if r.Header.Get("Mcp-Session-Id") != "" {
		return s.plain()
	}
	came, _ := r.Context().Value(arrivalKey{}).(*arrival)
	if came == nil {
		return nil // guard lets none through
	}
	if came.client == nil { // the SDK may ask twice
		d, err := s.newClient("http")
		if err != nil {
			s.opt.Log.Warn("a client was turned away", "why", err)
			return nil
		}
		came.client = d
	}
	return came.client.server
}

// arrival is the client that a request over HTTP makes, nil for none yet.
type arrival struct{ client *clientSession }

// arrivalKey is where a request's context has its arrival.
type arrivalKey struct{}

// plain is a server that knows which versions of the protocol there are, and no more.
func (s *Server) plain() *sdk.Server {
	return sdk.NewServer(s.me(), &sdk.ServerOptions{SupportedProtocolVersions: versions()})
}

func (s *Server) me() *sdk.Implementation {
	return &sdk.Implementation{Name: "refscope", Title: "Refscope", Version: cmp.Or(s.opt.Version, "dev")}
}

// versions are those of the protocol that have sessions. From 2026-07-28 on a client over
// HTTP has none, and there would be nobody whose tab and turns they were.
func versions() []string {
	return slices.DeleteFunc(
		slices.Clone(sdk.SupportedProtocolVersions()), func(v string) bool { return v >= "2026-07-28" },
	)
}

// folder names the session folder of a new client, which nobody else writes to until it is
// released: neither a client of this server nor one of another program. The lock is held.
func (s *Server) folder() (name string, free func(), err error) {
	base := s.name
	if base == "" {
		base = "mcp-" + time.Now().Format("20060102-150405")
	}
	locks := filepath.Join(s.opt.HostOptions.Home, "mcp")
	if err := os.MkdirAll(locks, 0o700); err != nil {
		return "", nil, fmt.Errorf("mcp: %w", err)
	}
	for n := 1; ; n++ {
		name := base
		if n > 1 {
			name += "-" + strconv.Itoa(n)
		}
		_, err := os.Stat(turn.SessionDir(s.opt.HostOptions.Home, name))
		there := err == nil && (n > 1 || s.name == "") // the requested folder is continued
		if s.names[name] || there {
			continue
		}
		lock := flock.New(filepath.Join(locks, name+".lock"), flock.SetPermissions(0o600))
		mine, err := lock.TryLock()
		if err != nil {
			return "", nil, fmt.Errorf("mcp: session %s: %w", name, err)
		}
		if mine {
			s.names[name] = true
			return name, func() { _ = lock.Close() }, nil // the file stays: another may wait for it
		}
	}
}

// errFull: no more clients are taken.
var errFull = errors.New("mcp: too many clients are connected, or the server has ended")

// room reports whether there is a place for another client. Where all are taken, the one that has been idle for longest
// gives up its own: programs that end without a word would otherwise lock everybody out until [Idle] has passed.
func (s *Server) room() bool {
	s.mu.Lock()
	free, gone := s.roomLocked()
	s.mu.Unlock()
	if gone != nil {
		gone.close()
	}
	return free
}

// roomLocked is room under the lock. The client that is returned must be closed without it.
func (s *Server) roomLocked() (free bool, gone *clientSession) {
	if s.gone || len(s.clients)+len(s.waiting) < s.opt.MaxSessions {
		return !s.gone, nil
	}
	for _, list := range []map[string]*clientSession{s.waiting, s.clients} {
		for _, c := range list {
			if c.Transport == "http" && c.idle() && (gone == nil || c.before(gone)) {
				gone = c
			}
		}
	}
	if gone == nil {
		return false, nil
	}
	s.opt.Log.Warn("a client that was idle for longest has made room for another", "session", gone.Name)
	delete(s.waiting, gone.ID)
	delete(s.clients, gone.ID)
	return true, gone
}

// admit reserves a place for a client that is about to initialize, and reports whether there was one.
func (s *Server) admit(c *clientSession) bool {
	s.mu.Lock()
	free, gone := s.roomLocked()
	if free {
		s.waiting[c.ID] = c
	}
	s.mu.Unlock()
	if gone != nil {
		gone.close()
	}
	return free
}

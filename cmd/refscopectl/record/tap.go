package record

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/tap"
	"github.com/refscope/refscope/capture/tap/launch"
	"github.com/refscope/refscope/capture/tap/mcp"
	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/snapshot/address"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/spf13/cobra"
)

// tapFlags are the flags of tap.
type tapFlags struct {
	dir       string
	listen    string
	upstreams []string
	noToken   bool
	origins   []string
	noBrowser bool
	env       bool     // print the variables
	command   []string // of the agent, that is run with the tap; nil for none
}

// Tap records what any agent sends to its model.
func Tap(a *cli.App) *cobra.Command {
	var f tapFlags
	c := &cobra.Command{
		Use:   "tap [-- COMMAND…]",
		Short: "record the requests of any agent, each with the page of its moment",
		Long: `Forwards an agent's requests to its vendor, byte for byte, and keeps each with its answer as a turn of a
session. With --attach, which names the agent's own Chrome, the page of that moment is captured and paired
with the request by its texts and its picture. Give the agent one of the base URLs that are printed. Keys
are forwarded and never stored.

With a COMMAND behind --, the agent is run with the variables set from which the vendors' SDKs read their
base URL, and the tap ends with it, with its exit status. Nothing is printed then but on standard error, when
the command has ended. Each Chrome that it starts is found by its debugging port. One that a program of Node.js
drives through a pipe, as Playwright in any language and Puppeteer do, has none: NODE_OPTIONS makes that program
start it with --remote-debugging-port=0 as well, which is reachable from this machine only. --no-browser changes
nothing, and records without pages.

What an extension of the agent's Chrome asks of a model is recorded too, without a base URL: Stagehand 4 is such an
agent.

Where standard output is no terminal, it is one JSON line when the tap listens, {"listening", "session",
"baseUrls": {"openai", …}}, and one for each turn, {"turn", "vendor", "model", "status", "paired", "score",
"capture"}; what is for people goes to standard error.`,
		Example: `  refscopectl tap -o out/session -- node agent.mjs
  refscopectl tap --attach 127.0.0.1:9222 -o out/session
  refscopectl tap -o out/session --upstream ollama=http://127.0.0.1:11434`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 && c.ArgsLenAtDash() != 0 {
				return cli.Usagef("tap: unexpected argument %q: write -- before the command of an agent", args[0])
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			f.command = args
			return runTap(c.Context(), a, &f)
		},
	}
	fs := c.Flags()
	fs.StringVarP(&f.dir, "output", "o", "", "the session folder `DIR`; created if missing")
	cli.Must(c.MarkFlagDirname("output"))
	fs.StringVar(&f.listen, "listen", "127.0.0.1:0",
		"listen at this `HOST:PORT` of the loopback interface; port 0 takes a free one")
	fs.StringArrayVar(&f.upstreams, "upstream", nil,
		"`NAME=URL` of a compatible host, or another address of openai, anthropic or gemini; may be given again")
	fs.StringArrayVar(&f.origins, "allow-origin", nil,
		"record what pages of this `ORIGIN`, such as https://app.example, ask of models, and let them call the tap: "+
			"agents inside a page; may be given again")
	fs.BoolVar(&f.env, "env", false,
		"print the variables that lead an agent to the tap as a shell reads them, NAME=URL, in the place of the JSON "+
			"line")
	fs.BoolVar(&f.noToken, "no-token", false,
		"leave the random word out of the base URLs: every user of this machine can use them")
	fs.BoolVar(&f.noBrowser, "no-browser", false,
		"look for no browser of the command, and leave NODE_OPTIONS as it is: requests have no pages")
	c.AddCommand(tapMCPCommand(a))
	return c
}

func runTap(ctx context.Context, a *cli.App, f *tapFlags) error {
	if f.noBrowser && (len(f.command) == 0 || a.Attach != "") {
		return cli.Usagef("tap: --no-browser is for a command behind --, and says something else than --attach")
	}
	if f.env && len(f.command) > 0 {
		return cli.Usagef("tap: --env prints variables for a shell, and the command behind -- gets them anyway: " +
			"leave one of them out")
	}
	if len(f.command) > 0 && cli.Terminal(a.Stderr) { // the agent may draw a screen there
		held := &heldWriter{to: a.Stderr}
		a.Stderr = held
		defer held.release()
	}
	o := tap.Options{Tool: cli.Tool(), Log: a.Log(), Origins: f.origins}
	for _, origin := range f.origins {
		if u, err := url.Parse(origin); err != nil || u.Host == "" || origin != u.Scheme+"://"+u.Host {
			return cli.Usagef("tap: --allow-origin %q: write it as a browser sends it, such as https://app.example",
				origin)
		}
	}
	for _, s := range f.upstreams {
		u, err := tap.ParseUpstream(s)
		if err != nil {
			return cli.Usagef("tap: --upstream %v", err)
		}
		o.Upstreams = append(o.Upstreams, u)
	}
	if err := checkListen("tap", f.listen); err != nil {
		return err
	}
	var err error
	if o.Store, err = openStore(ctx, a, "tap", f.dir); err != nil {
		return err
	}
	defer o.Store.Close()
	if !f.noToken {
		o.Token = rand.Text()
	}
	if a.Attach != "" {
		b, err := a.Start(ctx)
		if err != nil {
			return err
		}
		defer func() {
			if err := b.Close(); err != nil {
				a.Log().Debug("leaving the browser", "error", err)
			}
		}()
		o.Watcher = tap.Watch(b, a.Profiles(), o.Log)
		defer o.Watcher.Close(context.WithoutCancel(ctx))
		in, cancel := browser.Within(ctx, a.Timeout)
		err = o.Watcher.Prepare(in)
		cancel()
		if err != nil {
			return err
		}
	}
	if len(f.command) > 0 && o.Watcher == nil && !f.noBrowser {
		o.Watcher = tap.Watch(nil, a.Profiles(), o.Log) // of the browser that the command starts
		defer o.Watcher.Close(context.WithoutCancel(ctx))
	}
	if len(f.command) > 0 {
		defer noteTap(a, strings.Join(f.command, " "), o.Store.Path())()
	}
	a.Hush = len(f.command) > 0 || f.env
	return serveTap(ctx, a, f, o)
}

// noteTap lets the window see that a command runs behind a tap, and stop it, until the function that it returns is
// called.
func noteTap(a *cli.App, what, session string) (leave func()) {
	what = text.Start(text.Line(redact.Standard().Clean(what)), 100)
	if path, err := filepath.Abs(session); err == nil {
		session = path
	}
	leave, err := launch.Register(a.Home, launch.Running{What: what, Session: session, Began: time.Now()})
	if err != nil {
		a.Log().Debug("noting that a tap runs", "error", err)
		return func() {}
	}
	return leave
}

// checkListen reports an address to listen at that is not of the loopback interface.
func checkListen(command, listen string) error {
	host, _, err := net.SplitHostPort(listen)
	if err != nil || !address.IsLoopback(host) {
		return cli.Usagef("%s: --listen %q: write it as HOST:PORT of the loopback interface, such as 127.0.0.1:8900",
			command, listen)
	}
	return nil
}

// settingOf says what gives the browser that an agent drives through a pipe a port.
func settingOf(p launch.Piped) string {
	if p.ByCodex() {
		return "Codex starts its servers without the variables of the tap: add env_vars = [\"NODE_OPTIONS\"] to the " +
			"server in Codex's config.toml"
	}
	for _, argv := range p.Above {
		if s := mcp.Known(argv); s != nil {
			if help := s.HandHelp(); help != "" {
				return help
			}
		}
	}
	return p.Setting()
}

// WatchAgentsBrowsers watches the browsers that a command starts, as long as they run, until the context ends.
func WatchAgentsBrowsers(ctx context.Context, a *cli.App, w *tap.Watcher, pid int) {
	var watching sync.WaitGroup
	defer watching.Wait()
	err := launch.Browsers(ctx, pid, func(ctx context.Context, at string) {
		watching.Go(func() { w.Follow(ctx, at, a.Log()) })
	}, func(p launch.Piped) {
		a.Remark("tap: the agent drives its browser through a pipe, where nobody else can look, so its requests have "+
			"no pages: %s", settingOf(p))
	})
	if err != nil {
		a.Remark("tap: %v", err)
	}
}

// nodeEnv is the variable by which programs of Node.js give their browser a port; none where it cannot be had.
func nodeEnv(a *cli.App) []string {
	v, err := launch.NodeEnv(a.Home)
	if err != nil {
		a.Log().Debug("a browser that is driven through a pipe gets no port", "error", err)
		return nil
	}
	return []string{v}
}

// runAgent runs the command of --, and returns how it ended as an error with its exit code, nil for 0.
func runAgent(ctx context.Context, a *cli.App, f *tapFlags, t *tap.Tap, hostport string, o tap.Options) error {
	looking, stop := context.WithCancel(ctx)
	var finding sync.WaitGroup
	defer finding.Wait()
	defer stop()
	env := launch.Env(t.BaseURLs(hostport))
	if a.Attach == "" && !f.noBrowser {
		env = append(env, nodeEnv(a)...)
	}
	code, err := launch.Run(f.command, env, func(pid int) {
		if a.Attach == "" && !f.noBrowser {
			finding.Go(func() { WatchAgentsBrowsers(looking, a, o.Watcher, pid) })
		}
	})
	switch {
	case err != nil:
		return fmt.Errorf("tap: %w", err)
	case code != 0:
		return cli.ExitCode(code)
	}
	return nil
}

// serveTap listens until the context ends, and then lets the requests in progress end.
func serveTap(ctx context.Context, a *cli.App, f *tapFlags, o tap.Options) error {
	var printing sync.Mutex
	o.Recorded = func(n int, e *tap.Exchange) {
		printing.Lock()
		defer printing.Unlock()
		printExchange(a, n, e)
	}
	t, err := tap.New(o)
	if err != nil {
		return err
	}
	failed := make(chan error, 1)
	srv, err := t.Serve(ctx, f.listen, func(err error) { failed <- err })
	if err != nil {
		return fmt.Errorf("tap: --listen %s: %w: name another port, or 0 for a free one", f.listen, export.Cause(err))
	}
	var ended error
	if len(f.command) > 0 {
		ended = runAgent(ctx, a, f, t, srv.Addr, o)
	} else if ended = printBaseURLs(a, t, f, srv.Addr, o.Store.Path()); ended == nil {
		select {
		case err := <-failed:
			return fmt.Errorf("tap: %w", err)
		case <-ctx.Done():
		}
	}
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	srv.Close(end) // streams that it breaks off are recorded so
	// What was answered is saved, also where the disk is slow.
	saved, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	if err := t.Close(saved); err != nil {
		return errors.Join(err, ended)
	}
	if len(f.command) > 0 {
		list, _, err := o.Store.List(saved)
		if err == nil {
			a.Remark("%s in %s", text.Count(len(list), "turn", "turns"), o.Store.Path())
			var code cli.ExitCode
			switch ran := ended == nil || errors.As(ended, &code); {
			case len(list) > 0 || !ran:
			case t.Passed():
				a.Remark("Of the requests that came through the tap none asks a model in a protocol that is known.")
			default:
				a.Remark("No request came through the tap: %s.", launch.Elsewhere(f.command))
			}
		}
	}
	return ended
}

// vendor is the name of an upstream as it was given.
func vendor(upstream string) string { return strings.TrimPrefix(upstream, "compat/") }

// heldWriter keeps what is written to it until release, as long as it is not much, and hands on what comes after that.
type heldWriter struct {
	mu       sync.Mutex
	to       io.Writer
	held     bytes.Buffer
	lost     int // bytes that were too much
	released bool
}

// maxHeld is how much a heldWriter keeps, bytes.
const maxHeld = 64 << 10

func (w *heldWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.released:
		return w.to.Write(p)
	case w.held.Len()+len(p) <= maxHeld:
		return w.held.Write(p)
	}
	w.lost += len(p)
	return len(p), nil
}

// release writes what was held, and says how much was not.
func (w *heldWriter) release() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.released = true
	_, _ = w.held.WriteTo(w.to) // nobody can be told
	if w.lost > 0 {
		fmt.Fprintf(w.to, "%s of further remarks were not kept\n", text.Count(w.lost, "byte", "bytes"))
	}
}

// printBaseURLs prints what an agent is to be given.
func printBaseURLs(a *cli.App, t *tap.Tap, f *tapFlags, hostport, session string) error {
	if f.env {
		for _, line := range launch.Env(t.BaseURLs(hostport)) {
			name, url, _ := strings.Cut(line, "=")
			if err := a.Printf("export %s=%s\n", name, text.ShellWord(url)); err != nil {
				return err
			}
		}
		a.Remark("Start the agent with these. Ctrl+C ends the recording.")
		return nil
	}
	bases, variables := map[string]string{}, map[string]string{}
	lines := []string{}
	for _, u := range t.BaseURLs(hostport) {
		name := vendor(u.Upstream.Name)
		if bases[name] = u.URL; u.Upstream.Variable != "" {
			name = u.Upstream.Variable
			variables[name] = u.URL
		}
		lines = append(lines, name+"="+u.URL)
	}
	if a.JSON || !cli.Terminal(a.Stdout) {
		err := a.PrintJSON(map[string]any{"listening": "http://" + hostport, "session": session, "baseUrls": bases,
			"environment": variables})
		if err != nil || a.JSON {
			return err
		}
		for _, l := range lines {
			a.Remark("%s", l)
		}
	} else if err := a.PrintLines(lines); err != nil {
		return err
	}
	a.Remark("Start the agent with one of these. Ctrl+C ends the recording.")
	return nil
}

// printExchange prints a line about a turn that was recorded.
func printExchange(a *cli.App, n int, e *tap.Exchange) {
	if a.Hush { // an agent's own output goes there
		return
	}
	what := fmt.Sprintf("status %d", e.Status)
	if e.Error != "" {
		what = e.Error
	}
	usage := ""
	if e.Answer != nil && e.Answer.Usage.Input > 0 {
		usage = fmt.Sprintf(", %s in, %d out", text.Count(e.Answer.Usage.Input, "token", "tokens"),
			e.Answer.Usage.Output)
	}
	line := fmt.Sprintf("turn %d: %s %s: %s in %.1f s%s; %s", n, vendor(e.Upstream), target.Clean(e.Model),
		what, e.Ended/1000,
		usage, e.Pairing.Sentence())
	if !a.JSON && cli.Terminal(a.Stdout) {
		_ = a.Printf("%s\n", line)
		return
	}
	row := map[string]any{"turn": n, "vendor": vendor(e.Upstream), "model": e.Model, "status": e.Status,
		"paired": e.Pairing.Paired, "score": e.Pairing.Score, "ms": e.Ended}
	if e.Pairing.Paired {
		row["capture"] = n // the page is in the same turn
	}
	if e.Error != "" {
		row["error"] = e.Error
	}
	_ = a.PrintJSON(row)
	if !a.JSON {
		a.Remark("%s", line)
	}
}

// pairSession pairs requests that were recorded without a browser with the pages of a session.
func pairSession(ctx context.Context, a *cli.App, args []string, f *sessionFlags) error {
	if f.out == "" {
		return cli.Usagef("session pair: name the new session folder with -o DIR")
	}
	requests, err := a.OpenSession(args[0])
	if err != nil {
		return err
	}
	defer requests.Close()
	pages := requests
	if len(args) > 1 {
		if pages, err = a.OpenSession(args[1]); err != nil {
			return err
		}
		defer pages.Close()
	}
	into, err := turn.Create(ctx, turn.Dir(f.out), cli.Tool())
	if errors.Is(err, turn.ErrExists) {
		return fmt.Errorf("%w: choose another folder with -o", err)
	}
	if err != nil {
		return err
	}
	defer into.Close()
	var all []tap.Paired
	if err := tap.PairLater(ctx, requests, pages, into, func(p tap.Paired) { all = append(all, p) }); err != nil {
		return fmt.Errorf("session pair: %w", err)
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"session": f.out, "requests": cli.List(all)})
	}
	for _, p := range all {
		line := fmt.Sprintf("turn %d: %s", p.Turn, p.Pairing.Sentence())
		if p.Page > 0 {
			line = fmt.Sprintf("turn %d: the page of turn %d, score %.2f", p.Turn, p.Page, p.Pairing.Score)
		}
		if err := a.Printf("%s\n", text.Line(line)); err != nil {
			return err
		}
	}
	return nil
}

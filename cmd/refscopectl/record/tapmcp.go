package record

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/tap"
	"github.com/refscope/refscope/capture/tap/launch"
	"github.com/refscope/refscope/capture/tap/mcp"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/snapshot/diff"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/spf13/cobra"
)

// tapMCPFlags are the flags of tap mcp.
type tapMCPFlags struct {
	dir       string
	noBrowser bool
	url       string
	listen    string
	noToken   bool
	install   string // the client into whose file the tap is written
	remove    string
	file      string
	yes       bool
	dryRun    bool
	command   []string // of the server
}

// tapMCPCommand records a server of tools.
func tapMCPCommand(a *cli.App) *cobra.Command {
	var f tapMCPFlags
	c := &cobra.Command{
		Use:   "mcp -- SERVER…",
		Short: "record an MCP server: each call of a tool with its answer and its page",
		Long: `Runs an MCP server and passes on what its client writes and what it answers, byte for byte. ` +
			`Each call of a tool
becomes a turn of a session: what the model was given, what it asked for, and the page of that moment. Write it
before the server's command in the configuration of your client; standard output stays the server's.

For Playwright MCP, chrome-devtools-mcp and agent-browser it starts a Chrome, or attaches to the one that --attach
names, and hands it over by the server's own switch; it says so on standard error. What the server's switches say of
the browser, such as --headless, holds for it. Where they name a browser already, that one is watched. --no-browser
leaves all as it is, and records without pages.

With --url, the server runs already and is reached over streamable HTTP; --attach names the browser that it drives.
The first line on standard output has the address for the client, {"listening", "session", "url"}, and each turn is one
more, {"turn", "tool", "paired", "score", "ms"}.

With --install, the tap is written before the servers in a client's own file: those that are named, or all that are
known to drive a browser. The change is shown and asked for, and the file as it was is kept beside it; --remove takes
the tap out again. Restart the client then.`,
		Example: `  refscopectl tap mcp -- npx @playwright/mcp@latest
  refscopectl tap mcp -o out/session -- npx chrome-devtools-mcp@latest --headless
  refscopectl tap mcp --attach 127.0.0.1:9222 -- npx @playwright/mcp@latest
  refscopectl tap mcp --install cursor
  refscopectl tap mcp --url http://127.0.0.1:8931/mcp --attach 127.0.0.1:9222`,
		Args: func(c *cobra.Command, args []string) error {
			switch {
			case f.install != "" || f.remove != "":
				if f.install != "" && f.remove != "" || c.ArgsLenAtDash() >= 0 || f.remove != "" && len(args) > 0 {
					return cli.Usagef("tap mcp: write --install CLIENT [NAME…] or --remove CLIENT")
				}
				return nil
			case len(args) > 0 && c.ArgsLenAtDash() != 0:
				return cli.Usagef("tap mcp: unexpected argument %q: write -- before the command of the server", args[0])
			case f.url != "" && len(args) > 0:
				return cli.Usagef("tap mcp: --url names a server that runs, a command behind -- one to run: give one " +
					"of them")
			case len(args) == 0 && f.url == "":
				return cli.Usagef("tap mcp: name the server: refscopectl tap mcp -- npx @playwright/mcp@latest")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if f.install != "" || f.remove != "" {
				return installTap(c.Context(), a, &f, args)
			}
			if f.command = args; f.url != "" {
				return tapMCPAt(c.Context(), a, &f)
			}
			return tapMCP(c.Context(), a, &f)
		},
	}
	fs := c.Flags()
	fs.StringVarP(&f.dir, "output", "o", "",
		"the session folder `DIR`; created if missing; default a new session of the home folder")
	cli.Must(c.MarkFlagDirname("output"))
	var clients []string
	for _, client := range mcp.Clients() {
		clients = append(clients, client.Name)
	}
	fs.StringVar(&f.install, "install", "",
		"write the tap before the servers of this `CLIENT`: "+strings.Join(clients, ", "))
	fs.StringVar(&f.remove, "remove", "", "take the tap out of the file of this `CLIENT`")
	cli.CompleteFlag(c, "install", clients...)
	cli.CompleteFlag(c, "remove", clients...)
	fs.StringVar(&f.file, "config", "",
		"with --install and --remove, the client's `FILE`; default that of the project in this folder, else the user's")
	fs.BoolVar(&f.yes, "yes", false, "with --install and --remove, do not ask")
	fs.BoolVar(&f.dryRun, "dry-run", false, "with --install and --remove, show the change and do nothing")
	fs.StringVar(&f.url, "url", "",
		"the `ADDRESS` of a server that runs, over streamable HTTP: an address to give the client instead is printed")
	fs.StringVar(&f.listen, "listen", "127.0.0.1:0",
		"with --url, listen at this `HOST:PORT` of the loopback interface; port 0 takes a free one")
	fs.BoolVar(&f.noToken, "no-token", false,
		"with --url, leave the random word out of the address: every user of this machine can use it")
	cli.Needs(c, "listen", "url")
	cli.Needs(c, "no-token", "url")
	cli.Alone(c, "install", "config", "yes", "dry-run", "no-browser", "output")
	cli.Alone(c, "remove", "config", "yes", "dry-run")
	fs.BoolVar(&f.noBrowser, "no-browser", false, "hand no browser over, and record without pages")
	return c
}

// mcpSession is the session that the flags name, or a new one.
func mcpSession(ctx context.Context, a *cli.App, dir, server string) (*turn.Store, error) {
	if dir != "" || a.Session != "" {
		return openStore(ctx, a, "tap mcp", dir)
	}
	return createSession(ctx, newSession(a, server))
}

// newSession is the path of a new session of the home folder, which is named for a server and the time.
func newSession(a *cli.App, server string) string {
	name := "mcp-" + strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(server)), "-")
	return turn.SessionDir(a.Home, text.Start(name, 40)+"-"+time.Now().Format("20060102-150405"))
}

// createSession makes a session at a path, or beside it where another has been faster: clients start several servers at
// once, and each has a session of its own.
func createSession(ctx context.Context, path string) (*turn.Store, error) {
	for n, own := 2, path; ; n, own = n+1, fmt.Sprintf("%s-%d", path, n) {
		store, err := turn.Create(ctx, turn.Dir(own), cli.Tool())
		if !errors.Is(err, turn.ErrExists) {
			return store, err
		}
	}
}

// serverName names a server before it has named itself.
func serverName(known *mcp.Server, argv []string) string {
	if known != nil {
		return known.Name
	}
	return text.Start(text.Line(filepath.Base(argv[0])), 40)
}

func tapMCP(ctx context.Context, a *cli.App, f *tapMCPFlags) (err error) {
	known := mcp.Known(f.command)
	name := serverName(known, f.command)
	o := mcp.Options{Keeper: tap.Keeper{Tool: cli.Tool(), Rules: redact.Standard()}, Server: name, URL: "stdio:",
		Log: a.Log()}
	session, leave := newSession(a, name), func() {}
	note := func() { leave(); leave = noteTap(a, strings.Join(f.command, " "), session) }
	defer func() { leave() }()
	var store *turn.Store
	defer func() {
		if store != nil {
			store.Close()
		}
	}()
	if f.dir != "" || a.Session != "" {
		if store, err = openStore(ctx, a, "tap mcp", f.dir); err != nil {
			return err
		}
		session, o.Keeper.Store = store.Path(), store
	}
	o.Open = func(ctx context.Context) (*turn.Store, error) { // clients start servers that they do not use
		var err error
		if store, err = createSession(ctx, session); err == nil && store.Path() != session {
			session = store.Path()
			note()
		}
		return store, err
	}
	argv := f.command
	var env []string // further variables of the server
	if !f.noBrowser {
		in, cancel := context.WithTimeout(ctx, a.Timeout)
		b, err := known.OpenBrowser(in, argv, a.Browser(a.Log()), a.Remark)
		cancel()
		if err != nil {
			return err
		}
		defer func() {
			if err := b.Close(); err != nil {
				a.Log().Debug("leaving the browser", "error", err)
			}
		}()
		o.Watcher = tap.Watch(b.Watched, a.Profiles(), o.Log)
		defer o.Watcher.Close(context.WithoutCancel(ctx))
		if b.Handed != "" {
			argv, env = known.Hand(argv, b.Handed)
			env = append(env, launch.Direct()...)
		}
		o.Uids = known != nil && known.Uids
	}
	count := 0
	o.Recorded = func(int, *tap.Exchange) { count++ }
	note()
	r := mcp.NewRecorder(o)
	looking, stop := context.WithCancel(context.WithoutCancel(ctx))
	var finding sync.WaitGroup
	if o.Watcher != nil && !o.Watcher.Watches() { // the server starts its browser itself
		env = append(env, nodeEnv(a)...)
	}
	started := func(pid int) {
		if o.Watcher != nil && !o.Watcher.Watches() {
			finding.Go(func() { WatchAgentsBrowsers(looking, a, o.Watcher, pid) })
		}
	}
	code, err := mcp.Stdio{Argv: argv, Env: env, In: os.Stdin, Out: a.Stdout, Err: a.Stderr, Recorder: r,
		Started: started}.Run()
	saved, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Minute)
	defer cancel()
	closed := r.Close(saved)
	stop()
	finding.Wait()
	if store != nil {
		a.Remark("tap mcp: %s in %s", text.Count(count, "turn", "turns"), store.Path())
	} else {
		a.Remark("tap mcp: no tool was called, so no session is kept")
	}
	switch {
	case err != nil:
		return errors.Join(fmt.Errorf("tap mcp: %w", err), closed)
	case code != 0:
		if closed != nil { // the exit code is the server's own
			a.Remark("tap mcp: %v", closed)
		}
		return cli.ExitCode(code)
	}
	return closed
}

// tapMCPAt records a server that runs, over streamable HTTP, until the context ends.
func tapMCPAt(ctx context.Context, a *cli.App, f *tapMCPFlags) error {
	up, err := tap.ParseUpstream("mcp=" + f.url)
	if err != nil {
		return cli.Usagef("tap mcp: --url %s", strings.TrimPrefix(err.Error(), `"mcp": `))
	}
	if up.URL, err = url.Parse(f.url); err != nil {
		return cli.Usagef("tap mcp: --url %q cannot be read", f.url)
	}
	up.Name, up.Suffix = "mcp", ""
	if err := checkListen("tap mcp", f.listen); err != nil {
		return err
	}
	store, err := mcpSession(ctx, a, f.dir, up.URL.Hostname())
	if err != nil {
		return err
	}
	defer store.Close()
	rules := redact.Standard()
	o := mcp.Options{Keeper: tap.Keeper{Store: store, Tool: cli.Tool(), Rules: rules}, Server: up.URL.Host,
		URL: rules.Clean(f.url), Log: a.Log()}
	if a.Attach != "" && !f.noBrowser {
		b, err := a.Start(ctx)
		if err != nil {
			return err
		}
		defer b.Close()
		o.Watcher = tap.Watch(b, a.Profiles(), o.Log)
		defer o.Watcher.Close(context.WithoutCancel(ctx))
	}
	o.Recorded = func(n int, e *tap.Exchange) {
		row := map[string]any{"turn": n, "server": e.Upstream, "paired": e.Pairing.Paired, "score": e.Pairing.Score,
			"ms": e.Ended}
		if e.Answer != nil && len(e.Answer.Calls) > 0 {
			row["tool"] = e.Answer.Calls[0].Name
		}
		if e.Error != "" {
			row["error"] = e.Error
		}
		_ = a.PrintJSON(row)
	}
	r := mcp.NewRecorder(o)
	t := tap.Options{Upstreams: []tap.Upstream{up}, Only: true, Observe: r.Observe, Log: o.Log}
	if !f.noToken {
		t.Token = rand.Text()
	}
	err = listenFor(ctx, t, f.listen, func(hostport, base string) error {
		return a.PrintJSON(map[string]any{"listening": "http://" + hostport, "session": store.Path(), "url": base})
	})
	saved, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Minute)
	defer cancel()
	return errors.Join(err, r.Close(saved))
}

// listenFor serves a tap with one upstream until the context ends, and then lets the requests in progress end. ready is
// told where it listens, and the address for the client.
func listenFor(ctx context.Context, o tap.Options, listen string,
	ready func(hostport, base string) error) error {
	t, err := tap.New(o)
	if err != nil {
		return err
	}
	failed := make(chan error, 1)
	srv, err := t.Serve(ctx, listen, func(err error) { failed <- err })
	if err != nil {
		return fmt.Errorf("tap mcp: --listen %s: %w: name another port, or 0 for a free one", listen, export.Cause(err))
	}
	if err = ready(srv.Addr, t.BaseURLs(srv.Addr)[0].URL); err == nil {
		select {
		case err := <-failed:
			return fmt.Errorf("tap mcp: %w", err)
		case <-ctx.Done():
		}
	}
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	srv.Close(end)
	return errors.Join(err, t.Close(end))
}

// installTap writes the tap into a client's file, or takes it out.
func installTap(ctx context.Context, a *cli.App, f *tapMCPFlags, names []string) error {
	client, err := mcp.ClientOf(cmp.Or(f.install, f.remove))
	if err != nil {
		return cli.Usagef("tap mcp: %v", err)
	}
	folder, _ := os.Getwd() // without one, the user's file counts
	files := []string{f.file}
	if f.file == "" {
		home, _ := os.UserHomeDir() // without one, the project's file counts
		if files, err = client.Files(folder, home); err != nil {
			return fmt.Errorf("tap mcp: %w with --config", err)
		}
	}
	change := client.Unwrap
	if f.install != "" {
		line, err := tapLine(a, f)
		if err != nil {
			return err
		}
		change = func(file []byte) ([]byte, []string, error) { return client.Wrap(file, folder, line, names) }
	}
	name, before, after, servers, err := firstChanged(files, change)
	if err != nil {
		return fmt.Errorf("tap mcp: %w", err)
	}
	// Lines beside the change may hold keys.
	changes := redact.Standard().Clean(diff.Unified(diff.Lines(string(before), string(after)), name, name, 1, false))
	if a.JSON {
		err = a.PrintJSON(map[string]any{"file": name, "servers": servers, "diff": changes, "written": !f.dryRun})
	} else {
		err = a.Printf("%s", text.EscapeOnce(changes))
	}
	if err != nil {
		return err
	}
	if f.dryRun {
		a.Remark("nothing was done: leave --dry-run out")
		return nil
	}
	if !f.yes {
		if err := a.Agreed(ctx, "tap mcp", "Change the file of "+client.Title+" so?"); err != nil {
			return err
		}
	}
	if st, err := os.Stat(name); err == nil && st.Mode().Perm()&0o200 == 0 {
		return fmt.Errorf("tap mcp: %s is read-only: make it writable, or change it where it comes from", name)
	}
	if now, err := os.ReadFile(name); err != nil || !bytes.Equal(now, before) { // a client that runs writes it too
		return errors.Join(fmt.Errorf("tap mcp: %s was changed meanwhile: quit %s, then run it again", name,
			client.Title), err)
	}
	kept := name + ".before-refscope-" + time.Now().Format("20060102-150405") // one made before stays
	if err := export.WritePrivate(kept, before); err != nil {
		return err
	}
	if err := export.Write(name, after); err != nil {
		return err
	}
	what := "the tap is before"
	if f.install == "" {
		what = "the tap is out of"
	}
	a.Remark("%s: %s; the file as it was is %s. Restart %s.", what, strings.Join(servers, ", "), kept, client.Title)
	return nil
}

// tapLine is the command line that goes before a server's own, up to "--".
func tapLine(a *cli.App, f *tapMCPFlags) ([]string, error) {
	own, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("tap mcp: the path of this program is not known: %w", err)
	}
	line := []string{own, "tap", "mcp"}
	if a.Home != cli.DefaultHome() {
		line = append(line, "--home", a.Home)
	}
	if a.Session != "" {
		line = append(line, "--session", a.Session)
	}
	if f.dir != "" {
		dir, err := filepath.Abs(f.dir) // the client starts it in another folder
		if err != nil {
			return nil, fmt.Errorf("tap mcp: --output: %w", err)
		}
		line = append(line, "--output", dir)
	}
	if f.noBrowser {
		line = append(line, "--no-browser")
	}
	if a.Attach != "" {
		line = append(line, "--attach", a.Attach)
	}
	return line, nil
}

// firstChanged is the first of a client's files in which there is something to change: its name, with links resolved,
// as it is and as it is to be, and the servers that are changed.
func firstChanged(files []string, change func([]byte) ([]byte, []string, error)) (name string, before, after []byte,
	servers []string, err error) {
	var all []error
	for _, file := range files {
		if name, err = filepath.EvalSymlinks(file); err != nil { // a link stays one
			return "", nil, nil, nil, err
		}
		if before, err = os.ReadFile(name); err != nil {
			return "", nil, nil, nil, err
		}
		if after, servers, err = change(before); err == nil {
			return name, before, after, servers, nil
		}
		all = append(all, fmt.Errorf("%s: %w", name, err))
	}
	return "", nil, nil, nil, errors.Join(all...)
}

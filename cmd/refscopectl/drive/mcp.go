package drive

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/agent/mcp"
	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/loopback"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/snapshot/address"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/spf13/cobra"
)

// tokenVariable names the environment variable that a bearer token may be given in.
const tokenVariable = "REFSCOPE_MCP_TOKEN"

// mcpFlags are the flags of mcp.
type mcpFlags struct {
	http      string
	tokenFile string
	remote    bool
	format    string
	secrets   bool
	keep      bool
	sessions  bool
	config    string
	writes    session.PageWrites
}

// MCP serves agents by the Model Context Protocol (W-7): one on standard input and
// output, which then carry nothing else, or any number over HTTP.
func MCP(a *cli.App) *cobra.Command {
	var f mcpFlags
	c := &cobra.Command{
		Use: "mcp", Short: "the MCP server for agents, on standard input and output or over HTTP",
		Example: `  refscopectl mcp --config claude-code
  refscopectl mcp --http 127.0.0.1:8931`,
		RunE: func(c *cobra.Command, args []string) error { return serveMCP(c.Context(), a, &f, args) },
	}
	var clients []string
	for _, client := range mcp.Clients() {
		clients = append(clients, client.Name)
	}
	fs := c.Flags()
	fs.StringVar(&f.http, "http", "", "serve streamable HTTP at this `HOST:PORT`, such as 127.0.0.1:8931, "+
		"instead of standard input and output; port 0 takes a free one")
	fs.StringVar(&f.tokenFile, "token-file", "",
		"http: write the bearer token to this `FILE` instead of standard error; $"+
			tokenVariable+" gives one, else it is made")
	fs.BoolVar(&f.remote, "allow-remote", false,
		"http: listen on an address that other machines can reach, and answer to any host name")
	fs.StringVar(&f.format, "format", string(format.Wraith),
		"text `FORMAT` of pages where a call names none: "+cli.FormatNames())
	fs.BoolVar(&f.secrets, "allow-secrets", false,
		"give agents the values of password, code and card fields; no turn has them")
	fs.BoolVar(&f.keep, "keep", false, "leave the tabs of a client that has left open")
	fs.BoolVar(&f.sessions, "read-sessions", false,
		"let agents read the recorded sessions of the home folder as resources: "+
			"requests, the text that the model was given, findings")
	fs.StringVar(&f.config, "config", "", "print what connects a `CLIENT` to this, and do no more: "+strings.Join(
		clients,
		" | "))
	filesFlag(a, c)
	cli.RegisterWrites(c, &f.writes)
	cli.CompleteFlag(c, "format", cli.FormatList()...)
	cli.CompleteFlag(c, "config", clients...)
	return c
}

func serveMCP(ctx context.Context, a *cli.App, f *mcpFlags, args []string) error {
	if len(args) > 0 {
		return cli.Usagef("mcp: %q: it takes flags only: see refscopectl mcp --help", args[0])
	}
	if err := f.check(a); err != nil {
		return err
	}
	if f.config != "" {
		return printConfig(a, f)
	}
	o, err := mcpOptions(a, f)
	if err != nil {
		return err
	}
	if f.http == "" {
		return serveStdio(ctx, a, o)
	}
	return serveHTTP(ctx, a, f, o)
}

func (f *mcpFlags) check(a *cli.App) error {
	if a.Session != "" {
		if err := turn.CheckName(a.Session); err != nil {
			return &target.UsageError{Text: "--session: " + err.Error()}
		}
	}
	switch {
	case !cli.IsFormat(f.format):
		return cli.Usagef("mcp: unknown format %q: choose from %s", f.format, cli.FormatNames())
	case f.config != "" && f.http != "" && (f.secrets || f.keep || f.sessions || f.tokenFile != "" ||
		len(a.Files) > 0 ||
		f.writes != (session.PageWrites{}) || f.format != string(format.Wraith)):
		return cli.Usagef("mcp: --config with --http prints an address alone: give the other flags to the server " +
			"that listens there")
	case f.http == "" && (f.tokenFile != "" || f.remote):
		return cli.Usagef("mcp: --token-file and --allow-remote go with --http ADDRESS")
	case f.http == "":
		return nil
	}
	host, _, err := net.SplitHostPort(f.http)
	if err != nil {
		return cli.Usagef("mcp: --http %q: write it as HOST:PORT, such as 127.0.0.1:8931", f.http)
	}
	if !f.remote && !address.IsLoopback(host) {
		return cli.Usagef("mcp: --http %s can be reached from other machines, and whoever has the token operates the "+
			"browser: use 127.0.0.1, or add --allow-remote", f.http)
	}
	return nil
}

// mcpOptions are those of the server.
func mcpOptions(a *cli.App, f *mcpFlags) (mcp.Options, error) {
	s, err := a.Settings(nil)
	if err != nil {
		return mcp.Options{}, err
	}
	o := mcp.Options{
		HostOptions: s.HostBeside(a), Profiles: a.Profiles(), Session: a.Session, Format: dump.Format(f.format),
		AllowSecrets: f.secrets, KeepTabs: f.keep, ReadSessions: f.sessions, Files: s.Files, Roots: s.Roots,
		Timeout: s.Timeout, Writes: f.writes,
		AllowRemote: f.remote, Version: cli.Version, Log: a.Log(),
	}
	if f.http != "" {
		if o.Token = os.Getenv(tokenVariable); o.Token == "" {
			o.Token = mcp.NewToken()
		}
	}
	return o, nil
}

func serveStdio(ctx context.Context, a *cli.App, o mcp.Options) error {
	s, err := mcp.New(o)
	if err != nil {
		return err
	}
	in, out := os.Stdin, os.Stdout
	err = s.ServeStdio(ctx, in, out)
	if cerr := s.Close(); cerr != nil {
		a.Log().Debug("leaving the browsers", "error", cerr)
	}
	if errors.Is(err, context.Canceled) {
		return nil // it was ended, and is well
	}
	return err
}

func serveHTTP(ctx context.Context, a *cli.App, f *mcpFlags, o mcp.Options) error {
	s, err := mcp.New(o)
	if err != nil {
		return err
	}
	var srv *loopback.Server
	defer func() {
		if err := s.Close(); err != nil { // first: streams end with their sessions
			a.Log().Debug("leaving the browsers", "error", err)
		}
		if srv != nil {
			end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
			defer cancel()
			srv.Close(end)
		}
	}()
	failed := make(chan error, 1)
	if srv, err = s.Serve(ctx, f.http, func(err error) { failed <- err }); err != nil {
		return fmt.Errorf("mcp: --http %s: %w: name another port, or 0 for a free one", f.http, export.Cause(err))
	}
	address := "http://" + srv.Addr + "/"
	if f.tokenFile != "" {
		if err := export.WritePrivate(f.tokenFile, []byte(o.Token+"\n")); err != nil {
			return err
		}
	}
	// What a person needs to connect, --quiet or not.
	switch {
	case f.tokenFile != "":
		fmt.Fprintf(a.Stderr, "MCP server at %s\nThe bearer token is in %s.\n", address, f.tokenFile)
	case os.Getenv(tokenVariable) != "":
		fmt.Fprintf(a.Stderr, "MCP server at %s\nThe bearer token is that of $%s.\n", address, tokenVariable)
	default:
		fmt.Fprintf(a.Stderr, "MCP server at %s\nBearer token: %s\n", address, o.Token)
	}
	select {
	case err := <-failed:
		return fmt.Errorf("mcp: %w", err)
	case <-ctx.Done():
		return nil
	}
}

// printConfig prints what connects a client.
func printConfig(a *cli.App, f *mcpFlags) error {
	if err := a.OneBrowser(); err != nil {
		return err
	}
	p := mcp.Place{Home: a.Home, Session: a.Session}
	if os.Getenv("REFSCOPE_HOME") == "" && a.Home == cli.DefaultHome() {
		p.Home = ""
	}
	if f.http != "" {
		p = mcp.Place{URL: "http://" + f.http + "/", Token: os.Getenv(tokenVariable)}
	} else {
		_, program, err := cli.Build()
		if err != nil {
			return err
		}
		p.Program = program
		if a.Attach != "" {
			p.Args = append(p.Args, "--attach", a.Attach)
		}
		for _, root := range a.Files {
			if root, err = cli.OpenedFolder(root); err != nil {
				return err
			}
			p.Args = append(p.Args, "--files", root)
		}
		if f.format != string(format.Wraith) {
			p.Args = append(p.Args, "--format", f.format)
		}
		for _, on := range []struct {
			set  bool
			flag string
		}{{f.secrets, "--allow-secrets"}, {f.keep, "--keep"}, {f.sessions, "--read-sessions"}, {f.writes.Stamp,
			"--stamp"},
			{f.writes.DebugSurface, "--debug-surface"}} {
			if on.set {
				p.Args = append(p.Args, on.flag)
			}
		}
	}
	config, err := mcp.Config(f.config, p)
	if err != nil {
		return &target.UsageError{Text: "mcp: --config: " + err.Error()}
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"client": f.config, "config": config})
	}
	return a.PrintBytes([]byte(config))
}

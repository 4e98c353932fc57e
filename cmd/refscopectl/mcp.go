package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/agent/mcp"
	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/loopback"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/target"
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

// mcpCommand serves agents by the Model Context Protocol (W-7): one on standard input and
// output, which then carry nothing else, or any number over HTTP.
func mcpCommand(a *app) *cobra.Command {
	var f mcpFlags
	c := &cobra.Command{
		Use: "mcp", Short: "the MCP server for agents, on standard input and output or over HTTP",
		Example: `  refscopectl mcp --config claude-code
  refscopectl mcp --http 127.0.0.1:8931`,
		RunE: func(c *cobra.Command, args []string) error { return a.serveMCP(c.Context(), &f, args) },
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
		"text `FORMAT` of pages where a call names none: "+formatNames())
	fs.BoolVar(&f.secrets, "allow-secrets", false,
		"give agents the values of password, code and card fields; no turn has them")
	fs.BoolVar(&f.keep, "keep", false, "leave the tabs of a client that has left open")
	fs.BoolVar(&f.sessions, "read-sessions", false,
		"let agents read the recorded sessions of the home folder as resources: "+
			"requests, the text that the model was given, findings")
	fs.StringVar(&f.config, "config", "", "print what connects a `CLIENT` to this, and do no more: "+strings.Join(
		clients,
		" | "))
	a.filesFlag(c)
	registerWrites(c, &f.writes)
	completeFlag(c, "format", formatList()...)
	completeFlag(c, "config", clients...)
	return c
}

func (a *app) serveMCP(ctx context.Context, f *mcpFlags, args []string) error {
	if len(args) > 0 {
		return usagef("mcp: %q: it takes flags only: see refscopectl mcp --help", args[0])
	}
	if err := f.check(a); err != nil {
		return err
	}
	if f.config != "" {
		return a.printConfig(f)
	}
	o, err := a.mcpOptions(f)
	if err != nil {
		return err
	}
	if f.http == "" {
		return a.serveStdio(ctx, o)
	}
	return a.serveHTTP(ctx, f, o)
}

func (f *mcpFlags) check(a *app) error {
	if a.session != "" {
		if err := turn.CheckName(a.session); err != nil {
			return &target.UsageError{Text: "--session: " + err.Error()}
		}
	}
	switch {
	case !isFormat(f.format):
		return usagef("mcp: unknown format %q: choose from %s", f.format, formatNames())
	case f.config != "" && f.http != "" && (f.secrets || f.keep || f.sessions || f.tokenFile != "" ||
		len(a.files) > 0 ||
		f.writes != (session.PageWrites{}) || f.format != string(format.Wraith)):
		return usagef("mcp: --config with --http prints an address alone: give the other flags to the server that " +
			"listens there")
	case f.http == "" && (f.tokenFile != "" || f.remote):
		return usagef("mcp: --token-file and --allow-remote go with --http ADDRESS")
	case f.http == "":
		return nil
	}
	host, _, err := net.SplitHostPort(f.http)
	if err != nil {
		return usagef("mcp: --http %q: write it as HOST:PORT, such as 127.0.0.1:8931", f.http)
	}
	if ip := net.ParseIP(host); !f.remote && host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return usagef("mcp: --http %s can be reached from other machines, and whoever has the token operates the "+
			"browser: use 127.0.0.1, or add --allow-remote", f.http)
	}
	return nil
}

// mcpOptions are those of the server.
func (a *app) mcpOptions(f *mcpFlags) (mcp.Options, error) {
	s, err := a.settings(nil)
	if err != nil {
		return mcp.Options{}, err
	}
	o := mcp.Options{
		HostOptions: s.hostBeside(a), Profiles: a.profiles(), Session: a.session, Format: dump.Format(f.format),
		AllowSecrets: f.secrets, KeepTabs: f.keep, ReadSessions: f.sessions, Files: s.Files, Roots: s.Roots,
		Timeout: s.Timeout, Writes: f.writes,
		AllowRemote: f.remote, Version: version, Log: a.log(),
	}
	if f.http != "" {
		if o.Token = os.Getenv(tokenVariable); o.Token == "" {
			o.Token = mcp.NewToken()
		}
	}
	return o, nil
}

func (a *app) serveStdio(ctx context.Context, o mcp.Options) error {
	s, err := mcp.New(o)
	if err != nil {
		return err
	}
	in, out := os.Stdin, os.Stdout
	err = s.ServeStdio(ctx, in, out)
	if cerr := s.Close(); cerr != nil {
		a.log().Debug("leaving the browsers", "error", cerr)
	}
	if errors.Is(err, context.Canceled) {
		return nil // it was ended, and is well
	}
	return err
}

func (a *app) serveHTTP(ctx context.Context, f *mcpFlags, o mcp.Options) error {
	l, err := loopback.Listen(ctx, f.http)
	if err != nil {
		return fmt.Errorf("mcp: --http %s: %w: name another port, or 0 for a free one", f.http, export.Cause(err))
	}
	s, err := mcp.New(o)
	if err != nil {
		_ = l.Close()
		return err
	}
	defer func() {
		if cerr := s.Close(); cerr != nil {
			a.log().Debug("leaving the browsers", "error", cerr)
		}
	}()
	address := "http://" + l.Addr().String() + "/"
	if f.tokenFile != "" {
		if err := export.WritePrivate(f.tokenFile, []byte(o.Token+"\n")); err != nil {
			_ = l.Close()
			return err
		}
	}
	// What a person needs to connect, --quiet or not.
	switch {
	case f.tokenFile != "":
		fmt.Fprintf(a.stderr, "MCP server at %s\nThe bearer token is in %s.\n", address, f.tokenFile)
	case os.Getenv(tokenVariable) != "":
		fmt.Fprintf(a.stderr, "MCP server at %s\nThe bearer token is that of $%s.\n", address, tokenVariable)
	default:
		fmt.Fprintf(a.stderr, "MCP server at %s\nBearer token: %s\n", address, o.Token)
	}
	srv := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute}
	done := make(chan error, 1)
	go func() { done <- srv.Serve(l) }() // ends with the server, which is waited for
	select {
	case err = <-done:
		return fmt.Errorf("mcp: %w", err)
	case <-ctx.Done():
	}
	// Streams end with their sessions, or Shutdown would wait for them.
	if cerr := s.Close(); cerr != nil {
		a.log().Debug("leaving the browsers", "error", cerr)
	}
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := srv.Shutdown(end); err != nil {
		_ = srv.Close()
	}
	<-done
	return nil
}

// printConfig prints what connects a client.
func (a *app) printConfig(f *mcpFlags) error {
	if err := a.oneBrowser(); err != nil {
		return err
	}
	p := mcp.Place{Home: a.home, Session: a.session}
	if os.Getenv("REFSCOPE_HOME") == "" && a.home == defaultHome() {
		p.Home = ""
	}
	if f.http != "" {
		p = mcp.Place{URL: "http://" + f.http + "/", Token: os.Getenv(tokenVariable)}
	} else {
		_, program, err := build()
		if err != nil {
			return err
		}
		p.Program = program
		if a.attach != "" {
			p.Args = append(p.Args, "--attach", a.attach)
		}
		for _, root := range a.files {
			if root, err = openedFolder(root); err != nil {
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
	if a.json {
		return a.printJSON(map[string]any{"client": f.config, "config": config})
	}
	return a.printBytes([]byte(config))
}

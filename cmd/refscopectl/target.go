package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/refscope/refscope/capture/inspect"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// targetHelp describes what a TARGET can be; it is in the help of the program.
const targetHelp = `TARGET is an http(s) URL, the path of an .html file (served on loopback with its folder),
the alias of a tab (t1) or its id in the browser, as "browser tabs" lists them, a turn (SESSION#N or its
folder), a capture (.json), or - for a page or a capture on standard input. Turns and captures need no
browser.`

// oneTarget is the usage message of a command that reads one target.
const oneTarget = "name one turn (SESSION#N), capture (.json), .html file, tab or URL"

// checkPages refuses targets that cannot be opened in a tab, before any is opened.
func (a *app) checkPages(command string, names []string) error {
	for _, name := range names {
		t, err := target.Parse(a.home, name)
		var wrong *target.UsageError
		switch {
		case errors.As(err, &wrong):
			return err
		case t.Recorded():
			return usagef("%s: %s is a turn already: name a URL or an .html file", command, name)
		}
	}
	return nil
}

// store opens the session with that name in the home folder, or makes it.
func (a *app) store(ctx context.Context, name string) (*turn.Store, error) {
	return target.OpenStore(ctx, a.home, name, tool())
}

// runOf is the session that a target names, or that of the turn that it names with the number of that. Who gets it
// closes the store.
func (a *app) runOf(name string) (inspect.Run, []int, error) {
	var turns []int
	session := name
	if at, ok := target.ParseTurn(a.home, name); ok {
		session, turns = at.Dir, []int{at.N}
		name = strings.TrimSuffix(name, fmt.Sprintf("#%d", at.N))
	}
	store, err := a.openSession(session)
	return inspect.Run{Name: name, Store: store}, turns, err
}

// opener opens the targets of a command as the global flags say.
func (a *app) opener() *target.Opener {
	return &target.Opener{Options: target.Options{
		Home: a.home, Session: a.session, Tool: tool(), Timeout: a.timeout, Width: a.width, Height: a.height,
		Device: a.device, Pool: a.pool, Profiles: a.profiles(), Log: a.log(), Remark: a.remark,
		Launch: a.start, Host: a.host, Kept: a.brokerSecrets, Piped: a.pipedTarget,
	}}
}

// printKept prints the alias of a tab that --keep left open, also with --quiet: it is a
// result of the command.
func (a *app) printKept(r *target.Opened) {
	if r.Tab != "" {
		fmt.Fprintf(a.stderr, "tab %s\n", r.Tab)
	}
}

// captureFlags describe how a page is captured: snap, mark, turn, audit, tokens, golden and task
// share them, --keep and what is written into the page only where they are requested.
type captureFlags struct {
	settle session.Settle
	keep   bool
	writes session.PageWrites
	jobs   int
}

const captureSection = "How the page is captured"

func (f *captureFlags) register(c *cobra.Command) {
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	fs.DurationVar(&f.settle.Quiet, "settle", 0,
		"`TIME` that the page must be quiet; 0 is the site's profile, else 300ms")
	fs.DurationVar(&f.settle.Max, "settle-max", 0, "`TIME` to wait for that; 0 is the site's profile, else 3s")
	addSection(c, captureSection, fs)
}

// registerKeep adds --keep.
func (f *captureFlags) registerKeep(c *cobra.Command) {
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	fs.BoolVar(&f.keep, "keep", false,
		"leave the tab open, in the browser that run uses, and print its alias on standard error")
	addSection(c, captureSection, fs)
}

// registerWrites adds --stamp and --debug-surface.
func registerWrites(c *cobra.Command, w *session.PageWrites) {
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	fs.BoolVar(&w.Stamp, "stamp", false, "write the numbers into the page as data-llm-id; it changes the page")
	fs.BoolVar(&w.DebugSurface, "debug-surface", false,
		"give the page window.__dddkDebug with its dump and messages; it changes the page")
	addSection(c, captureSection, fs)
}

// remarkRules says which lines of the site's profile did nothing in a capture.
func remarkRules(a *app, r *target.Opened) {
	if r.Shot.Capture == nil {
		return
	}
	for _, failed := range r.Shot.Capture.Failed {
		if failed.Layer == snapshot.LayerProfile {
			a.remark("%s", failed.Why)
		}
	}
}

// remarkLost warns that what was written was lost with the closed tab.
func (f *captureFlags) remarkLost(a *app, r *target.Opened) {
	if f.writes != (session.PageWrites{}) && r.Record == nil && r.Tab == "" {
		a.remark("%s: what --stamp and --debug-surface wrote went with its tab: add --keep, or name a tab that is open",
			target.Clean(r.Name))
	}
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/refscope/refscope/capture/inspect"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TargetHelp describes what a TARGET can be; it is in the help of the program.
const TargetHelp = `TARGET is an http(s) URL, the path of an .html file (served on loopback with its folder),
the alias of a tab (t1) or its id in the browser, as "browser tabs" lists them, a turn (SESSION#N or its
folder), a capture (.json), or - for a page or a capture on standard input. Turns and captures need no
browser.`

// OneTarget is the usage message of a command that reads one target.
const OneTarget = "name one turn (SESSION#N), capture (.json), .html file, tab or URL"

// CheckPages refuses targets that cannot be opened in a tab, before any is opened.
func (a *App) CheckPages(command string, names []string) error {
	for _, name := range names {
		t, err := target.Parse(a.Home, name)
		var wrong *target.UsageError
		switch {
		case errors.As(err, &wrong):
			return err
		case t.Recorded():
			return Usagef("%s: %s is a turn already: name a URL or an .html file", command, name)
		}
	}
	return nil
}

// Store opens the session with that name in the home folder, or makes it.
func (a *App) Store(ctx context.Context, name string) (*turn.Store, error) {
	return target.OpenStore(ctx, a.Home, name, Tool())
}

// RunOf is the session that a target names, or that of the turn that it names with the number of that. Who gets it
// closes the store.
func (a *App) RunOf(name string) (inspect.Run, []int, error) {
	var turns []int
	session := name
	if at, ok := target.ParseTurn(a.Home, name); ok {
		session, turns = at.Dir, []int{at.N}
		name = strings.TrimSuffix(name, fmt.Sprintf("#%d", at.N))
	}
	store, err := a.OpenSession(session)
	return inspect.Run{Name: name, Store: store}, turns, err
}

// Opener opens the targets of a command as the global flags say.
func (a *App) Opener() *target.Opener {
	return &target.Opener{Options: target.Options{
		Home: a.Home, Session: a.Session, Tool: Tool(), Timeout: a.Timeout, Width: a.Width, Height: a.Height,
		Device: a.device, Pool: a.Pool, Profiles: a.Profiles(), Log: a.Log(), Remark: a.Remark,
		Launch: a.Start, Host: a.host, Kept: a.BrokerSecrets, Piped: a.pipedTarget,
	}}
}

// PrintKept prints the alias of a tab that --keep left open, also with --quiet: it is a
// result of the command.
func (a *App) PrintKept(r *target.Opened) {
	if r.Tab != "" {
		fmt.Fprintf(a.Stderr, "tab %s\n", r.Tab)
	}
}

// CaptureFlags describe how a page is captured: snap, mark, turn, audit, tokens, golden and task
// share them, --keep and what is written into the page only where they are requested.
type CaptureFlags struct {
	Settle session.Settle
	Keep   bool
	Writes session.PageWrites
	Jobs   int
}

const captureSection = "How the page is captured"

// Register adds those that all of them have.
func (f *CaptureFlags) Register(c *cobra.Command) {
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	fs.DurationVar(&f.Settle.Quiet, "settle", 0,
		"`TIME` that the page must be quiet; 0 is the site's profile, else 300ms")
	fs.DurationVar(&f.Settle.Max, "settle-max", 0, "`TIME` to wait for that; 0 is the site's profile, else 3s")
	AddSection(c, captureSection, fs)
}

// RegisterKeep adds --keep.
func (f *CaptureFlags) RegisterKeep(c *cobra.Command) {
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	fs.BoolVar(&f.Keep, "keep", false,
		"leave the tab open, in the browser that run uses, and print its alias on standard error")
	AddSection(c, captureSection, fs)
}

// RegisterWrites adds --stamp and --debug-surface.
func RegisterWrites(c *cobra.Command, w *session.PageWrites) {
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	fs.BoolVar(&w.Stamp, "stamp", false, "write the numbers into the page as data-llm-id; it changes the page")
	fs.BoolVar(&w.DebugSurface, "debug-surface", false,
		"give the page window.__dddkDebug with its dump and messages; it changes the page")
	AddSection(c, captureSection, fs)
}

// RemarkRules says which lines of the site's profile did nothing in a capture.
func RemarkRules(a *App, r *target.Opened) {
	if r.Shot.Capture == nil {
		return
	}
	for _, failed := range r.Shot.Capture.Failed {
		if failed.Layer == snapshot.LayerProfile {
			a.Remark("%s", failed.Why)
		}
	}
}

// RemarkLost warns that what was written was lost with the closed tab.
func (f *CaptureFlags) RemarkLost(a *App, r *target.Opened) {
	if f.Writes != (session.PageWrites{}) && r.Record == nil && r.Tab == "" {
		a.Remark("%s: what --stamp and --debug-surface wrote went with its tab: add --keep, or name a tab that is open",
			target.Clean(r.Name))
	}
}

// OpenSession opens a session by its name in the home folder, or by the path of its
// folder or file. The caller closes it.
func (a *App) OpenSession(name string) (*turn.Store, error) {
	path := name
	if turn.CheckName(name) == nil {
		if _, err := os.Stat(filepath.Join(name, "session.json")); err != nil {
			path = turn.SessionDir(a.Home, name)
		}
	}
	s, err := turn.OpenPath(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: refscopectl session list lists them", err)
	}
	if err != nil {
		return nil, fmt.Errorf("session %s: %w", name, err)
	}
	return s, nil
}

// RegisterJobs adds --jobs, of commands that capture several pages.
func (f *CaptureFlags) RegisterJobs(c *cobra.Command) {
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	fs.IntVar(&f.Jobs, "jobs", 1,
		"capture `N` pages at a time, in tabs of one browser; results keep the order of the pages")
	AddSection(c, captureSection, fs)
}

// maxJobs bounds --jobs: each page takes a renderer process of 100 MB and more.
const maxJobs = 64

// CheckJobs refuses a number that --jobs cannot be.
func (f *CaptureFlags) CheckJobs(command string) error {
	if f.Jobs < 1 || f.Jobs > maxJobs {
		return Usagef("%s: --jobs %d: choose a number from 1 to %d", command, f.Jobs, maxJobs)
	}
	return nil
}

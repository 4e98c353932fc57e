package view

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/network"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/spf13/cobra"
)

// networkFlags are the flags of network.
type networkFlags struct {
	capture cli.CaptureFlags
	sort    string
	failed  bool
}

// Network lists what a page loaded.
func Network(a *cli.App) *cobra.Command {
	var f networkFlags
	c := &cobra.Command{
		Use: "network TARGET|SESSION…", Short: "what a page loaded, what failed, and what was under way",
		Long: `Lists the requests of a turn's page, its frames and workers: ` +
			`status, type, size, time; what failed comes first.
Secrets in addresses are marks; headers, cookies and bodies are not kept. Of a session it lists those of each
turn. In the order of time (--sort time) the lines of the console are among them.
refscopectl session export --as har writes the requests of a session as an HTTP Archive.`,
		Example: `  refscopectl network out/session#1
  refscopectl network assets/demo/index.html --sort time
  refscopectl network out/session --failed --json`,
		ValidArgsFunction: a.Targets(),
		RunE:              func(c *cobra.Command, args []string) error { return runNetwork(c.Context(), a, &f, args) },
	}
	fs := c.Flags()
	fs.StringVar(&f.sort, "sort", string(network.ByProblem),
		"the order: `"+strings.Join(cli.Strings(network.Sorts()), "|")+"`")
	fs.BoolVar(&f.failed, "failed", false, "only those that failed or were answered with an error")
	cli.CompleteFlag(c, "sort", cli.Strings(network.Sorts())...)
	f.capture.Register(c)
	return c
}

// Loaded is the network layer of a turn as network prints it with --json.
type Loaded struct {
	Target   string             `json:"target"`
	NoPage   string             `json:"noPage,omitempty"` // why no page belongs to the turn
	URL      string             `json:"url"`
	Since    *time.Time         `json:"since"` // null where nothing was recorded
	Requests []*network.Request `json:"requests"`
	LeftOut  int                `json:"leftOut,omitempty"`
	// Console are the lines of the page's console, with their times.
	Console []network.Line `json:"console"`
}

func runNetwork(ctx context.Context, a *cli.App, f *networkFlags, targets []string) error {
	if len(targets) == 0 {
		return cli.Usagef("network: name turns (SESSION#N), sessions or pages")
	}
	if !slices.Contains(network.Sorts(), network.Sort(f.sort)) {
		return cli.Usagef("network: unknown --sort %q: choose from %s", f.sort,
			strings.Join(cli.Strings(network.Sorts()), ","))
	}
	tabs := a.Opener()
	defer tabs.Close()
	for _, name := range targets {
		store, err := sessionNamed(a, name)
		if err != nil {
			return err
		}
		if store != nil {
			err = f.session(ctx, a, name, store)
			store.Close()
		} else {
			var r *target.Opened
			o := session.Options{NoPicture: true, Action: "network", Settle: f.capture.Settle}
			if r, err = tabs.Open(ctx, name, o); err == nil {
				err = f.print(a, target.Clean(name), r.Capture, nil)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// sessionNamed is the session that a target names, nil where it names something else.
func sessionNamed(a *cli.App, name string) (*turn.Store, error) {
	if _, ok := target.ParseTurn(a.Home, name); ok || strings.Contains(name, "://") {
		return nil, nil
	}
	store, err := a.OpenSession(name)
	if err == nil || errors.Is(err, turn.ErrNotSession) {
		return store, nil
	}
	if _, other := target.Parse(a.Home, name); other == nil { // a capture, a page, a tab
		return nil, nil
	}
	return nil, err
}

// session prints the layers of a session's turns.
func (f *networkFlags) session(ctx context.Context, a *cli.App, name string, store *turn.Store) error {
	numbers, err := store.Numbers() // also of those that are damaged
	if err != nil {
		return err
	}
	if len(numbers) == 0 {
		a.Remark("%s has no turns", target.Clean(name))
	}
	var failed []error
	for _, n := range numbers {
		rec, err := store.Load(ctx, n)
		if err != nil {
			failed = append(failed, fmt.Errorf("turn %d of %s: %w", n, name, err))
			continue
		}
		at := fmt.Sprintf("%s#%d", target.Clean(name), n)
		if err := f.print(a, at, rec.Capture, target.NeedPage(at, rec.Capture, rec)); err != nil {
			return err
		}
	}
	return errors.Join(failed...)
}

// print prints the layer of one capture; noPage is why no page belongs to it, nil where one does.
func (f *networkFlags) print(a *cli.App, name string, c *snapshot.Capture, noPage error) error {
	out := Loaded{Target: name, URL: c.URL, Requests: []*network.Request{}, Console: []network.Line{}}
	if noPage != nil {
		out.NoPage, out.URL = text.EscapeOnce(noPage.Error()), ""
	}
	if c.Network != nil {
		out.Since, out.LeftOut = &c.Network.Since, c.Network.LeftOut
	}
	for _, q := range c.Network.Sorted(network.Sort(f.sort)) {
		if !f.failed || q.Bad() {
			out.Requests = append(out.Requests, q)
		}
	}
	for _, e := range c.Console {
		at := c.TakenAt.Add(-time.Duration(e.Age * float64(time.Millisecond)))
		out.Console = append(out.Console, network.Line{At: at, Level: e.Level, Text: e.Text})
	}
	if a.JSON {
		return a.PrintJSON(out)
	}
	lines := out.Console
	if network.Sort(f.sort) != network.ByTime {
		lines = nil
	}
	if noPage != nil {
		return a.Print(out.NoPage + "\n")
	}
	head := fmt.Sprintf("%s  %s  %s\n", text.Line(name), text.Cut(text.Line(c.URL), 120), c.Network.Summary())
	if len(out.Requests)+len(lines) == 0 {
		return a.Print(head)
	}
	return a.Print(head + network.Table(out.Requests, c.URL, lines))
}

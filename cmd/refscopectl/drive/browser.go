package drive

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/broker"
	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/capture/tabs"
	"github.com/refscope/refscope/capture/trace"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/spf13/cobra"
)

// Browser is the family of commands about what runs between commands.
func Browser(a *cli.App) *cobra.Command {
	// verb makes a command over a host that starts nothing.
	verb := func(use, short string, most int, run func(context.Context, *cli.App, *tabs.Host,
		[]string) error) *cobra.Command {
		name, _, _ := strings.Cut(use, " ")
		return &cobra.Command{
			Use: use, Short: short, Example: "  refscopectl browser " + name, Args: cli.Between(0, most, ""),
			RunE: func(c *cobra.Command, args []string) error {
				if err := a.OneBrowser(); err != nil {
					return err
				}
				ctx, cancel := context.WithTimeout(c.Context(), a.Timeout)
				defer cancel()
				h := tabs.NewHost(tabs.Options{
					Choice: tabs.Choice{Attach: a.Attach}, Home: a.Home, NoLaunch: true, Shared: a.BrokerSecrets,
					Words: cli.CommandWords(),
				})
				defer h.Close()
				return run(ctx, a, h, args)
			},
		}
	}
	serve := &cobra.Command{
		Use: "serve", Short: "run as the broker; other commands start it", Hidden: true, Args: cli.Between(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error { return serveBroker(c.Context(), a) },
	}
	return cli.Family("browser status|tabs|close", "what runs between commands: the broker, started browsers, their "+
		"tabs",
		"  refscopectl browser tabs\n  refscopectl browser close",
		verb("status", "the broker and the browsers that refscopectl started", 0, browserStatus),
		verb("tabs", "the tabs of the browser, with their aliases", 0, browserTabs),
		verb("close [HOST:PORT]", "end the browsers that refscopectl started, or the one named", 1, browserClose),
		serve)
}

func browserStatus(ctx context.Context, a *cli.App, h *tabs.Host, _ []string) error {
	st, err := broker.StatusOf(ctx, a.Home)
	if err != nil {
		return err
	}
	started, err := h.Started(ctx)
	if err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"broker": st, "browsers": cli.List(started)})
	}
	var b strings.Builder
	if st == nil {
		b.WriteString("no broker runs\n")
	} else {
		fmt.Fprintf(&b, "broker %s, pid %d, since %s: %d commands, %d browsers, %d tabs kept; "+
			"it ends %s after the last command\n",
			st.Version, st.PID, st.Started.Local().Format(time.DateTime), st.Served, st.Browsers, st.Tabs, st.IdleEnd)
	}
	if len(started) == 0 {
		b.WriteString("no browser was started by refscopectl\n")
	}
	for _, s := range started {
		state := "running"
		if !s.Running {
			state = "gone"
		}
		fmt.Fprintf(&b, "%s  %s  pid %d  %s  %s\n", s.Address, state, s.PID, s.Profile, strings.Join(s.Aliases, " "))
	}
	return a.Print(b.String())
}

func browserTabs(ctx context.Context, a *cli.App, h *tabs.Host, _ []string) error {
	all, err := h.List(ctx, tabs.Place{})
	if gone := new(tabs.GoneError); errors.As(err, &gone) && a.Attach == "" {
		a.Remark("no browser runs: refscopectl run starts one with the step openTab")
		all, err = nil, nil
	}
	if err != nil {
		return err
	}
	clean := redact.Standard().With(h.Typed()...)
	for i := range all {
		all[i].URL, all[i].Title = clean.Clean(all[i].URL), clean.Clean(all[i].Title)
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"count": len(all), "tabs": cli.List(all)})
	}
	for _, t := range all {
		alias := cmp.Or(t.Alias, "-")
		line := fmt.Sprintf("%s  %s  %s  %s", alias, t.TargetID, t.URL, t.Title)
		if err := a.Print(text.CollapseSpace(line) + "\n"); err != nil {
			return err
		}
	}
	return nil
}

// browserClose closes the browsers that were started from here, or the one named, and
// ends the broker once none is left.
func browserClose(ctx context.Context, a *cli.App, h *tabs.Host, names []string) error {
	started, err := h.Started(ctx)
	if err != nil {
		return err
	}
	var addresses []string
	for _, s := range started {
		addresses = append(addresses, s.Address)
	}
	if len(names) == 1 {
		if _, _, err := net.SplitHostPort(names[0]); err != nil {
			return cli.Usagef("browser close: %q: write it as HOST:PORT", names[0])
		}
		addresses = names
	}
	var errs []error
	closed := []string{}
	for _, at := range addresses {
		if err := h.End(ctx, at); err != nil {
			errs = append(errs, err)
			continue
		}
		closed = append(closed, at)
	}
	ended := false
	if len(names) == 0 {
		if b, err := broker.Dial(ctx, a.Home); err == nil {
			ended = b.Stop(ctx) == nil
			_ = b.Close()
		}
	}
	broker.SweepFiles(a.Home) // pictures and snapshots of their tabs
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"closed": closed, "brokerEnded": ended})
	}
	for _, at := range closed {
		if err := a.Printf("closed %s\n", at); err != nil {
			return err
		}
	}
	if len(closed) == 0 && !ended {
		a.Remark("nothing was running")
	}
	return nil
}

// withoutBroker is the warning of a command that runs without the broker.
const withoutBroker = "the device that a tab is shown as, its open dialogs and its console lines end with this command"

// byBroker sends the command to the broker, which is started where a step needs a tab.
// Its error is ErrNoBroker where the command is to be run in this process.
func byBroker(ctx context.Context, a *cli.App, c *step.Command, s *cli.Settings) (outcome, error) {
	if a.NoBroker {
		if c.NeedsTab() {
			a.Remark("--no-broker: %s", withoutBroker)
		}
		return outcome{}, cli.ErrNoBroker
	}
	b, err := a.ConnectBroker(ctx, c.NeedsTab())
	if err != nil {
		if c.NeedsTab() {
			a.Remark("the command runs without a broker: %v; %s", err, withoutBroker)
		}
		return outcome{}, cli.ErrNoBroker
	}
	defer b.Close()
	body, err := json.Marshal(s)
	if err != nil {
		return outcome{}, fmt.Errorf("writing the command for the broker: %w", err)
	}
	ran := trace.Start(ctx, trace.LaneCommand, "broker")
	reply, err := b.Run(ctx, body)
	ran()
	if errors.Is(err, broker.ErrLost) {
		err = fmt.Errorf("%w: which of the steps were done is not known: "+
			"the next command starts a new one, so send a snapshot step first", err)
	}
	if err != nil {
		return outcome{}, &step.Error{Type: step.TypeConnection, Err: err}
	}
	var done outcome
	if err := json.Unmarshal(reply, &done); err != nil {
		return outcome{}, fmt.Errorf("reading the broker's answer: %w", err)
	}
	return done, nil
}

// serveBroker is the broker: "refscopectl browser serve", which no person calls. It logs
// to its standard error, the file HOME/broker.log.
func serveBroker(ctx context.Context, a *cli.App) error {
	me, _, err := cli.Build()
	if err != nil {
		return err
	}
	h := tabs.NewHost(tabs.Options{Home: a.Home, Keep: true, Tool: cli.Tool()})
	s := &broker.Server{
		Home: a.Home, Build: me, Log: a.Log(), Holds: h.Holds, Lost: h.Lost(), Secrets: h.Secrets, Learn: h.Learn,
		Handle: func(ctx context.Context, body []byte) ([]byte, error) {
			var s cli.Settings
			if err := json.Unmarshal(body, &s); err != nil {
				return nil, fmt.Errorf("reading the command: %w", err)
			}
			r := trace.New()
			if s.Trace {
				ctx = r.In(ctx)
			}
			c, err := step.Parse(s.Input)
			var done outcome
			if err == nil {
				done, err = execute(ctx, a, h.With(s.Host(a.Home)), c, &s)
			}
			if err != nil {
				done = outcome{Body: errorBody(err)}
			}
			if s.Trace {
				if done.Trace, err = cli.Perfetto(r); err != nil {
					return nil, err
				}
			}
			return json.Marshal(done)
		},
	}
	why, err := s.Serve(ctx)
	if errors.Is(err, broker.ErrRunning) {
		return nil // the other one answers
	}
	if cerr := h.Close(); cerr != nil {
		a.Log().Debug("leaving the browsers", "error", cerr)
	}
	if err == nil {
		a.Log().Warn("the broker has ended", "because", why)
	}
	return err
}

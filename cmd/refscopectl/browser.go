package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/broker"
	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/capture/tabs"
	"github.com/refscope/refscope/capture/trace"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/spf13/cobra"
)

// browserCommand is the family of commands about what runs between commands.
func browserCommand(a *app) *cobra.Command {
	// verb makes a command over a host that starts nothing.
	verb := func(use, short string, most int, run func(context.Context, *tabs.Host, []string) error) *cobra.Command {
		name, _, _ := strings.Cut(use, " ")
		return &cobra.Command{
			Use: use, Short: short, Example: "  refscopectl browser " + name, Args: between(0, most, ""),
			RunE: func(c *cobra.Command, args []string) error {
				if err := a.oneBrowser(); err != nil {
					return err
				}
				ctx, cancel := context.WithTimeout(c.Context(), a.timeout)
				defer cancel()
				h := tabs.NewHost(tabs.Options{
					Home: a.home, Attach: a.attach, NoLaunch: true, Shared: a.brokerSecrets, Words: commandWords(),
				})
				defer h.Close()
				return run(ctx, h, args)
			},
		}
	}
	serve := &cobra.Command{
		Use: "serve", Short: "run as the broker; other commands start it", Hidden: true, Args: between(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error { return a.serveBroker(c.Context()) },
	}
	return family("browser status|tabs|close", "what runs between commands: the broker, started browsers, their tabs",
		"  refscopectl browser tabs\n  refscopectl browser close",
		verb("status", "the broker and the browsers that refscopectl started", 0, a.browserStatus),
		verb("tabs", "the tabs of the browser, with their aliases", 0, a.browserTabs),
		verb("close [HOST:PORT]", "end the browsers that refscopectl started, or the one named", 1, a.browserClose),
		serve)
}

// brokerSecrets is what the sessions of the broker have met, by their names: none where no broker runs.
// A broker of another build that cannot be asked is remarked on.
func (a *app) brokerSecrets(ctx context.Context) map[string]redact.Kept {
	b, err := broker.Dial(ctx, a.home)
	if err != nil {
		return nil
	}
	defer b.Close()
	kept, err := b.Secrets(ctx)
	if err != nil {
		a.remark("what was typed in the tabs of run is not known here, and is shown where a page shows it: %v", err)
	}
	return kept
}

// tellBroker gives the broker what was typed in sessions of this process, by their names. It starts one where that is
// allowed: whoever reads the tabs by another command must know it.
func (a *app) tellBroker(ctx context.Context, kept map[string]redact.Kept) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 15*time.Second)
	defer cancel()
	b, err := a.connectBroker(ctx, !a.noBroker)
	if err == nil {
		defer b.Close()
		err = b.Learn(ctx, kept)
	}
	if err != nil {
		a.log().Debug("what was typed could not be sent to the broker", "error", err)
	}
}

func (a *app) browserStatus(ctx context.Context, h *tabs.Host, _ []string) error {
	st, err := broker.StatusOf(ctx, a.home)
	if err != nil {
		return err
	}
	started, err := h.Started(ctx)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]any{"broker": st, "browsers": list(started)})
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
	return a.print(b.String())
}

func (a *app) browserTabs(ctx context.Context, h *tabs.Host, _ []string) error {
	all, err := h.List(ctx, tabs.Place{})
	if gone := new(tabs.GoneError); errors.As(err, &gone) && a.attach == "" {
		a.remark("no browser runs: refscopectl run starts one with the step openTab")
		all, err = nil, nil
	}
	if err != nil {
		return err
	}
	clean := redact.Standard().With(h.Typed()...)
	for i := range all {
		all[i].URL, all[i].Title = clean.Clean(all[i].URL), clean.Clean(all[i].Title)
	}
	if a.json {
		return a.printJSON(map[string]any{"count": len(all), "tabs": list(all)})
	}
	for _, t := range all {
		alias := cmp.Or(t.Alias, "-")
		line := fmt.Sprintf("%s  %s  %s  %s", alias, t.TargetID, t.URL, t.Title)
		if err := a.print(text.CollapseSpace(line) + "\n"); err != nil {
			return err
		}
	}
	return nil
}

// browserClose closes the browsers that were started from here, or the one named, and
// ends the broker once none is left.
func (a *app) browserClose(ctx context.Context, h *tabs.Host, names []string) error {
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
			return usagef("browser close: %q: write it as HOST:PORT", names[0])
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
		if b, err := broker.Dial(ctx, a.home); err == nil {
			ended = b.Stop(ctx) == nil
			_ = b.Close()
		}
	}
	broker.SweepFiles(a.home) // pictures and snapshots of their tabs
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]any{"closed": closed, "brokerEnded": ended})
	}
	for _, at := range closed {
		if err := a.printf("closed %s\n", at); err != nil {
			return err
		}
	}
	if len(closed) == 0 && !ended {
		a.remark("nothing was running")
	}
	return nil
}

// errNoBroker: the command is run in this process.
var errNoBroker = errors.New("no broker")

// withoutBroker is the warning of a command that runs without the broker.
const withoutBroker = "the device that a tab is shown as, its open dialogs and its console lines end with this command"

// byBroker sends the command to the broker, which is started where a step needs a tab.
// Its error is errNoBroker where the command is to be run in this process.
func (a *app) byBroker(ctx context.Context, c *step.Command, s *settings) (outcome, error) {
	if a.noBroker {
		if c.NeedsTab() {
			a.remark("--no-broker: %s", withoutBroker)
		}
		return outcome{}, errNoBroker
	}
	b, err := a.connectBroker(ctx, c.NeedsTab())
	if err != nil {
		if c.NeedsTab() {
			a.remark("the command runs without a broker: %v; %s", err, withoutBroker)
		}
		return outcome{}, errNoBroker
	}
	defer b.Close()
	body, err := json.Marshal(s)
	if err != nil {
		return outcome{}, fmt.Errorf("writing the command for the broker: %w", err)
	}
	reply, err := b.Run(ctx, body)
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

// connectBroker connects to the broker, and starts it where that is wanted. One of another
// build is not used unless it can be replaced.
func (a *app) connectBroker(ctx context.Context, start bool) (*broker.Client, error) {
	me, program, err := build()
	if err != nil {
		return nil, err
	}
	if start {
		return broker.Connect(ctx, a.home, me, program, "--home", a.home, "browser", "serve")
	}
	b, err := broker.Dial(ctx, a.home)
	if err == nil && !b.Hello.Same(me) {
		_ = b.Close()
		return nil, errNoBroker
	}
	return b, err
}

// build identifies this program and where it is.
func build() (broker.Build, string, error) {
	program, err := os.Executable()
	if err != nil {
		return broker.Build{}, "", fmt.Errorf("finding this program: %w", err)
	}
	st, err := os.Stat(program)
	if err != nil {
		return broker.Build{}, "", fmt.Errorf("finding this program: %w", err)
	}
	return broker.Build{Version: version, Built: st.ModTime().UTC()}, program, nil
}

// serveBroker is the broker: "refscopectl browser serve", which no person calls. It logs
// to its standard error, the file HOME/broker.log.
func (a *app) serveBroker(ctx context.Context) error {
	me, _, err := build()
	if err != nil {
		return err
	}
	h := tabs.NewHost(tabs.Options{Home: a.home, Keep: true, Tool: tool()})
	s := &broker.Server{
		Home: a.home, Build: me, Log: a.log(), Holds: h.Holds, Lost: h.Lost(), Secrets: h.Secrets, Learn: h.Learn,
		Handle: func(ctx context.Context, body []byte) ([]byte, error) {
			var s settings
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
				done, err = a.execute(ctx, h.With(s.host(a.home)), c, &s)
			}
			if err != nil {
				done = outcome{Body: errorBody(err)}
			}
			if s.Trace {
				if done.Trace, err = perfetto(r); err != nil {
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
		a.log().Debug("leaving the browsers", "error", cerr)
	}
	if err == nil {
		a.log().Warn("the broker has ended", "because", why)
	}
	return err
}

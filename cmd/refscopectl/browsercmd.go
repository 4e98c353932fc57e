package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/broker"
	"github.com/refscope/refscope/capture/tabs"
)

// browserCommand says what runs between commands, and ends it.
func browserCommand(ctx context.Context, a *app, args []string) error {
	rest, err := a.globals("refscopectl browser", args, func(*flag.FlagSet) {})
	if err != nil {
		return err
	}
	const say = "say status, tabs or close [HOST:PORT]"
	if len(rest) == 0 {
		return usagef("browser: %s", say)
	}
	verb, names := rest[0], rest[1:]
	if len(names) > 0 && (verb != "close" || len(names) > 1) {
		return usagef("browser %s: %q is one word too many", verb, names[len(names)-1])
	}
	if verb == "serve" {
		return a.serveBroker(ctx)
	}
	ctx, cancel := context.WithTimeout(ctx, a.timeout)
	defer cancel()
	h := tabs.NewHost(tabs.Options{Home: a.home, Attach: a.attach, NoLaunch: true})
	defer h.Close()
	switch verb {
	case "status":
		return a.browserStatus(ctx, h)
	case "tabs":
		return a.browserTabs(ctx, h)
	case "close":
		return a.browserClose(ctx, h, names)
	}
	return usagef("browser: there is no %q: %s", verb, say)
}

// brokerStatus asks the broker, nil where there is none.
func (a *app) brokerStatus(ctx context.Context) (*broker.Status, error) {
	b, err := broker.Dial(ctx, a.home)
	if err != nil {
		return nil, nil
	}
	defer b.Close()
	return b.Status(ctx)
}

func (a *app) browserStatus(ctx context.Context, h *tabs.Host) error {
	st, err := a.brokerStatus(ctx)
	if err != nil {
		return err
	}
	started, err := h.Started(ctx)
	if err != nil {
		return err
	}
	if a.json {
		if started == nil {
			started = []tabs.Started{}
		}
		return json.NewEncoder(a.stdout).Encode(map[string]any{"broker": st, "browsers": started})
	}
	var b strings.Builder
	if st == nil {
		b.WriteString("no broker runs\n")
	} else {
		fmt.Fprintf(&b, "broker %s, pid %d, since %s: %d commands, %d browsers, %d tabs kept; it ends %s after the last command\n",
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
	_, err = fmt.Fprint(a.stdout, visible(b.String()))
	return err
}

func (a *app) browserTabs(ctx context.Context, h *tabs.Host) error {
	list, err := h.List(ctx, tabs.Place{})
	if err != nil {
		return err
	}
	if a.json {
		return json.NewEncoder(a.stdout).Encode(map[string]any{"count": len(list), "tabs": list})
	}
	for _, t := range list {
		alias := t.Alias
		if alias == "" {
			alias = "-"
		}
		if _, err := fmt.Fprintln(a.stdout, visible(oneLine(fmt.Sprintf("%s  %s  %s  %s", alias, t.TargetID, clean(t.URL), t.Title)))); err != nil {
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
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if a.json {
		return json.NewEncoder(a.stdout).Encode(map[string]any{"closed": closed, "brokerEnded": ended})
	}
	for _, at := range closed {
		if _, err := fmt.Fprintln(a.stdout, "closed", at); err != nil {
			return err
		}
	}
	if len(closed) == 0 && !ended {
		a.remark("nothing was running")
	}
	return nil
}

// usesInput runs what was piped into a program that was called without a command; false
// where that was nothing.
func (a *app) usesInput(ctx context.Context) (ran bool, err error) {
	if !a.piped() {
		return false, nil
	}
	b, err := a.stepsInput(nil)
	if err != nil || !isSteps(string(b)) {
		return false, nil
	}
	a.in = strings.NewReader(string(b))
	return true, runSteps(ctx, a, nil)
}

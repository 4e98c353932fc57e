package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/turn"
)

// store opens the session with that name in the home folder, or makes it.
func (a *app) store(ctx context.Context, name string) (*turn.Store, error) {
	if err := turn.CheckName(name); err != nil {
		return nil, &usageError{"--session: " + err.Error()}
	}
	return openStore(ctx, turn.SessionDir(a.home, name))
}

func openStore(ctx context.Context, dir string) (*turn.Store, error) {
	s, err := turn.OpenOrCreate(ctx, turn.Dir(dir), "refscopectl "+version)
	if err != nil {
		return nil, fmt.Errorf("session folder %s: %w", dir, err)
	}
	return s, nil
}

// takeTurns takes one turn of each target and prints a line once it is safe on disk.
func takeTurns(ctx context.Context, a *app, args []string) error {
	var dir string
	var settle session.Settle
	targets, err := a.globals("refscopectl turn", args, func(fs *flag.FlagSet) {
		fs.StringVar(&dir, "o", "", "the session folder; made where it is not there")
		settleFlags(fs, &settle)
	})
	if err != nil {
		return err
	}
	if len(targets) == 0 {
		return usagef("turn: name a target: a URL or an .html file")
	}
	for _, target := range targets {
		if _, ok := a.recorded(target); ok {
			return usagef("turn: %s is a turn already: name a URL or an .html file", target)
		}
		var wrong *usageError
		if _, err := resolve(target); errors.As(err, &wrong) {
			return err
		}
	}
	var store *turn.Store
	switch {
	case dir != "" && a.session != "":
		return usagef("turn: -o and --session both name a session: give one of them")
	case dir != "":
		store, err = openStore(ctx, dir)
	case a.session != "":
		store, err = a.store(ctx, a.session)
	default:
		return usagef("turn: name the session folder with -o DIR, or a session with --session NAME")
	}
	if err != nil {
		return err
	}
	l := a.live()
	defer l.close()
	var failed []error
	for _, target := range targets {
		s, err := l.see(ctx, target, session.Options{Store: store, Settle: settle, Action: "turn"})
		if err != nil {
			failed = append(failed, err)
			if !a.json {
				a.report(err)
			}
			continue
		}
		if err := a.turnLine(s, target); err != nil {
			return err
		}
	}
	switch {
	case len(failed) == 0:
		return nil
	case len(targets) == 1 && a.json:
		return failed[0]
	case a.json:
		return errors.Join(failed...)
	case len(targets) == 1:
		return errReported
	}
	return fmt.Errorf("%d of %d targets failed", len(failed), len(targets))
}

// errReported is an error whose line was printed already.
var errReported = errors.New("")

func (a *app) turnLine(s *seen, target string) error {
	c := s.capture
	if a.json {
		return json.NewEncoder(a.stdout).Encode(map[string]any{
			"status": "ok", "target": target, "turn": s.turn, "session": s.where, "url": c.URL, "title": c.Title,
			"settled": c.Settled, "torn": c.Moment.Torn, "verdicts": c.Verdicts,
		})
	}
	note := ""
	if !c.Settled {
		note += "  not settled"
	}
	if c.Moment.Torn {
		note += "  torn"
	}
	_, err := fmt.Fprintf(a.stdout, "%s#%d  %d refs  %d elements  %s%s\n",
		s.where, s.turn, c.Verdicts[snapshot.VerdictRef], len(c.Nodes), visible(target), note)
	return err
}

// sessions lists the sessions of the home folder, shows one, or checks it.
func sessions(ctx context.Context, a *app, args []string) error {
	if len(args) > 0 && args[0] == "report" { // it has flags of its own
		return reportSession(ctx, a, args[1:])
	}
	rest, err := a.globals("refscopectl session", args, func(*flag.FlagSet) {})
	if err != nil {
		return err
	}
	if len(rest) == 0 {
		return usagef("session: say list, show SESSION, check SESSION or report SESSION -o REPORT.html")
	}
	if rest[0] == "list" {
		return a.listSessions(ctx)
	}
	if rest[0] != "show" && rest[0] != "check" {
		return usagef("session: there is no %q: say list, show, check or report", rest[0])
	}
	if len(rest) != 2 {
		return usagef("session %s: name one session or its folder", rest[0])
	}
	store, err := a.openSession(rest[1])
	if err != nil {
		return err
	}
	if rest[0] == "check" {
		return a.checkSession(ctx, store)
	}
	return a.showSession(ctx, store)
}

// openSession opens the session with that name, or in that folder, for reading.
func (a *app) openSession(name string) (*turn.Store, error) {
	dir := name
	if turn.CheckName(name) == nil {
		if _, err := os.Stat(filepath.Join(name, "session.json")); err != nil {
			dir = turn.SessionDir(a.home, name)
		}
	}
	store, err := turn.Open(turn.Dir(dir))
	if err != nil {
		return nil, fmt.Errorf("session %s: %w", name, err)
	}
	return store, nil
}

func (a *app) listSessions(ctx context.Context) error {
	entries, err := os.ReadDir(filepath.Join(a.home, "sessions"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("sessions of %s: %w", a.home, export.Cause(err))
	}
	type row struct {
		Name  string `json:"name"`
		Turns int    `json:"turns"`
	}
	rows := []row{}
	for _, e := range entries {
		if turn.CheckName(e.Name()) != nil {
			continue
		}
		store, err := turn.Open(turn.Dir(turn.SessionDir(a.home, e.Name())))
		if err != nil {
			continue
		}
		list, _, err := store.List(ctx)
		if err != nil {
			return err
		}
		rows = append(rows, row{e.Name(), len(list)})
	}
	if a.json {
		return json.NewEncoder(a.stdout).Encode(map[string]any{"sessions": rows})
	}
	for _, r := range rows {
		fmt.Fprintf(a.stdout, "%s  %d turns\n", r.Name, r.Turns)
	}
	return nil
}

func (a *app) showSession(ctx context.Context, store *turn.Store) error {
	list, damage, err := store.List(ctx)
	if err != nil {
		return err
	}
	if a.json {
		type row struct {
			Turn    int    `json:"turn"`
			Time    string `json:"time"`
			Action  string `json:"action,omitempty"`
			URL     string `json:"url"`
			Title   string `json:"title"`
			Refs    int    `json:"refs"`
			Covered int    `json:"covered"`
			Picture bool   `json:"picture"`
			Settled bool   `json:"settled"`
		}
		rows := []row{}
		for _, s := range list {
			rows = append(rows, row{s.N, s.Time.Format("2006-01-02T15:04:05.000Z07:00"), s.Action, s.URL, s.Title, s.Counts.Refs, s.Counts.Covered, s.HasPicture, s.Meta.Settled})
		}
		broken := []string{}
		for _, d := range damage {
			broken = append(broken, d.String())
		}
		return json.NewEncoder(a.stdout).Encode(map[string]any{"turns": rows, "damage": broken})
	}
	for _, s := range list {
		fmt.Fprintf(a.stdout, "%4d  %s  %-8s %4d refs  %s  %s\n", s.N, s.Time.Local().Format("2006-01-02 15:04:05"), visible(s.Action), s.Counts.Refs, visible(s.URL), visible(oneLine(s.Title)))
	}
	for _, d := range damage {
		fmt.Fprintf(a.stderr, "refscopectl: %s\n", visible(d.String()))
	}
	return nil
}

func (a *app) checkSession(ctx context.Context, store *turn.Store) error {
	damage, err := store.Check(ctx)
	if err != nil {
		return err
	}
	lines := []string{}
	for _, d := range damage {
		lines = append(lines, d.String())
	}
	whole := turn.Whole(damage)
	if a.json {
		if err := json.NewEncoder(a.stdout).Encode(map[string]any{"whole": whole, "damage": lines}); err != nil {
			return err
		}
	} else {
		for _, l := range lines {
			fmt.Fprintln(a.stdout, visible(l))
		}
	}
	if !whole {
		if a.json {
			return errReported
		}
		return fmt.Errorf("session %s is damaged: the turns that are not named above are whole", store.Path())
	}
	a.remark("every turn is whole")
	return nil
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// printVersion prints the version.
func printVersion(_ context.Context, a *app, args []string) error {
	if _, err := a.globals("refscopectl version", args, func(*flag.FlagSet) {}); err != nil {
		return err
	}
	if a.json {
		return json.NewEncoder(a.stdout).Encode(map[string]string{"version": version, "capture": snapshot.Schema})
	}
	_, err := fmt.Fprintf(a.stdout, "refscopectl %s (captures: %s)\n", version, snapshot.Schema)
	return err
}

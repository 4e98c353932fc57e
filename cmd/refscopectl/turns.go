package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"strings"

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
	var surface bool
	targets, err := a.globals("refscopectl turn", args, func(fs *flag.FlagSet) {
		fs.StringVar(&dir, "o", "", "the session folder; made where it is not there")
		surfaceFlag(fs, &surface)
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
		s, err := l.see(ctx, target, session.Options{Store: store, Settle: settle, Action: "turn", DebugSurface: surface})
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
			"status": "ok", "target": clean(target), "turn": s.turn, "session": s.where, "url": c.URL, "title": c.Title,
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
		s.where, s.turn, c.Verdicts[snapshot.VerdictRef], len(c.Nodes), visible(clean(target)), note)
	return err
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

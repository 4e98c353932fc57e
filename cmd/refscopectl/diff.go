package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"

	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/diff"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
)

// diffCommand compares two turns, captures or pages.
func diffCommand(ctx context.Context, a *app, args []string) error {
	var o diff.Options
	var name string
	var lines int
	var plain, exit bool
	targets, err := a.globals("refscopectl diff", args, func(fs *flag.FlagSet) {
		fs.StringVar(&name, "text", "", "compare the dumps in that format line by line instead: "+formatNames())
		fs.IntVar(&lines, "context", 3, "with --text: lines around each change, -1 for all")
		fs.BoolVar(&plain, "no-marks", false, "with --text: no lines that mark the words that differ, as patch(1) wants it")
		fs.Float64Var(&o.Move, "move", diff.MoveThreshold, "how far an edge must go to count, in CSS px; below 0, boxes are not compared")
		fs.BoolVar(&exit, "exit-code", false, "exit 1 where something differs")
	})
	if err != nil {
		return err
	}
	switch {
	case len(targets) != 2:
		return usagef("diff: name two: turns (SESSION#N), captures (.json), .html files or URLs")
	case name != "" && !isFormat(name):
		return usagef("diff: --text %q: choose from %s", name, formatNames())
	case name != "" && a.json:
		return usagef("diff: --text is for people and --json for programs: give one of them")
	}
	if o.Move == 0 { // to the flag nothing is nothing, to the options it is the default
		o.Move = 1e-9
	}
	l := a.live()
	defer l.close()
	var cs [2]*snapshot.Capture
	for i, target := range targets {
		if cs[i], err = l.capture(ctx, target, "diff"); err != nil {
			return err
		}
	}
	var out string
	differs := false
	switch {
	case name != "":
		var text [2]string
		for i, c := range cs {
			d, err := format.Render(c, dump.Format(name), format.Options{Common: dump.Common{MaxChars: -1}})
			if err != nil {
				return fmt.Errorf("%s: %w", targets[i], err)
			}
			text[i] = d.Text
		}
		out = diff.Unified(diff.Lines(text[0], text[1]), targets[0], targets[1], lines, !plain)
		differs = out != ""
	default:
		d := diff.Captures(cs[0], cs[1], o)
		differs = !d.Empty()
		if a.json {
			if err := json.NewEncoder(a.stdout).Encode(d); err != nil {
				return err
			}
			break
		}
		out = d.Report() + "\n"
	}
	if _, err := io.WriteString(a.stdout, visible(out)); err != nil {
		return err
	}
	if exit && differs {
		return errReported
	}
	return nil
}

// capture is what a target shows, without a picture.
func (l *live) capture(ctx context.Context, target, action string) (*snapshot.Capture, error) {
	s, err := l.see(ctx, target, session.Options{NoPicture: true, Action: action})
	if err != nil {
		return nil, err
	}
	return s.capture, nil
}

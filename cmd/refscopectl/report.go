package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/export/report"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/payload"
	"github.com/refscope/refscope/snapshot/tokens"
	"github.com/refscope/refscope/snapshot/turn"
)

// reportSession writes a session as one HTML file that needs nothing else (N-14).
func reportSession(ctx context.Context, a *app, args []string) error {
	var out, turns, formats, dialects string
	o := report.Options{Counter: new(tokens.Counter)}
	rest, err := a.globals("refscopectl session report", args, func(fs *flag.FlagSet) {
		fs.StringVar(&out, "o", "", "the file to write: REPORT.html")
		fs.StringVar(&turns, "turns", "", "the turns to show, such as 3, 3-9, 3- or 1,4-6; default all")
		fs.IntVar(&o.MaxTurns, "max-turns", report.DefaultMaxTurns, "how many turns at most; 0 for no limit")
		fs.StringVar(&formats, "formats", joined(report.DefaultFormats()), "dumps of each turn, or all")
		fs.StringVar(&dialects, "dialects", joined(report.DefaultDialects()), "payloads to measure where a turn kept none, or all")
	})
	if err != nil {
		return err
	}
	if len(rest) != 1 {
		return usagef("session report: name one session or its folder")
	}
	if out == "" {
		return usagef("session report: name the file with -o REPORT.html")
	}
	if turns != "" {
		if o.Turns, err = report.ParseTurns(turns); err != nil {
			return usagef("--turns %v", err)
		}
	}
	if o.MaxTurns == 0 {
		o.MaxTurns = -1 // to the flag nothing is no limit, to the options it is the default
	}
	o.Formats, o.Dialects = dump.Plain(), payload.Dialects()
	if formats != "all" {
		o.Formats = o.Formats[:0:0]
		for f := range strings.SplitSeq(formats, ",") {
			if !isFormat(f) || dump.Format(f) == dump.Filtered {
				return usagef("session report: --formats %q: choose from %s", f, joined(dump.Plain()))
			}
			o.Formats = append(o.Formats, dump.Format(f))
		}
	}
	if dialects != "all" {
		o.Dialects = strings.Split(dialects, ",")
		for _, d := range o.Dialects {
			if !slices.Contains(payload.Dialects(), d) {
				return usagef("session report: --dialects %q: choose from %s", d, joined(payload.Dialects()))
			}
		}
	}
	store, err := a.openSession(rest[0])
	if err != nil {
		return err
	}
	o.Name = strings.TrimSuffix(filepath.Base(filepath.Clean(rest[0])), ".refscope")
	made, err := writeReport(ctx, out, store, o)
	if err != nil {
		return fmt.Errorf("session %s: %w", rest[0], err)
	}
	if a.json {
		return json.NewEncoder(a.stdout).Encode(map[string]any{
			"status": "ok", "file": out, "turns": made.Turns, "left": made.Left, "damaged": append([]int{}, made.Damaged...),
		})
	}
	if made.Left > 0 {
		a.remark("%d further turns are not in %s: ask for them with --turns or --max-turns", made.Left, out)
	}
	if len(made.Damaged) > 0 {
		a.remark("damaged turns are shown as far as they can be read: %v", made.Damaged)
	}
	return nil
}

// writeReport writes the file whole or not at all, with its spool beside it.
func writeReport(ctx context.Context, name string, store *turn.Store, o report.Options) (*report.Summary, error) {
	dir := filepath.Dir(name)
	spool, err := os.CreateTemp(dir, ".refscope-report.*")
	if err != nil {
		return nil, fmt.Errorf("writing %s: %w", name, export.Cause(err))
	}
	defer func() {
		_ = spool.Close() // nothing in it is wanted any more
		_ = os.Remove(spool.Name())
	}()
	var made *report.Summary
	err = export.WriteTo(name, func(w io.Writer) error {
		var err error
		made, err = report.Write(ctx, w, spool, store, o)
		return err
	})
	return made, err
}

func joined[T ~string](list []T) string {
	s := make([]string, len(list))
	for i, v := range list {
		s[i] = string(v)
	}
	return strings.Join(s, ",")
}

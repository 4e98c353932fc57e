package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/refscope/refscope/capture/export/report"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/payload"
	"github.com/refscope/refscope/snapshot/tokens"
	"github.com/refscope/refscope/snapshot/turn"
)

// reportFlags are the flags of session report besides -o.
type reportFlags struct {
	turns, formats, dialects, model string
	max                             int
}

func (f *reportFlags) register(fs *flag.FlagSet) {
	fs.StringVar(&f.turns, "turns", "", "report: the turns to show, such as 3, 3-9, 3- or 1,4-6; default all")
	fs.IntVar(&f.max, "max-turns", report.DefaultMaxTurns, "report: how many turns at most; 0 for no limit")
	fs.StringVar(&f.formats, "formats", joined(report.DefaultFormats()), "report: dumps of each turn, or all")
	fs.StringVar(&f.dialects, "dialects", joined(report.DefaultDialects()), "report: payloads to measure where a turn kept none, or all")
	fs.StringVar(&f.model, "model", "", "report: the model that these payloads are for; it says what a picture costs")
}

func (f *reportFlags) names() []string {
	return []string{"turns", "max-turns", "formats", "dialects", "model"}
}

// options are what the flags ask for.
func (f *reportFlags) options() (report.Options, error) {
	o := report.Options{Counter: new(tokens.Counter), MaxTurns: f.max, Formats: format.Plain(), Dialects: payload.Dialects(), Model: f.model}
	if f.turns != "" {
		var err error
		if o.Turns, err = report.ParseTurns(f.turns); err != nil {
			return o, usagef("session report: --turns %v", err)
		}
	}
	if f.max < 0 {
		return o, usagef("session report: --max-turns %d: give a number of turns, or 0 for no limit", f.max)
	}
	if f.max == 0 { // to the flag nothing is no limit, to the options it is the default
		o.MaxTurns = -1
	}
	if f.formats != "all" {
		o.Formats = nil
		for name := range strings.SplitSeq(f.formats, ",") {
			if !slices.Contains(format.Plain(), dump.Format(name)) {
				return o, usagef("session report: --formats %q: choose from %s", name, joined(format.Plain()))
			}
			o.Formats = append(o.Formats, dump.Format(name))
		}
	}
	if f.dialects != "all" {
		o.Dialects = strings.Split(f.dialects, ",")
		for _, d := range o.Dialects {
			if !slices.Contains(payload.Dialects(), d) {
				return o, usagef("session report: --dialects %q: choose from %s", d, joined(payload.Dialects()))
			}
		}
	}
	return o, nil
}

// reportSession writes a session as one HTML file that needs nothing else (N-14).
func (a *app) reportSession(ctx context.Context, args []string, f sessionFlags) error {
	if f.out == "" {
		return usagef("session report: name the file with -o REPORT.html")
	}
	o, err := f.report.options()
	if err != nil {
		return err
	}
	out, name := f.out, args[0]
	store, err := a.openSession(name)
	if err != nil {
		return err
	}
	defer store.Close()
	o.Name = strings.TrimSuffix(filepath.Base(filepath.Clean(name)), turn.Extension)
	made, err := report.WriteFile(ctx, out, store, o)
	if err != nil {
		return fmt.Errorf("session %s: %w", name, err)
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

func joined[T ~string](list []T) string {
	s := make([]string, len(list))
	for i, v := range list {
		s[i] = string(v)
	}
	return strings.Join(s, ",")
}

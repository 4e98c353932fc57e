package main

import (
	"context"
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
	"github.com/spf13/cobra"
)

// reportFlags are the flags of session report.
type reportFlags struct {
	out                             string
	turns, formats, dialects, model string
	max                             int
}

// reportCommand writes a session as one HTML file that needs nothing else (N-14).
func reportCommand(a *app) *cobra.Command {
	var f reportFlags
	c := &cobra.Command{
		Use: "report SESSION -o REPORT.html", Short: "a session as one HTML file that a browser opens without a network",
		Example: "  refscopectl session report shop -o out/report.html --turns 3-9",
		Args:    between(1, 1, sessionNote),
		RunE:    func(c *cobra.Command, args []string) error { return a.reportSession(c.Context(), args[0], &f) },
	}
	c.ValidArgsFunction = first(a.completer(cobra.ShellCompDirectiveDefault, (*app).completeSessions))
	fs := c.Flags()
	fs.StringVarP(&f.out, "output", "o", "", "the .html `FILE`")
	fs.StringVar(&f.turns, "turns", "", "the `TURNS` to show, such as 3, 3-9, 3- or 1,4-6; default all")
	fs.IntVar(&f.max, "max-turns", report.DefaultMaxTurns, "`N` turns at most; 0 for no limit")
	fs.StringVar(&f.formats, "formats", strings.Join(strs(report.DefaultFormats()), ","),
		"dumps of each turn, `FORMATS` with commas, or all")
	fs.StringVar(&f.dialects, "dialects", strings.Join(report.DefaultDialects(), ","),
		"payloads to measure where a turn kept none, `NAMES` with commas, or all")
	fs.StringVar(&f.model, "model", "", "the model that these payloads are for, by `NAME`; its vendor's rules give a picture's cost")
	return c
}

// options are what the flags ask for.
func (f *reportFlags) options() (report.Options, error) {
	o := report.Options{
		Counter: new(tokens.Counter), MaxTurns: f.max, Formats: format.Plain(), Dialects: payload.Dialects(), Model: f.model,
	}
	if f.turns != "" {
		var err error
		if o.Turns, err = report.ParseTurns(f.turns); err != nil {
			return o, usagef("session report: --turns %v", err)
		}
	}
	if f.max < 0 {
		return o, usagef("session report: --max-turns %d: give a number of turns, or 0 for no limit", f.max)
	}
	if f.max == 0 { // to the flag 0 is no limit, to the options it is the default
		o.MaxTurns = -1
	}
	if f.formats != "all" {
		o.Formats = nil
		for name := range strings.SplitSeq(f.formats, ",") {
			if !slices.Contains(format.Plain(), dump.Format(name)) {
				return o, usagef("session report: --formats %q: choose from %s", name, strings.Join(strs(format.Plain()), ","))
			}
			o.Formats = append(o.Formats, dump.Format(name))
		}
	}
	if f.dialects != "all" {
		o.Dialects = strings.Split(f.dialects, ",")
		for _, d := range o.Dialects {
			if !slices.Contains(payload.Dialects(), d) {
				return o, usagef("session report: --dialects %q: choose from %s", d, strings.Join(payload.Dialects(), ","))
			}
		}
	}
	return o, nil
}

func (a *app) reportSession(ctx context.Context, name string, f *reportFlags) error {
	if f.out == "" {
		return usagef("session report: name the file with -o REPORT.html")
	}
	o, err := f.options()
	if err != nil {
		return err
	}
	out := f.out
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
		return a.printJSON(map[string]any{
			"status": "ok", "file": out, "turns": made.Turns, "left": made.Left, "damaged": list(made.Damaged),
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

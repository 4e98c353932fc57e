// Package view has the commands that show one page or turn: what an agent reads of it, what a person sees, why they
// differ, what it costs, what a model receives and answers. Comes in: a TARGET; goes out: a text, JSON, a picture.
package view

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/inspect"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/aria"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/spf13/cobra"
)

// What snap prints besides the formats: the capture itself, and the text that the model of a recorded turn was given.
const (
	captureFormat = "capture"
	sentFormat    = "sent"
)

// SnapFlags are the flags of snap.
type SnapFlags struct {
	format  string
	all     bool
	jsonl   bool
	text    cli.TextFlags
	page    cli.CaptureFlags
	since   string // a turn: aria reports whether the page has changed since
	source  string
	filter  string // a JavaScript expression of el
	secrets bool   // print values of secret fields
}

// Snap prints a text format, or the capture itself, of each target.
func Snap(a *cli.App) *cobra.Command { return new(SnapFlags).Command(a) }

// Command makes the command that reads f.
func (f *SnapFlags) Command(a *cli.App) *cobra.Command {
	c := &cobra.Command{
		Use: "snap TARGET…", Short: "a text format or the capture itself on standard output",
		Example: `  refscopectl snap assets/demo/index.html
  refscopectl snap https://example.org/ --format aria --query "sign in"
  refscopectl snap shop#3 --format capture --all > shop.json
  refscopectl snap shop#3 --format sent
  refscopectl snap --jsonl t1 shop#1 shop#2`,
		ValidArgsFunction: a.Targets(),
		RunE: func(c *cobra.Command, args []string) error {
			if !c.Flags().Changed("volatile") {
				f.text.Options.Volatile = format.Timestamped(dump.Format(f.format))
			}
			return runSnap(c.Context(), a, f, args)
		},
	}
	fs := c.Flags()
	fs.StringVar(&f.format, "format", string(format.DDDK), "text `FORMAT`: "+cli.FormatNames(captureFormat, sentFormat)+
		"; sent is the text that the model of a recorded turn was given, as it was")
	fs.BoolVar(&f.all, "all", false, "capture: every element with its verdict, not only the kept ones")
	fs.StringVar(&f.since, "since", "",
		"aria: a `TURN`, SESSION#N or N of the same session; where the page is as it was then, only that is printed")
	fs.BoolVar(&f.jsonl, "jsonl", false, "one JSON line for each target")
	fs.StringVar(&f.source, "source", collect.SourcePage,
		"roles and names: `page|ax`, by specification or of Chrome's accessibility tree")
	fs.StringVar(&f.filter, "filter", "",
		"`JAVASCRIPT` expression of el; elements for which it is false are left out with their contents")
	fs.BoolVar(&f.secrets, "allow-secrets", false,
		"print the values of password, code and card fields; never with --session")
	cli.CompleteFlag(c, "format", cli.FormatList(captureFormat, sentFormat)...)
	cli.CompleteFlag(c, "source", collect.SourcePage, collect.SourceAX)
	a.CompleteFlagBy(c, "since", (*cli.App).CompleteTargets)
	cli.OfPages(c, "filter", "source", "allow-secrets")
	f.text.Register(c)
	f.page.Register(c)
	f.page.RegisterKeep(c)
	cli.RegisterWrites(c, &f.page.Writes)
	f.page.RegisterJobs(c)
	return c
}

// Check refuses flags that do not go together.
func (f *SnapFlags) Check(a *cli.App, targets []string) error {
	switch {
	case len(targets) == 0:
		return cli.Usagef("snap: name a target: a URL, an .html file, a tab or a turn")
	case len(targets) > 1 && !f.jsonl && !a.JSON:
		return cli.Usagef("snap: several targets are printed as JSON lines: add --jsonl")
	case f.format != captureFormat && f.format != sentFormat && !cli.IsFormat(f.format):
		return cli.Usagef("snap: unknown format %q: choose from %s", f.format, cli.FormatNames(captureFormat,
			sentFormat))
	}
	if f.format == sentFormat {
		if err := f.checkSent(a, targets); err != nil {
			return err
		}
	} else if err := f.text.Check("snap", dump.Format(f.format)); err != nil {
		return err
	}
	if err := f.page.CheckJobs("snap"); err != nil {
		return err
	}
	switch {
	case f.all && f.format != captureFormat:
		return cli.Usagef("snap: --all is for --format capture")
	case f.since != "" && f.format != string(format.Aria):
		return cli.Usagef("snap: --since is for --format aria")
	case f.format == string(format.Filtered) && f.text.Options.Query == "":
		return cli.Usagef("snap: --format filtered needs --query TEXT")
	case f.source != collect.SourcePage && f.source != collect.SourceAX:
		return cli.Usagef("snap: unknown source %q: choose from page | ax", f.source)
	case f.secrets && a.Session != "":
		return cli.Usagef("snap: --allow-secrets prints what must not be stored: leave out --session")
	}
	if source := format.SourceOf(dump.Format(f.format)); source != "" {
		f.source = source // it is what the format is about
	}
	return nil
}

func runSnap(ctx context.Context, a *cli.App, f *SnapFlags, targets []string) error {
	if err := f.Check(a, targets); err != nil {
		return err
	}
	if a.JSON && (len(targets) > 1 || f.format != captureFormat) {
		f.jsonl = true
	}
	told := a.JSON && len(targets) == 1 // its error is the command's
	o := a.Opener()
	o.Keep, o.Pageless = f.page.Keep, f.format == sentFormat
	defer o.Close()
	var failed []error
	options, err := f.options(ctx, a)
	if err != nil {
		return err
	}
	if options.Store != nil {
		defer options.Store.Close()
	}
	err = o.OpenAll(ctx, f.page.Jobs, targets, options, func(name string, r *target.Opened, err error) error {
		var out string
		opened := err == nil
		whole := f.format == captureFormat && !f.jsonl
		if err == nil && !whole {
			out, err = f.Render(ctx, a, r)
		}
		switch {
		case err == nil && whole:
			if err = a.PrintCapture(f.captureOf(a, r)); err != nil {
				err = fmt.Errorf("writing the capture of %s: %w", r.Name, err)
			}
		case f.jsonl && (err == nil || !told):
			if werr := a.PrintJSON(f.line(name, r, out, err)); werr != nil {
				return werr
			}
		case err == nil:
			if !strings.HasSuffix(out, "\n") && f.format != sentFormat {
				out += "\n"
			}
			if cli.Terminal(a.Stdout) {
				err = a.Show(ctx, out, cli.Unpainted)
			} else {
				err = a.PrintBytes([]byte(out))
			}
		}
		switch {
		case err != nil:
			failed = append(failed, err)
		case f.page.Keep:
			a.PrintKept(r)
		}
		if opened {
			f.page.RemarkLost(a, r)
			cli.RemarkRules(a, r)
		}
		return nil
	})
	return errors.Join(append(failed, err)...)
}

// line is the output of --jsonl for a target.
func (f *SnapFlags) line(name string, r *target.Opened, out string, err error) map[string]any {
	line := map[string]any{"schema": cli.ShapeOf("snap"), "target": name, "format": f.format, "status": "ok"}
	switch {
	case err != nil:
		line["status"], line["error"] = "error", text.EscapeOnce(err.Error())
	case f.format == captureFormat:
		line["capture"] = json.RawMessage(out)
	default:
		line["text"] = out
	}
	if err == nil && r.Tab != "" {
		line["tab"] = r.Tab
	}
	return line
}

// options are how a target is captured.
func (f *SnapFlags) options(ctx context.Context, a *cli.App) (session.Options, error) {
	s := session.Options{
		Settle: f.page.Settle, NoPicture: true, Action: "snap", AllowSecrets: f.secrets, PageWrites: f.page.Writes,
		NodeIDs: f.format == captureFormat,
	}
	s.Collect.Rules.Filter = f.filter
	s.Collect.Source = f.source
	s.Collect.AllNames = f.format == captureFormat && f.all
	if a.Session != "" {
		store, err := a.Store(ctx, a.Session)
		if err != nil {
			return s, err
		}
		s.Store, s.NoPicture = store, false
	}
	return s, nil
}

// captureOf is what the text is made of, or the capture that is printed.
func (f *SnapFlags) captureOf(a *cli.App, r *target.Opened) *snapshot.Capture {
	if a.Session == "" {
		r.Capture = r.Secrets.Reveal(r.Capture) // where --allow-secrets or the profile allows it
	}
	if f.format == captureFormat && !f.all {
		return r.Capture.Kept()
	}
	return r.Capture
}

// checkSent refuses what has no text as it was sent, before anything is opened, and flags that would change it.
func (f *SnapFlags) checkSent(a *cli.App, targets []string) error {
	if changed := f.text.Changed(); changed != "" {
		return cli.Usagef("snap: --format sent is the text as it was: leave out --%s", changed)
	}
	for _, name := range targets {
		if _, ok := target.ParseTurn(a.Home, name); !ok {
			return cli.Usagef("snap: --format sent: %s is no recorded turn: name SESSION#N", name)
		}
	}
	return nil
}

// sentOf is what the model of a turn was given, with a remark where what its numbers mean is a guess.
func sentOf(ctx context.Context, a *cli.App, r *target.Opened) (*inspect.Sent, error) {
	s, err := inspect.SentOf(ctx, r)
	if err == nil && s.Text.Guessed {
		a.Remark("%s: the text is in no agent's format that is known: read as %s", target.Clean(r.Name),
			s.Text.Called())
	}
	return s, err
}

// sent is the text that the model of a turn was given.
func (f *SnapFlags) sent(ctx context.Context, a *cli.App, r *target.Opened) (string, error) {
	s, err := sentOf(ctx, a, r)
	if err != nil {
		return "", err
	}
	if s.Older() > 0 {
		a.Remark("%s: the newest of %d texts of a page in the request, in %s", target.Clean(r.Name), s.Older()+1,
			s.Text.Section)
	}
	return s.Text.Body(), nil
}

// Render makes the text that snap prints.
func (f *SnapFlags) Render(ctx context.Context, a *cli.App, r *target.Opened) (string, error) {
	if f.format == sentFormat {
		return f.sent(ctx, a, r)
	}
	c := f.captureOf(a, r)
	if f.format == captureFormat {
		data, err := json.Marshal(c)
		if err != nil {
			return "", fmt.Errorf("writing the capture of %s: %w", r.Name, err)
		}
		return string(data), nil
	}
	if f.since != "" {
		if answer, err := unchangedSince(ctx, a, r, f.since); err != nil || answer != "" {
			return answer, err
		}
	}
	doc, err := f.text.Render(r.Capture, f.format)
	if err != nil {
		return "", fmt.Errorf("%s: %w", r.Name, err)
	}
	if found := dump.Findings(r.Capture); len(found) > 0 {
		a.Remark("%s of the page would mislead a reader if not escaped, the first (%s) in the %s of element %d: %s",
			text.Count(len(found), "text", "texts"), found[0].Kind, found[0].Where, found[0].Node, found[0].Text)
	}
	return doc.Text, nil
}

// unchangedSince is the answer to --since where the page is as it was in that turn, "" where
// it is not. A number alone is a turn of the session that the target belongs to.
func unchangedSince(ctx context.Context, a *cli.App, r *target.Opened, since string) (string, error) {
	at, ok := target.ParseTurn(a.Home, since)
	if n, err := strconv.Atoi(since); err == nil && n > 0 {
		if r.Where == "" || r.N == 0 {
			return "", cli.Usagef("snap: --since %s: %s belongs to no session: name SESSION#N", since, r.Name)
		}
		at, ok = turn.Address{Dir: r.Where, N: n}, true
	}
	if !ok {
		return "", cli.Usagef("snap: --since %s is no recorded turn: name SESSION#N, its folder, or N for one of the "+
			"same session",
			since)
	}
	before, err := target.ReadTurn(ctx, at)
	if err == nil {
		before.Name = since
		err = before.NeedPage()
	}
	if err != nil {
		return "", err
	}
	answer := aria.SinceTurn(r.Capture, before.Capture, since)
	if answer == nil {
		return "", nil
	}
	out, err := json.Marshal(answer)
	if err != nil {
		return "", fmt.Errorf("writing the answer to --since: %w", err)
	}
	return string(out), nil
}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/inspect"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/target"
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

// snapFlags are the flags of snap.
type snapFlags struct {
	format  string
	all     bool
	jsonl   bool
	text    textFlags
	page    captureFlags
	since   string // a turn: aria reports whether the page has changed since
	source  string
	filter  string // a JavaScript expression of el
	secrets bool   // print values of secret fields
}

// snapCommand prints a text format, or the capture itself, of each target.
func snapCommand(a *app) *cobra.Command { return new(snapFlags).command(a) }

// command makes the command that reads f.
func (f *snapFlags) command(a *app) *cobra.Command {
	c := &cobra.Command{
		Use: "snap TARGET…", Short: "a text format or the capture itself on standard output",
		Example: `  refscopectl snap assets/demo/index.html
  refscopectl snap https://example.org/ --format aria --query "sign in"
  refscopectl snap shop#3 --format capture --all > shop.json
  refscopectl snap shop#3 --format sent
  refscopectl snap --jsonl t1 shop#1 shop#2`,
		ValidArgsFunction: a.targets(),
		RunE: func(c *cobra.Command, args []string) error {
			if f.format == string(format.WraithJSON) && !c.Flags().Changed("volatile") {
				f.text.options.Volatile = true // the snapshot's timestamp is one of its fields (W-1)
			}
			return a.snap(c.Context(), f, args)
		},
	}
	fs := c.Flags()
	fs.StringVar(&f.format, "format", string(format.DDDK), "text `FORMAT`: "+formatNames(captureFormat, sentFormat)+
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
	completeFlag(c, "format", formatList(captureFormat, sentFormat)...)
	completeFlag(c, "source", collect.SourcePage, collect.SourceAX)
	a.completeFlagBy(c, "since", (*app).completeTargets)
	ofPages(c, "filter", "source", "allow-secrets")
	f.text.register(c)
	f.page.register(c)
	f.page.registerKeep(c)
	registerWrites(c, &f.page.writes)
	f.page.registerJobs(c)
	return c
}

func (f *snapFlags) check(a *app, targets []string) error {
	switch {
	case len(targets) == 0:
		return usagef("snap: name a target: a URL, an .html file, a tab or a turn")
	case len(targets) > 1 && !f.jsonl && !a.json:
		return usagef("snap: several targets are printed as JSON lines: add --jsonl")
	case f.format != captureFormat && f.format != sentFormat && !isFormat(f.format):
		return usagef("snap: unknown format %q: choose from %s", f.format, formatNames(captureFormat, sentFormat))
	}
	if f.format == sentFormat {
		if err := f.checkSent(a, targets); err != nil {
			return err
		}
	} else if err := f.text.check("snap", dump.Format(f.format)); err != nil {
		return err
	}
	if err := f.page.checkJobs("snap"); err != nil {
		return err
	}
	switch {
	case f.all && f.format != captureFormat:
		return usagef("snap: --all is for --format capture")
	case f.since != "" && f.format != string(format.Aria):
		return usagef("snap: --since is for --format aria")
	case f.format == string(format.Filtered) && f.text.options.Query == "":
		return usagef("snap: --format filtered needs --query TEXT")
	case f.source != collect.SourcePage && f.source != collect.SourceAX:
		return usagef("snap: unknown source %q: choose from page | ax", f.source)
	case f.secrets && a.session != "":
		return usagef("snap: --allow-secrets prints what must not be stored: leave out --session")
	}
	if source := format.SourceOf(dump.Format(f.format)); source != "" {
		f.source = source // it is what the format is about
	}
	return nil
}

func (a *app) snap(ctx context.Context, f *snapFlags, targets []string) error {
	if err := f.check(a, targets); err != nil {
		return err
	}
	if a.json && (len(targets) > 1 || f.format != captureFormat) {
		f.jsonl = true
	}
	told := a.json && len(targets) == 1 // its error is the command's
	o := a.opener()
	o.Keep = f.page.keep
	defer o.Close()
	var failed []error
	options, err := f.options(ctx, a)
	if err != nil {
		return err
	}
	if options.Store != nil {
		defer options.Store.Close()
	}
	err = o.OpenAll(ctx, f.page.jobs, targets, options, func(name string, r *target.Opened, err error) error {
		var out string
		opened := err == nil
		whole := f.format == captureFormat && !f.jsonl
		if err == nil && !whole {
			out, err = f.render(ctx, a, r)
		}
		switch {
		case err == nil && whole:
			if err = a.printCapture(f.captureOf(a, r)); err != nil {
				err = fmt.Errorf("writing the capture of %s: %w", r.Name, err)
			}
		case f.jsonl && (err == nil || !told):
			if werr := a.printJSON(f.line(name, r, out, err)); werr != nil {
				return werr
			}
		case err == nil:
			if !strings.HasSuffix(out, "\n") && f.format != sentFormat {
				out += "\n"
			}
			if f, ok := a.stdout.(*os.File); ok && terminal(f) {
				err = a.show(ctx, out, unpainted)
			} else {
				err = a.printBytes([]byte(out))
			}
		}
		switch {
		case err != nil:
			failed = append(failed, err)
		case f.page.keep:
			a.printKept(r)
		}
		if opened {
			f.page.remarkLost(a, r)
			remarkRules(a, r)
		}
		return nil
	})
	return errors.Join(append(failed, err)...)
}

// line is the output of --jsonl for a target.
func (f *snapFlags) line(name string, r *target.Opened, out string, err error) map[string]any {
	line := map[string]any{"schema": shapeOf("snap"), "target": name, "format": f.format, "status": "ok"}
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
func (f *snapFlags) options(ctx context.Context, a *app) (session.Options, error) {
	s := session.Options{
		Settle: f.page.settle, NoPicture: true, Action: "snap", AllowSecrets: f.secrets, PageWrites: f.page.writes,
		NodeIDs: f.format == captureFormat,
	}
	s.Collect.Rules.Filter = f.filter
	s.Collect.Source = f.source
	s.Collect.AllNames = f.format == captureFormat && f.all
	if a.session != "" {
		store, err := a.store(ctx, a.session)
		if err != nil {
			return s, err
		}
		s.Store, s.NoPicture = store, false
	}
	return s, nil
}

// captureOf is what the text is made of, or the capture that is printed.
func (f *snapFlags) captureOf(a *app, r *target.Opened) *snapshot.Capture {
	if a.session == "" {
		r.Capture = r.Secrets.Reveal(r.Capture) // where --allow-secrets or the profile allows it
	}
	if f.format == captureFormat && !f.all {
		return r.Capture.Kept()
	}
	return r.Capture
}

// checkSent refuses what has no text as it was sent, before anything is opened, and flags that would change it.
func (f *snapFlags) checkSent(a *app, targets []string) error {
	if changed := f.text.changed(); changed != "" {
		return usagef("snap: --format sent is the text as it was: leave out --%s", changed)
	}
	for _, name := range targets {
		if _, ok := target.ParseTurn(a.home, name); !ok {
			return usagef("snap: --format sent: %s is no recorded turn: name SESSION#N", name)
		}
	}
	return nil
}

// sentOf is what the model of a turn was given, with a remark where what its numbers mean is a guess.
func (a *app) sentOf(ctx context.Context, r *target.Opened) (*inspect.Sent, error) {
	s, err := inspect.SentOf(ctx, r, nil)
	if err == nil && s.Text.Guessed {
		a.remark("%s: the text is in no agent's format that is known: read as %s", target.Clean(r.Name),
			s.Text.Called())
	}
	return s, err
}

// sent is the text that the model of a turn was given.
func (f *snapFlags) sent(ctx context.Context, a *app, r *target.Opened) (string, error) {
	s, err := a.sentOf(ctx, r)
	if err != nil {
		return "", err
	}
	if s.Older() > 0 {
		a.remark("%s: the newest of %d texts of a page in the request, in %s", target.Clean(r.Name), s.Older()+1,
			s.Text.Section)
	}
	return s.Text.Body(), nil
}

// render makes the text that snap prints.
func (f *snapFlags) render(ctx context.Context, a *app, r *target.Opened) (string, error) {
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
	doc, err := f.text.render(r.Capture, f.format)
	if err != nil {
		return "", fmt.Errorf("%s: %w", r.Name, err)
	}
	if found := dump.Findings(r.Capture); len(found) > 0 {
		a.remark("%s of the page would mislead a reader if not escaped, the first (%s) in the %s of element %d: %s",
			text.Count(len(found), "text", "texts"), found[0].Kind, found[0].Where, found[0].Node, found[0].Text)
	}
	return doc.Text, nil
}

// unchangedSince is the answer to --since where the page is as it was in that turn, "" where
// it is not. A number alone is a turn of the session that the target belongs to.
func unchangedSince(ctx context.Context, a *app, r *target.Opened, since string) (string, error) {
	at, ok := target.ParseTurn(a.home, since)
	if n, err := strconv.Atoi(since); err == nil && n > 0 {
		if r.Where == "" || r.N == 0 {
			return "", usagef("snap: --since %s: %s belongs to no session: name SESSION#N", since, r.Name)
		}
		at, ok = turn.Address{Dir: r.Where, N: n}, true
	}
	if !ok {
		return "", usagef("snap: --since %s is no recorded turn: name SESSION#N, its folder, or N for one of the same "+
			"session",
			since)
	}
	before, err := target.ReadTurn(ctx, at)
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

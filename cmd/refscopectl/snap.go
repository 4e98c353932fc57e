package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"strings"

	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/aria"
)

// snapFlags are the flags of snap.
type snapFlags struct {
	format  string
	all     bool
	jsonl   bool
	text    textFlags
	since   string // a turn: aria says whether the page has changed since
	settle  session.Settle
	source  string
	filter  string // a JavaScript expression of el
	secrets bool   // print values of secret fields
	stamp   bool   // write data-llm-id into the page
	surface bool   // write window.__dddkDebug into the page
}

func (f *snapFlags) register(fs *flag.FlagSet) {
	fs.StringVar(&f.format, "format", string(format.DDDK), "text format: "+formatNames("capture"))
	f.text.register(fs)
	fs.BoolVar(&f.all, "all", false, "capture: every element with its verdict, not only the kept ones")
	fs.StringVar(&f.since, "since", "", "aria: a turn; where the page is as it was then, only that is said")
	fs.StringVar(&f.source, "source", collect.SourcePage, "roles and names: page (by specification) | ax (Chrome's accessibility tree)")
	fs.BoolVar(&f.jsonl, "jsonl", false, "one JSON line for each target")
	fs.StringVar(&f.filter, "filter", "", "JavaScript expression of el; elements for which it is false are left out with all they hold")
	fs.BoolVar(&f.secrets, "allow-secrets", false, "print the values of password, code and card fields; never with --session")
	fs.BoolVar(&f.stamp, "stamp", false, "write the numbers into the page as data-llm-id; it changes the page")
	surfaceFlag(fs, &f.surface)
	settleFlags(fs, &f.settle)
}

func surfaceFlag(fs *flag.FlagSet, on *bool) {
	fs.BoolVar(on, "debug-surface", false, "give the page window.__dddkDebug with its dump and messages; it changes the page")
}

func settleFlags(fs *flag.FlagSet, s *session.Settle) {
	fs.DurationVar(&s.Quiet, "settle", 0, "how long the page must be quiet; 0 is the site's profile, else 300ms")
	fs.DurationVar(&s.Max, "settle-max", 0, "how long to wait for that; 0 is the site's profile, else 3s")
}

// snap prints a text format, or the capture itself, of each target.
func snap(ctx context.Context, a *app, args []string) error {
	var f snapFlags
	targets, err := a.globals("refscopectl snap", args, f.register)
	if err != nil {
		return err
	}
	if len(targets) == 0 {
		return usagef("snap: name a target: a URL, an .html file or a turn")
	}
	if len(targets) > 1 && !f.jsonl {
		return usagef("snap: several targets are printed as JSON lines: add --jsonl")
	}
	if f.format != "capture" && !isFormat(f.format) {
		return usagef("snap: there is no format %q: choose from %s", f.format, formatNames("capture"))
	}
	if err := f.text.check("snap"); err != nil {
		return err
	}
	if f.format == string(format.AX) {
		f.source = collect.SourceAX // it is what the format is about
	}
	if f.since != "" && f.format != string(format.Aria) {
		return usagef("snap: --since is for --format aria")
	}
	if f.format == string(format.Filtered) && f.text.options.Query == "" {
		return usagef("snap: --format filtered wants --query TEXT")
	}
	if f.source != collect.SourcePage && f.source != collect.SourceAX {
		return usagef("snap: there is no source %q: choose from page | ax", f.source)
	}
	if f.secrets && a.session != "" {
		return usagef("snap: --allow-secrets prints what must not be stored: leave out --session")
	}
	l := a.live()
	defer l.close()
	var failed []error
	for _, target := range targets {
		text, err := snapOne(ctx, a, l, target, &f)
		if err == nil && !f.jsonl {
			_, err = fmt.Fprint(a.stdout, text)
			if err == nil && !strings.HasSuffix(text, "\n") {
				_, err = fmt.Fprintln(a.stdout)
			}
		}
		if f.jsonl {
			line := map[string]any{"target": target, "format": f.format}
			if err != nil {
				line["status"], line["error"] = "error", visible(err.Error())
			} else if f.format == "capture" {
				line["status"], line["capture"] = "ok", json.RawMessage(text)
			} else {
				line["status"], line["text"] = "ok", text
			}
			if werr := json.NewEncoder(a.stdout).Encode(line); werr != nil {
				return werr
			}
		}
		if err != nil {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

func snapOne(ctx context.Context, a *app, l *live, target string, f *snapFlags) (string, error) {
	o := session.Options{Settle: f.settle, NoPicture: true, Action: "snap", AllowSecrets: f.secrets, Stamp: f.stamp, DebugSurface: f.surface}
	o.Collect.Rules.Filter = f.filter
	o.Collect.Source = f.source
	if a.session != "" {
		store, err := a.store(ctx, a.session)
		if err != nil {
			return "", err
		}
		o.Store, o.NoPicture = store, false
	}
	s, err := l.see(ctx, target, o)
	if err != nil {
		return "", err
	}
	if o.Store == nil {
		s.capture = s.secrets.Reveal(s.capture) // where --allow-secrets or the profile says so
	}
	if f.format == "capture" {
		c := s.capture
		if !f.all {
			c = c.Kept()
		}
		data, err := json.Marshal(c)
		if err != nil {
			return "", fmt.Errorf("writing the capture of %s: %w", target, err)
		}
		return string(data), nil
	}
	if f.since != "" {
		if answer, err := unchangedSince(ctx, a, s.capture, f.since); err != nil || answer != "" {
			return answer, err
		}
	}
	options, err := f.text.of(s.capture)
	if err != nil {
		return "", fmt.Errorf("%s: %w", target, err)
	}
	doc, err := format.Render(s.capture, dump.Format(f.format), options)
	if err != nil {
		return "", fmt.Errorf("%s: %w", target, err)
	}
	a.warnOf(dump.Findings(s.capture))
	return doc.Text, nil
}

// unchangedSince is the answer to --since where the page is as it was in that turn,
// "" where it is not.
func unchangedSince(ctx context.Context, a *app, c *snapshot.Capture, since string) (string, error) {
	at, ok := a.recorded(since)
	if !ok {
		return "", usagef("snap: --since %s is no recorded turn: name SESSION#N or its folder", since)
	}
	before, err := load(ctx, at)
	if err != nil {
		return "", err
	}
	answer := aria.Since(c, since, aria.Hash(before.capture))
	if answer == nil {
		return "", nil
	}
	text, err := json.Marshal(answer)
	if err != nil {
		return "", fmt.Errorf("writing the answer to --since: %w", err)
	}
	return string(text), nil
}

// warnOf says that texts of the page would mislead the reader of a dump that does not
// escape them.
func (a *app) warnOf(found []dump.Finding) {
	if len(found) == 0 {
		return
	}
	f := found[0]
	a.remark("%d texts of the page would mislead a reader if they were not escaped, the first (%s) in the %s of element %d: %s",
		len(found), f.Kind, f.Where, f.Node, visible(f.Text))
}

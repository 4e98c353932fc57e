package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"strings"

	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/why"
)

// whyAnswer is what why prints with --json.
type whyAnswer struct {
	Schema       string             `json:"schema"`
	Target       string             `json:"target"`
	Question     string             `json:"question"`
	Explanations []*why.Explanation `json:"explanations"`
	// More is how many elements the question names besides.
	More int `json:"more"`
}

// whyCommand says why an element is, or is not, in what the agent read (N-2).
func whyCommand(ctx context.Context, a *app, args []string) error {
	var f textFlags
	var formats []string
	limit := 10
	targets, err := a.globals("refscopectl why", args, func(fs *flag.FlagSet) {
		fs.Func("format", "ask about that format alone; may be given again; default all: "+formatNames(), func(s string) error {
			formats = append(formats, s)
			return nil
		})
		fs.IntVar(&limit, "limit", limit, "of the elements that a place or a selector names, how many are explained, -1 for all")
		f.register(fs)
	})
	if err != nil {
		return err
	}
	if len(targets) != 2 {
		return usagef("why: name one turn (SESSION#N), capture (.json), .html file or URL, and then an element: its number, a CSS selector or X,Y")
	}
	if limit == 0 {
		return usagef("why: --limit is from 1 on, or -1")
	}
	if err := f.check("why"); err != nil {
		return err
	}
	q, err := why.ParseQuestion(targets[1])
	if err != nil {
		return &usageError{err.Error()}
	}
	if err := checkFormats("why", formats, f.options); err != nil {
		return err
	}
	l := a.live()
	defer l.close()
	s, err := l.see(ctx, targets[0], session.Options{NoPicture: true, Action: "why"})
	if err != nil {
		return err
	}
	o, err := f.of(s.capture)
	if err != nil {
		return err
	}
	e := why.New(s.capture, viewsOf(formats, o)...)
	found, err := e.Find(q)
	if err != nil {
		return err
	}
	answer := whyAnswer{Schema: why.Schema, Target: clean(targets[0]), Question: q.String(), Explanations: []*why.Explanation{}}
	if limit > 0 && len(found) > limit {
		answer.More, found = len(found)-limit, found[:limit]
	}
	ledger, err := ledgerOf(ctx, s)
	if err != nil {
		return err
	}
	for _, el := range found {
		x, err := e.Explain(el.Node)
		if err != nil {
			return err
		}
		if ledger != nil {
			x.History = why.History(ledger, el.Ref)
		}
		answer.Explanations = append(answer.Explanations, x)
	}
	if a.json {
		return json.NewEncoder(a.stdout).Encode(answer)
	}
	if q.IsPlace() {
		if err := a.printPlace(q, found, answer.More); err != nil {
			return err
		}
	}
	for _, x := range answer.Explanations {
		if _, err := fmt.Fprint(a.stdout, visible(x.Text()+"\n")); err != nil {
			return err
		}
	}
	if answer.More > 0 {
		a.remark("%d more elements are named by %s: --limit -1 explains them too", answer.More, q)
	}
	return nil
}

// checkFormats reports a format that cannot be asked about.
func checkFormats(command string, formats []string, o format.Options) error {
	for _, name := range formats {
		if !isFormat(name) {
			return usagef("%s: there is no format %q: choose from %s", command, name, formatNames())
		}
		if name == string(format.Filtered) && o.Query == "" {
			return usagef("%s: --format filtered wants --query TEXT", command)
		}
	}
	return nil
}

// viewsOf are these formats with the options, all that need no query for none.
func viewsOf(formats []string, o format.Options) []why.View {
	var views []why.View
	if len(formats) == 0 {
		views = why.Views()
	}
	for _, name := range formats {
		views = append(views, why.View{Format: dump.Format(name)})
	}
	for i := range views {
		views[i].Options = o
	}
	return views
}

// ledgerOf is the ledger of the session that a recorded turn is of, nil for none.
func ledgerOf(ctx context.Context, s *seen) (*turn.Ledger, error) {
	if s.record == nil {
		return nil, nil
	}
	store, err := turn.OpenPath(s.where)
	if err != nil {
		return nil, fmt.Errorf("opening the session %s: %w", s.where, err)
	}
	defer store.Close()
	ledger, err := store.Ledger(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading the ledger of %s: %w", s.where, err)
	}
	return ledger, nil
}

// printPlace lists what lies at a place before the explanations.
func (a *app) printPlace(q why.Question, found []why.Element, more int) error {
	var b strings.Builder
	fmt.Fprintf(&b, "at %s, from the topmost down:\n", q)
	for i, el := range found {
		kept := "kept"
		if !el.Kept {
			kept = string(el.Verdict)
		}
		fmt.Fprintf(&b, "  %d. %s  %s\n", i+1, el.Say(), kept)
	}
	if more > 0 {
		fmt.Fprintf(&b, "  and %d more\n", more)
	}
	_, err := fmt.Fprintln(a.stdout, visible(b.String()))
	return err
}

// clip is the start of a line, at most n characters.
func clip(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i] + "…"
		}
		n--
	}
	return s
}

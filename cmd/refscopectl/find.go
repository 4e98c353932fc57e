package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/find"
)

// findCommand searches a turn, a capture or a page for elements.
func findCommand(ctx context.Context, a *app, args []string) error {
	var q find.Query
	var near string
	targets, err := a.globals("refscopectl find", args, func(fs *flag.FlagSet) {
		fs.StringVar(&q.Text, "text", "", "a part of name and value, without case")
		fs.BoolVar(&q.Exact, "exact", false, "--text is the whole name")
		fs.StringVar(&q.Pattern, "pattern", "", "regular expression (RE2) for a part of name or value, without case")
		fs.StringVar(&q.Role, "role", "", "the role; of an element without one, its tag as <p>")
		fs.StringVar(&q.Selector, "selector", "", "CSS selector")
		fs.StringVar(&near, "near", "", "X,Y or X,Y,RADIUS in CSS px of the viewport: the middle of the box lies within RADIUS, 50 by default; nearest first")
		fs.IntVar(&q.Limit, "limit", find.Limit, "how many to print, -1 for all")
		fs.IntVar(&q.Context, "context", find.Levels, "how many ancestors the path names, -1 for none")
	})
	if err != nil {
		return err
	}
	if len(targets) != 1 {
		return usagef("find: name one turn (SESSION#N), capture (.json), .html file or URL")
	}
	if near != "" {
		if q.Near, err = parseNear(near); err != nil {
			return err
		}
	}
	if q.Limit == 0 || q.Context == 0 {
		return usagef("find: --limit and --context are from 1 on, or -1")
	}
	l := a.live()
	defer l.close()
	c, err := l.capture(ctx, targets[0], "find")
	if err != nil {
		return err
	}
	answer, err := find.Search(c, q)
	if err != nil {
		return &usageError{err.Error()}
	}
	if a.json {
		return json.NewEncoder(a.stdout).Encode(answer)
	}
	for _, m := range answer.Matches {
		if _, err := fmt.Fprintln(a.stdout, visible(matchLine(m))); err != nil {
			return err
		}
	}
	a.remark("%d of %d elements match", answer.MatchCount, answer.SearchedElements)
	return nil
}

// parseNear reads X,Y or X,Y,RADIUS.
func parseNear(s string) (*find.Near, error) {
	parts := strings.Split(s, ",")
	var v [3]float64
	ok := len(parts) == 2 || len(parts) == 3
	for i := range min(len(parts), len(v)) {
		f, err := strconv.ParseFloat(strings.TrimSpace(parts[i]), 64)
		ok = ok && err == nil
		v[i] = f
	}
	if !ok {
		return nil, usagef("find: --near %q: write it as X,Y or X,Y,RADIUS in CSS px", s)
	}
	return &find.Near{X: v[0], Y: v[1], Radius: v[2]}, nil
}

// matchLine is one result on one line; page text stands between quotes.
func matchLine(m find.Match) string {
	var b strings.Builder
	if m.Ref > 0 {
		fmt.Fprintf(&b, "[%d] ", m.Ref)
	}
	b.WriteString(oneLine(m.Role))
	if m.Name != "" {
		b.WriteString(" " + string(dump.AppendJSON(nil, m.Name)))
	}
	if m.Value != "" {
		b.WriteString(" value=" + string(dump.AppendJSON(nil, m.Value)))
	}
	fmt.Fprintf(&b, "  at %.0f,%.0f %.0fx%.0f", m.Box.X(), m.Box.Y(), m.Box.W(), m.Box.H())
	if m.Distance != nil {
		fmt.Fprintf(&b, "  %.0f px away", *m.Distance)
	}
	if len(m.Path) > 1 {
		b.WriteString("  in " + oneLine(strings.Join(m.Path[:len(m.Path)-1], " > ")))
	}
	return b.String()
}

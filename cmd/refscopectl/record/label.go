package record

import (
	"context"
	"fmt"
	"strings"

	"github.com/refscope/refscope/capture/inspect"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/snapshot/runs"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// labelNames are the names of all labels.
func labelNames() string {
	var names []string
	for _, l := range turn.Labels() {
		names = append(names, l.Name)
	}
	return strings.Join(names, ", ")
}

// labelOf is the label of a session by its name, nil for none and where it cannot be read.
func labelOf(ctx context.Context, a *cli.App, name string) *runs.Label {
	s, err := a.OpenSession(name)
	if err != nil {
		return nil
	}
	defer s.Close()
	l, err := inspect.LabelOf(ctx, s)
	if err != nil {
		return nil
	}
	return l
}

// labelSession labels a run, or prints its label and those that there are.
func labelSession(ctx context.Context, a *cli.App, args []string, f *sessionFlags) error {
	if len(args) > 1 && !turn.IsLabel(args[1]) {
		return cli.Usagef("session label: unknown label %q: choose from %s", args[1], labelNames())
	}
	store, err := a.OpenSession(args[0])
	if err != nil {
		return err
	}
	defer store.Close()
	if len(args) == 1 {
		now, err := inspect.LabelOf(ctx, store)
		if err != nil {
			return err
		}
		return printLabels(a, now)
	}
	n := turn.Annotation{Verdict: args[1], By: f.by}
	if len(args) > 2 {
		n.Text = args[2]
	}
	wait, cancel := context.WithTimeout(ctx, a.Timeout)
	defer cancel()
	if n, err = store.Annotate(wait, n); err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"status": "ok", "note": n.N, "label": n.Verdict})
	}
	a.Remark("the run is labelled %s", n.Verdict)
	return nil
}

func printLabels(a *cli.App, now *runs.Label) error {
	if a.JSON {
		return a.PrintJSON(map[string]any{"label": now})
	}
	var lines []string
	for _, l := range turn.Labels() {
		mark := " "
		if now != nil && now.Label == l.Name {
			mark = "*"
		}
		lines = append(lines, fmt.Sprintf("%s %-12s %s", mark, l.Name, l.Means))
	}
	if now != nil && now.Note != "" {
		lines = append(lines, "note: "+text.Line(now.Note))
	}
	return a.PrintLines(lines)
}

package why

import (
	"fmt"
	"strings"

	"github.com/refscope/refscope/snapshot/text"
)

const (
	// maxLines is how many lines of a format an answer for a terminal repeats.
	maxLines = 3
	// maxLine is how much of each, in characters.
	maxLine = 160
)

// Text is the explanation for a terminal: several lines, each harmless.
func (x *Explanation) Text() string {
	var b strings.Builder
	el := x.Element
	if x.AsSent != nil && x.AsSent.Ref != "" {
		b.WriteString(x.AsSent.Ref + "  ")
	}
	fmt.Fprintf(&b, "%s  node %d  at %.0f,%.0f %.0fx%.0f\n", el.Say(), el.Node, el.Box.X(), el.Box.Y(), el.Box.W(),
		el.Box.H())
	row := func(label, format string, args ...any) {
		fmt.Fprintf(&b, "  %-9s %s\n", label, fmt.Sprintf(format, args...))
	}
	if el.Path != "" {
		row("path", "%s", text.Line(el.Path))
	}
	row("verdict", "%s: %s", el.Verdict, x.Sentence)
	if x.Evidence != "" {
		row("evidence", "%s", x.Evidence)
	}
	for _, f := range x.Facts {
		row(f.label(), "%s", f.Text)
	}
	for _, c := range x.Coverers {
		row("over it", "%s  node %d", c.Say(), c.Node)
	}
	for _, ev := range x.History {
		row("history", "%s", ev.Text)
	}
	if t := x.AsSent; t != nil {
		if t.Line == 0 {
			fmt.Fprintf(&b, "  As sent (%s): no line of the agent's text is known to be about it.\n", t.Format)
		} else {
			fmt.Fprintf(&b, "  As sent (%s):\n      %d: %s\n", t.Format, t.Line, text.Cut(t.Text, maxLine+1))
		}
	}
	for _, in := range x.Formats {
		fmt.Fprintf(&b, "  %s\n", in.Sentence)
		line := func(l *Line, s string) {
			fmt.Fprintf(&b, "      %d: %s\n", l.Number, text.Cut(text.CollapseSpace(s), maxLine+1))
		}
		for i := range in.Lines {
			if i == maxLines {
				fmt.Fprintf(&b, "      and %d more lines\n", len(in.Lines)-i)
				break
			}
			s := in.Lines[i].Text
			if part := in.Lines[i].Part; part != "" {
				s = part
			}
			line(&in.Lines[i], s)
		}
		if len(in.Lines) == 0 && in.WithinLine != nil {
			line(in.WithinLine, in.WithinLine.Text)
		}
	}
	return b.String()
}

// label is a fact's kind as it fits a column of 9 characters.
func (f Fact) label() string {
	switch f.Kind {
	case "interactive":
		return "operated"
	case "occlusion":
		return "cover"
	}
	return f.Kind
}

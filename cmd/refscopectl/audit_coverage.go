package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
)

// coverageRow is one format over all pages, as it is and as its original was.
type coverageRow struct {
	format       dump.Format
	ours, theirs audit.Coverage // sums
}

// printCoverage prints, as a table in Markdown, how much of what a person sees each
// format has over all targets, and how much its original's profile (--compat) has:
// characters, controls and pictures of all pages are counted together. A target that
// cannot be read is an error of the whole.
func (f *auditFlags) printCoverage(ctx context.Context, a *app, l *live, targets []string) error {
	formats := f.formats
	if len(formats) == 0 {
		formats = []string{string(format.DDDK), string(format.Wraith), string(format.Aria), string(format.DomTool), string(format.Semantic)}
	}
	rows := make([]coverageRow, len(formats))
	var o audit.Options
	o.PerRule = 1
	for k, name := range formats {
		rows[k].format = dump.Format(name)
		o.Views = append(o.Views, audit.View{Format: dump.Format(name)}, audit.View{Format: dump.Format(name), Options: format.Options{Common: dump.Common{Compat: true}}})
	}
	for _, target := range targets {
		s, err := l.see(ctx, target, session.Options{Settle: f.settle, NoPicture: true, Action: "audit"})
		if err != nil {
			return err
		}
		r, err := audit.Run(s.capture, o)
		if err != nil {
			return fmt.Errorf("%s: %w", target, err)
		}
		for k := range rows {
			sum(&rows[k].ours, r.Coverage[2*k])
			sum(&rows[k].theirs, r.Coverage[2*k+1])
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| of what a person sees on %d pages | text in view | the original | text of the whole page | the original | controls in view | the original |\n|---|---|---|---|---|---|---|\n", len(targets))
	for _, row := range rows {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s |\n", row.format,
			ratio(row.ours.Text), ratio(row.theirs.Text), ratio(row.ours.Page), ratio(row.theirs.Page), ratio(row.ours.Controls), ratio(row.theirs.Controls))
	}
	return f.print(a, b.String())
}

func sum(to *audit.Coverage, c audit.Coverage) {
	for _, p := range [][2]*audit.Share{{&to.Text, &c.Text}, {&to.Page, &c.Page}, {&to.Controls, &c.Controls}, {&to.Pictures, &c.Pictures}} {
		p[0].Seen += p[1].Seen
		p[0].Has += p[1].Has
	}
}

// ratio rounds down, so that 100 % is all.
func ratio(s audit.Share) string { return fmt.Sprintf("%.1f %%", float64(int(s.Ratio()*1000))/10) }

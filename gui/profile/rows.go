package profile

import (
	"fmt"
	"time"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot/text"
)

// The short lists of the side: what was found, the outline, the recipes, the versions.

// checkRows are what lint and the trial found, each with its line to go to.
func checkRows(list []Row) *core.Rows {
	rows := make([]core.Row, len(list))
	for i, l := range list {
		rows[i] = core.Row{Title: text.Line(l.Text), Tone: l.Tone}
		if l.Line > 0 {
			rows[i].Lead, rows[i].Pick = fmt.Sprintf("Line %d", l.Line), jumped{Line: l.Line}
		}
	}
	return core.NewRows(rows)
}

// fault is the first line of a check that does nothing, "" for none.
func (c *Check) fault() string {
	if c == nil || c.Fatal == 0 {
		return ""
	}
	for _, r := range c.Rows {
		if r.Tone == core.ToneBad && r.Line > 0 {
			return fmt.Sprintf("Line %d: %s", r.Line, text.Cut(text.Line(r.Text), 200))
		}
	}
	return ""
}

// outlineRows are the parts of the text, the one with that line chosen.
func outlineRows(list []Section, line int) *core.Rows {
	rows := make([]core.Row, len(list))
	in := -1
	for i, p := range list {
		rows[i] = core.Row{Title: text.Cut(text.Line(p.Name), 60), Pick: SectionChosen{Name: p.Name}}
		switch {
		case p.Line == 0:
			rows[i].Lead, rows[i].Tone = "+", core.ToneMuted
		case p.Size > 0:
			rows[i].Cells = []string{text.Thousands(p.Size)}
		}
		if p.Line > 0 && p.Line <= line && (in < 0 || p.Line > list[in].Line) {
			in = i
		}
	}
	if in >= 0 {
		rows[in].On = true
	}
	return core.NewRows(rows)
}

// recipeRows run the recipes of the text.
func recipeRows(list []Recipe, can bool) *core.Rows {
	rows := make([]core.Row, len(list))
	for i, r := range list {
		rows[i] = core.Row{Title: "Run " + text.Line(r.Name), Tone: core.ToneMuted}
		if can {
			rows[i].Tone, rows[i].Pick = core.ToneNormal, recipeRun{Index: i}
		}
	}
	return core.NewRows(rows)
}

// revisionRows are the versions that were replaced.
func revisionRows(list []profiles.Revision, chosen int, zone *time.Location) *core.Rows {
	rows := make([]core.Row, len(list))
	for i, r := range list {
		rows[i] = core.Row{Lead: text.Thousands(r.N), Title: "Replaced " +
			r.Time.In(zone).Format("2006-01-02 15:04:05"), On: r.N == chosen,
			Cells: []string{text.Thousands(len(r.Text)) + " bytes"}, Pick: revisionChosen{N: r.N}}
	}
	return core.NewRows(rows)
}

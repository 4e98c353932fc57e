package profile

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/whatif"
)

// checkProfile examines a profile's text: the findings of lint, its outline,
// its recipes, and what it does to the turn.
func checkProfile(e CheckProfile, count func(string) int, now time.Time) *Check {
	c := &Check{Seq: e.Seq, Turn: e.Turn, Format: e.Format}
	p, _ := profiles.Parse(e.Text)
	for _, l := range profiles.Lint(e.Text, now) {
		tone := core.ToneWarn
		c.Problems++
		if l.Fatal {
			c.Fatal++
			tone = core.ToneBad
		}
		c.Rows = append(c.Rows, Row{Line: l.Line, Text: l.Text, Tone: tone})
	}
	if strings.TrimSpace(e.Text) == "" { // there is nothing to lint yet
		c.Rows, c.Problems, c.Fatal = nil, 0, 0
	}
	c.Outline = outline(p)
	c.Recipes = recipes(p)
	if e.Turn != nil {
		tryProfile(c, p, e, count)
	}
	slices.SortStableFunc(c.Rows, func(a, b Row) int { return a.Line - b.Line })
	c.List = checkRows(c.Rows)
	return c
}

// tryProfile finds what the profile does to the turn's text.
func tryProfile(c *Check, p *profiles.Profile, e CheckProfile, count func(string) int) {
	page := e.Turn.Capture
	trial := p.Try(page)
	for _, r := range trial.Rules {
		row := Row{Line: r.Line, Tone: core.ToneNormal}
		_, row.Text, _ = strings.Cut(r.String(), ": ") // the line is beside it
		if r.Problem != "" {
			said := func(row Row) bool { return row.Line == r.Line && row.Tone == core.ToneBad }
			if slices.ContainsFunc(c.Rows, said) {
				continue // lint says the same of the line
			}
			row.Tone = core.ToneBad
		} else if r.Matches == 0 {
			row.Tone = core.ToneMuted
		}
		c.Rows = append(c.Rows, row)
	}
	firsts, left := leftOut(page)
	for _, n := range firsts {
		c.Already += left[n.FilteredBy]
		c.Rows = append(c.Rows, Row{Text: fmt.Sprintf("when the turn was recorded, %s %s",
			text.Count(left[n.FilteredBy], "element was", "elements were"), n.Evidence), Tone: core.ToneMuted})
	}
	c.Redacted, c.Out = len(trial.Redacted), trial.Out
	for _, u := range trial.Unknown {
		c.Unknown += u.Elements
		c.Rows = append(c.Rows, Row{Text: u.String() + "; capture to see it", Tone: core.ToneWarn})
	}
	cmp, err := whatif.Between(page, trial.Capture, e.Format, whatif.Setup{}, whatif.Setup{Drop: trial.Drop})
	if err != nil {
		c.Why = core.ProblemOf(fmt.Errorf("the profile cannot be tried on turn %d: %w", e.Turn.N, err)).Sentence
		return
	}
	c.Effect = core.NewTextEffect(cmp, count)
}

// leftOut counts the elements that filters left out when a page was recorded, by the profile's rule, "" for the filter
// expression, and gives the first element of each rule, in the order of the page.
func leftOut(c *snapshot.Capture) (firsts []*snapshot.Node, count map[string]int) {
	count = map[string]int{}
	for i := range c.Nodes {
		if n := &c.Nodes[i]; n.Verdict == snapshot.VerdictFiltered {
			if count[n.FilteredBy]++; count[n.FilteredBy] == 1 {
				firsts = append(firsts, n)
			}
		}
	}
	return firsts, count
}

// outline is the front matter, the five sections in their order, and the others.
func outline(p *profiles.Profile) []Section {
	front := Section{Name: profileFront}
	if p.Fenced {
		front.Line = 1
		front.Size = len(p.Front.Filter) + len(p.Front.Redact) + len(p.Front.Facts)
	}
	parts := []Section{front}
	part := func(s *profiles.Section, name string) Section {
		out := Section{Name: name}
		if s != nil {
			out.Line = s.Line
			for _, l := range strings.Split(s.Body, "\n") {
				if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "<!--") {
					out.Size++
				}
			}
		}
		return out
	}
	for _, name := range profiles.SectionNames() {
		parts = append(parts, part(p.Section(name), name))
	}
	for i := range p.Sections {
		s := &p.Sections[i]
		if !slices.ContainsFunc(parts, func(o Section) bool { return o.Line == s.Line }) {
			parts = append(parts, part(s, s.Name))
		}
	}
	return parts
}

// recipes are the JSON blocks of the section Recipes, each named by the last line of
// text above it.
func recipes(p *profiles.Profile) []Recipe {
	s := p.Section(profiles.Recipes)
	if s == nil {
		return nil
	}
	var list []Recipe
	name, block, at, inside, json := "", []string(nil), 0, false, false
	for i, line := range strings.Split(s.Body, "\n") {
		t := strings.TrimSpace(line)
		switch fence := strings.HasPrefix(t, "```"); {
		case fence && !inside:
			inside, at, block = true, s.Line+1+i, nil
			lang := strings.ToLower(strings.TrimSpace(strings.TrimLeft(t, "`")))
			json = lang == "json" || lang == "jsonc" || lang == ""
		case fence:
			inside = false
			if text := strings.TrimSpace(strings.Join(block, "\n")); json &&
				(strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[")) {
				list = append(list, Recipe{Name: recipeName(name, len(list)+1), Line: at, Steps: text})
			}
		case inside:
			block = append(block, line)
		case t != "":
			name = t
		}
	}
	return list
}

// recipeName is a line of text as a name.
func recipeName(line string, n int) string {
	line = strings.TrimRight(strings.TrimSpace(strings.TrimLeft(line, "#-*> \t")), ":*")
	if line = text.Cut(text.Line(line), 40); line == "" {
		return fmt.Sprintf("recipe %d", n)
	}
	return line
}

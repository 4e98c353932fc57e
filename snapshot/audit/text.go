package audit

import (
	"fmt"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// Text is the report for people: coverage as a table, then the findings by severity and
// rule, each with its number in Findings from 1, which is also that on the picture of
// [Report.Marks].
//
//	https://a.example/ "Shop": 1 error, 2 warnings, 1 note in 46 elements
//
//	format  text in view     whole page       controls  pictures
//	dddk    98.2 % of 1,204  97.0 % of 8,310  46 of 46  3 of 4    12 misses
//
//	ERROR agent-instructions: Text that addresses an agent (1)
//	  1. [12] at 10,20 300x40  The text of [12] paragraph addresses an agent; …
//	     "ignore previous instructions and …"
//	  → Remove it, or …
//
// Page text is in quotes and is one line.
func (r *Report) Text() string {
	var b strings.Builder
	title := ""
	if r.Title != "" {
		title = " " + quoted(r.Title)
	}
	if r.URL == "" && r.Elements == 0 {
		fmt.Fprintf(&b, "no page, only what is stored with the turn: %s\n", r.Words())
	} else {
		fmt.Fprintf(&b, "%s%s: %s in %s\n", r.URL, title, r.Words(), text.Count(r.Elements, "element", "elements"))
		r.table(&b)
	}
	counts := map[string]Count{}
	for _, c := range r.Counts {
		counts[c.Rule] = c
	}
	rule, severity := "", Severity("")
	for i, f := range r.Findings {
		if f.Rule != rule || f.Severity != severity {
			closeRule(&b, rule)
			rule, severity = f.Rule, f.Severity
			about, _ := RuleByID(rule)
			n := 0
			for _, g := range r.Findings[i:] {
				if g.Rule != rule || g.Severity != severity {
					break
				}
				n++
			}
			fmt.Fprintf(&b, "\n%s %s: %s (%d)\n", strings.ToUpper(string(severity)), rule, about.Title, n)
			if c := counts[rule]; c.Found > c.Listed {
				fmt.Fprintf(&b, "  %d of %d are listed\n", c.Listed, c.Found)
			}
		}
		place := ""
		if f.Node >= 0 && !f.Box.Empty() {
			place = fmt.Sprintf("at %.0f,%.0f %.0fx%.0f  ", f.Box.X(), f.Box.Y(), f.Box.W(), f.Box.H())
		}
		fmt.Fprintf(&b, "  %d. %s%s\n", i+1, place, f.Sentence)
		if more := f.More(); more != "" {
			fmt.Fprintf(&b, "     %s\n", quoted(more))
		}
	}
	closeRule(&b, rule)
	if len(r.Findings) == 0 {
		b.WriteString("\nNothing was found.\n")
	}
	return b.String()
}

func closeRule(b *strings.Builder, rule string) {
	if about, ok := RuleByID(rule); ok {
		fmt.Fprintf(b, "  → %s\n", about.Action)
	}
}

// table is the coverage, in columns.
func (r *Report) table(b *strings.Builder) {
	rows := [][]string{{"format", "text in view", "whole page", "controls", "pictures", ""}}
	for _, c := range r.Coverage {
		name := string(c.Format)
		if c.Compat {
			name += " --compat"
		}
		rest := ""
		if c.Missed > 0 {
			rest = text.Count(c.Missed, "miss", "misses")
			if c.Unexplained > 0 {
				rest += fmt.Sprintf(", %d unexplained", c.Unexplained)
			}
		}
		if c.Truncated {
			rest = strings.TrimPrefix(rest+", cut by a limit", ", ")
		}
		if c.CutOff {
			rest = strings.TrimPrefix(rest+", of the part that was read", ", ")
		}
		rows = append(rows, []string{name, percent(c.Text), percent(c.Page), of(c.Controls), of(c.Pictures), rest})
	}
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for k, cell := range row {
			width[k] = max(width[k], len(cell))
		}
	}
	b.WriteByte('\n')
	for _, row := range rows {
		line := ""
		for k, cell := range row {
			line += cell + strings.Repeat(" ", width[k]-len(cell)+2)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// percent rounds down, so that 100 % is all.
func percent(s Share) string {
	return fmt.Sprintf("%.1f %% of %d", float64(int(s.Ratio()*1000))/10, s.Seen)
}

func of(s Share) string { return fmt.Sprintf("%d of %d", s.Has, s.Seen) }

// markLimit is how many findings [Report.Marks] puts on a picture.
const markLimit = 150

// leastMark is the least width and height of a mark, in CSS px.
const leastMark = 8

// Marks is the report as a capture of its own, for package overlay to draw on the
// picture of the audited one, which has that viewport: an element for each finding with
// a place in the viewport, in the order of Findings, whose ref is the finding's number
// from 1. Findings beyond markLimit are not in it.
func (r *Report) Marks(view snapshot.Viewport) *snapshot.Capture {
	c := &snapshot.Capture{
		Schema: snapshot.Schema, URL: r.URL, Title: r.Title, Settled: true, Viewport: view,
		Frames: []snapshot.Frame{{ID: "findings", Parent: -1, Owner: -1, Readable: true}},
	}
	for i, f := range r.Findings {
		box := f.Box.Intersect(view.Box())
		if f.Node < 0 || box.Empty() || len(c.Nodes) == markLimit {
			continue
		}
		if box.W() < leastMark || box.H() < leastMark { // what nobody sees has to be seen here
			x, y := box.Center()
			box = box.Union(snapshot.Box{x - leastMark/2, y - leastMark/2, leastMark, leastMark}).Intersect(view.Box())
		}
		x, y := box.Center()
		c.Nodes = append(c.Nodes, snapshot.Node{
			I: len(c.Nodes), Parent: -1, Ref: i + 1, Tag: "button", Role: string(f.Severity), Name: f.Rule, Box: box,
			Visible: true, InViewport: true,
			Interactive: []string{"native"}, Verdict: snapshot.VerdictRef,
			Occlusion: &snapshot.Occlusion{State: snapshot.Clear, VisibleShare: 1, HitShare: 1,
				Click: [2]float64{x, y}},
		})
	}
	return c
}

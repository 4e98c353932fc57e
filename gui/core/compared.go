package core

import (
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot/diff"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/whatif"
	"github.com/refscope/refscope/snapshot/why"
)

// FormatWhatIf names a text that shows which lines of a dump come and go (row N-6): "+ "
// is before a line that came, "- " before one that went, "~ " before one that
// changed, with the line as it was above it ("< "), and two blanks before the others. No
// capture renders to it.
const FormatWhatIf dump.Format = "whatif"

// LineCounts are the figures of two renderings of one page.
type LineCounts struct {
	Came, Went, Changed, Same int
	// Tokens of the two texts as a model counts them (o200k).
	TokensBefore, TokensAfter int
}

// Any reports whether a line differs.
func (c LineCounts) Any() bool { return c.Came+c.Went+c.Changed > 0 }

// Signs are the lines that differ in a few signs: "+2 –4 ~1", "No line differs".
func (c LineCounts) Signs() string {
	var parts []string
	for _, p := range []struct {
		sign string
		n    int
	}{{"+", c.Came}, {"–", c.Went}, {"~", c.Changed}} {
		if p.n > 0 {
			parts = append(parts, p.sign+text.Thousands(p.n))
		}
	}
	if len(parts) == 0 {
		return "No line differs"
	}
	return strings.Join(parts, " ")
}

// Facts are the figures for a bar. Tokens are counted as everywhere in the window.
func (c LineCounts) Facts() []StatusItem {
	tone := ToneNormal
	if !c.Any() {
		tone = ToneMuted
	}
	facts := []StatusItem{{c.Signs(), tone}, {text.Thousands(c.Same) + " the same", ToneMuted}}
	if c.TokensBefore == c.TokensAfter {
		return append(facts, StatusItem{TokenWords(c.TokensAfter), ToneMuted})
	}
	return append(facts, StatusItem{text.Thousands(c.TokensBefore) + " to " + TokenWords(c.TokensAfter), ToneNormal})
}

// TokenWords is a count of tokens with how it was made. The window counts the tokens of
// texts in one way only.
func TokenWords(n int) string { return text.Count(n, "token", "tokens") + " (o200k)" }

// ComparedText is a text of two renderings, ready for the window. It is immutable and
// made away from the main goroutine.
type ComparedText struct {
	Doc   *dump.Document
	Tones *LineTones
}

// TextEffect is what another setup does to a text. It is immutable and made away from the
// main goroutine.
type TextEffect struct {
	Counts LineCounts
	// Differ are the lines that differ, under the rules and reasons that they differ for.
	Differ *Rows
	// Whole is the whole second text with them in it.
	Whole *ComparedText
}

// NewTextEffect makes a comparison ready. count counts tokens.
func NewTextEffect(c *whatif.Comparison, count func(string) int) *TextEffect {
	k := LineCounts{Same: c.Unchanged, TokensBefore: count(c.Before.Text), TokensAfter: count(c.After.Text)}
	for _, l := range c.Lines {
		switch l.Kind {
		case whatif.Came:
			k.Came++
		case whatif.Went:
			k.Went++
		default:
			k.Changed++
		}
	}
	w := newComparedWriter(c)
	next := 0
	upTo := func(after int) { // writes what differs before a line of the second text
		for next < len(c.Lines) && c.Lines[next].Kind == whatif.Went {
			if after >= 0 && c.Lines[next].Before > after {
				return
			}
			w.change(c.Lines[next])
			next++
		}
	}
	for j, l := range c.After.Lines {
		if from := c.Origin[j]; from >= 0 {
			upTo(from)
		} else {
			upTo(-1)
		}
		if next < len(c.Lines) && c.Lines[next].After == j {
			w.change(c.Lines[next])
			next++
			continue
		}
		w.line("  "+c.After.Text[l.Start:l.End], l.Node, l.Ref, ToneNormal)
	}
	upTo(-1)
	return &TextEffect{Counts: k, Differ: NewRows(effectRows(c)), Whole: w.done()}
}

// effectRows are the lines that differ: one heading for each rule or reason, the one with
// most lines first.
func effectRows(c *whatif.Comparison) []Row {
	type group struct {
		head Row
		rows []Row
	}
	var groups []*group
	at := map[string]*group{}
	for i := range c.Lines {
		l := &c.Lines[i]
		key, say := causeOf(l)
		g := at[key]
		if g == nil {
			g = &group{head: Row{Kind: RowHead, Title: say}}
			at[key] = g
			groups = append(groups, g)
		}
		g.rows = append(g.rows, effectRow(l))
	}
	slices.SortStableFunc(groups, func(a, b *group) int { return len(b.rows) - len(a.rows) })
	var rows []Row
	for _, g := range groups {
		g.head.Title = fmt.Sprintf(g.head.Title, text.Count(len(g.rows), "line", "lines"))
		rows = append(append(rows, g.head), g.rows...)
	}
	return rows
}

// causeOf is what a line differs for, and the heading of such lines with %s for their count.
func causeOf(l *whatif.LineChange) (key, heading string) {
	verb := map[whatif.Kind]string{whatif.Came: "added", whatif.Went: "removed", whatif.Changed: "changed"}[l.Kind]
	if l.Kind == whatif.Came || len(l.Why) == 0 { // what is there needs no reason
		return verb, "%s " + verb
	}
	r := l.Why[0]
	spare := func(s string) string { return strings.ReplaceAll(text.Cut(text.Line(s), 160), "%", "%%") }
	if rule := r.Rule; rule != "" {
		does := "removes"
		if l.Kind == whatif.Changed {
			does = "changes"
		}
		return verb + rule, spare(rule) + " " + does + " %s"
	}
	return verb + r.Reason, "%s " + verb + ": " + spare(why.ReasonWords(r.Reason))
}

func effectRow(l *whatif.LineChange) Row {
	r := Row{Code: true, Ref: l.Ref, Node: l.Node + 1, Pick: PickOf(l.Node, l.Ref)}
	own := func(line string) string { // the number precedes the title already
		place, rest, numbered := strings.Cut(line, fmt.Sprintf("[%d]", l.Ref))
		if numbered && l.Ref > 0 && strings.Trim(place, "↑↓←→") == "" { // arrows to what is outside the view stay
			line = place + rest
		}
		return text.Cut(text.Line(line), 400)
	}
	switch l.Kind {
	case whatif.Came:
		r.Lead, r.Tone, r.Title = "+", ToneGood, own(l.To)
	case whatif.Went:
		r.Lead, r.Tone, r.Title = "–", ToneBad, own(l.From)
	default:
		r.Lead, r.Tone, r.Title, r.Body = "~", ToneWarn, own(l.To), "was "+own(l.From)
	}
	return r
}

// comparedWriter writes one such text.
type comparedWriter struct {
	c   *whatif.Comparison
	b   strings.Builder
	out *ComparedText
}

func newComparedWriter(c *whatif.Comparison) *comparedWriter {
	return &comparedWriter{c: c, out: &ComparedText{Doc: &dump.Document{Format: FormatWhatIf},
		Tones: &LineTones{ByLine: map[int]Tone{}}}}
}

func (w *comparedWriter) line(text string, node, ref int, tone Tone) {
	if len(w.out.Doc.Lines) > 0 {
		w.b.WriteByte('\n')
	}
	if tone != ToneNormal {
		w.out.Tones.Set(len(w.out.Doc.Lines), tone)
	}
	w.out.Doc.Lines = append(w.out.Doc.Lines, dump.Line{Start: w.b.Len(), End: w.b.Len() + len(text), Node: node,
		Ref: ref})
	w.b.WriteString(text)
}

// change writes a line that differs.
func (w *comparedWriter) change(l whatif.LineChange) {
	lineOf := func(d *dump.Document, i int) string { return d.Text[d.Lines[i].Start:d.Lines[i].End] }
	switch l.Kind {
	case whatif.Came:
		w.line("+ "+lineOf(w.c.After, l.After), l.Node, l.Ref, ToneGood)
	case whatif.Went:
		w.line("- "+lineOf(w.c.Before, l.Before), l.Node, l.Ref, ToneBad)
	default:
		w.line("< "+lineOf(w.c.Before, l.Before), l.Node, l.Ref, ToneMuted)
		w.line("~ "+lineOf(w.c.After, l.After), l.Node, l.Ref, ToneWarn)
	}
}

func (w *comparedWriter) done() *ComparedText {
	w.out.Doc.Text = w.b.String()
	return w.out
}

// In is the text with the numbers in the place of its refs.
func (t *ComparedText) In(n *Numbers) *ComparedText {
	if n == nil {
		return t
	}
	w := newComparedWriter(nil)
	for i, l := range t.Doc.Lines {
		w.line(n.Line(t.Doc.Text[l.Start:l.End]), l.Node, l.Ref, t.Tones.Of(i))
	}
	return w.done()
}

// NewTextDiff shows all lines of two texts with what came and went from the first to the
// second; it has no line where they are the same.
func NewTextDiff(before, after string) *ComparedText {
	w := newComparedWriter(nil)
	if before == after {
		return w.done()
	}
	for _, e := range diff.Lines(before, after) {
		switch {
		case e.B < 0:
			w.line("- "+e.Line, -1, 0, ToneBad)
		case e.A < 0:
			w.line("+ "+e.Line, -1, 0, ToneGood)
		default:
			w.line("  "+e.Line, -1, 0, ToneNormal)
		}
	}
	return w.done()
}

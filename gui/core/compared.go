package core

import (
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot/diff"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/whatif"
)

// FormatWhatIf names a text that shows which lines of a dump come and go (row N-6): "+ "
// stands before a line that came, "- " before one that went, "~ " before one that
// changed, with the line as it was above it ("< "), and two blanks before the others. A
// line that begins with "# " says why, and is never the page's. No capture renders to it.
const FormatWhatIf dump.Format = "whatif"

// LineCounts are the figures of two renderings of one page.
type LineCounts struct {
	Came, Went, Changed, Same int
	// Tokens of the two texts as a model counts them (o200k), and their characters.
	TokensBefore, TokensAfter int
	CharsBefore, CharsAfter   int
}

// Any reports whether a line differs.
func (c LineCounts) Any() bool { return c.Came+c.Went+c.Changed > 0 }

// Signs are the lines that differ in a few signs: "+2 –4 ~1", "no line differs".
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
		return "no line differs"
	}
	return strings.Join(parts, " ")
}

// Facts are the figures for a bar.
func (c LineCounts) Facts() []StatusItem {
	tone := ToneNormal
	if !c.Any() {
		tone = ToneMuted
	}
	facts := []StatusItem{{c.Signs(), tone}, {text.Thousands(c.Same) + " the same", ToneMuted}}
	if c.TokensBefore == c.TokensAfter {
		return append(facts, StatusItem{text.Thousands(c.TokensAfter) + " tokens", ToneMuted})
	}
	return append(facts, StatusItem{text.Thousands(c.TokensBefore) + " → " + text.Thousands(c.TokensAfter) + " tokens", ToneNormal})
}

// ComparedText is a text of two renderings, ready for the window. It is immutable and
// made away from the main goroutine.
type ComparedText struct {
	Doc    *dump.Document
	Tones  *LineTones
	Counts LineCounts
}

// NewComparedTexts are the lines that differ, and the whole second text with them in it.
// count counts tokens.
func NewComparedTexts(c *whatif.Comparison, count func(string) int) (differ, whole *ComparedText) {
	k := LineCounts{Same: c.Unchanged, TokensBefore: count(c.Before.Text), TokensAfter: count(c.After.Text),
		CharsBefore: NewDoc(nil, c.Before).Chars, CharsAfter: NewDoc(nil, c.After).Chars}
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
	d, w := newComparedWriter(c, k), newComparedWriter(c, k)
	next := 0
	upTo := func(after int) { // writes what differs before a line of the second text
		for next < len(c.Lines) && c.Lines[next].Kind == whatif.Went {
			if after >= 0 && c.Lines[next].Before > after {
				return
			}
			d.change(c.Lines[next])
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
			d.change(c.Lines[next])
			w.change(c.Lines[next])
			next++
			continue
		}
		w.line("  "+c.After.Text[l.Start:l.End], l.Node, l.Ref, ToneNormal)
	}
	upTo(-1)
	return d.done(), w.done()
}

// comparedWriter writes one such text.
type comparedWriter struct {
	c   *whatif.Comparison
	b   strings.Builder
	out *ComparedText
}

func newComparedWriter(c *whatif.Comparison, k LineCounts) *comparedWriter {
	return &comparedWriter{c: c, out: &ComparedText{Doc: &dump.Document{Format: FormatWhatIf}, Tones: &LineTones{ByLine: map[int]Tone{}}, Counts: k}}
}

func (w *comparedWriter) line(text string, node, ref int, tone Tone) {
	if len(w.out.Doc.Lines) > 0 {
		w.b.WriteByte('\n')
	}
	if tone != ToneNormal {
		w.out.Tones.Set(len(w.out.Doc.Lines), tone)
	}
	w.out.Doc.Lines = append(w.out.Doc.Lines, dump.Line{Start: w.b.Len(), End: w.b.Len() + len(text), Node: node, Ref: ref})
	w.b.WriteString(text)
}

// change writes a line that differs and why, with the indent of its own text.
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
	if l.Kind == whatif.Came || len(l.Why) == 0 { // what is there needs no reason
		return
	}
	var why []string
	for _, r := range l.Why {
		s := text.Cut(text.Line(r.Reason), 60)
		if r.Detail != "" {
			s += ": " + text.Cut(text.Line(r.Detail), 200)
		}
		if !slices.Contains(why, s) {
			why = append(why, s)
		}
	}
	w.line("# "+strings.Join(why, "; "), l.Node, l.Ref, ToneNormal)
}

func (w *comparedWriter) done() *ComparedText {
	w.out.Doc.Text = w.b.String()
	return w.out
}

// NewTextDiff shows all lines of two texts with what came and went from the first to the
// second; it has no line where they are the same.
func NewTextDiff(before, after string) *ComparedText {
	w := newComparedWriter(nil, LineCounts{})
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

package text

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/text"
)

// Attributes that a person leaves out of the text in view, to read it with less noise. What an
// agent was sent keeps them, and its costs are those of the whole text.

// maxAttributes is how many attributes the choice offers.
const maxAttributes = 12

// inWordsOf is a text whose lines read as those of another one about the same elements, which
// may have been cut elsewhere: its numbers are shorter. What the lines are about stays.
func inWordsOf(d, words *dump.Document) *dump.Document {
	out := &dump.Document{Format: d.Format, Omitted: d.Omitted, Refs: d.Refs, Truncated: d.Truncated}
	spans := map[int][]dump.Span{}
	for _, s := range d.Spans {
		spans[s.Line] = append(spans[s.Line], s)
	}
	theirs := map[int][]dump.Span{}
	for _, s := range words.Spans {
		theirs[s.Line] = append(theirs[s.Line], s)
	}
	var b strings.Builder
	for i, l := range d.Lines {
		from, line, parts := d.Text, l, spans[i]
		if i < len(words.Lines) && words.Lines[i].Node == l.Node && !(d.Truncated && i == len(d.Lines)-1) {
			from, line, parts = words.Text, words.Lines[i], theirs[i]
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		start := b.Len()
		b.WriteString(from[line.Start:line.End])
		for _, s := range parts {
			s.Start, s.End, s.Line = s.Start-line.Start+start, s.End-line.Start+start, i
			out.Spans = append(out.Spans, s)
		}
		l.Start, l.End = start, b.Len()
		out.Lines = append(out.Lines, l)
	}
	out.Text = b.String()
	return out
}

// attribute is one name="value" of a line, with the blank before it.
type attribute struct {
	name       string
	start, end int
}

// attributes are those in the tags of a line of markup.
func attributes(f dump.Format, line string, buf []span) []attribute {
	if f != format.DDDK && format.KindOf(f) != format.KindHTML {
		return nil
	}
	var out []attribute
	spans := tokenize(f, line, buf)
	for i, s := range spans {
		// A value in quotes is between two quotes that are punctuation.
		if s.Kind != kindPunct || !strings.HasSuffix(line[s.Start:s.End], `="`) {
			continue
		}
		from := strings.LastIndexByte(line[s.Start:s.End-2], ' ')
		if from < 0 {
			continue
		}
		end := len(line)
		for _, v := range spans[i+1:] {
			if v.Kind == kindPunct { // it begins with the quote that ends the value
				end = v.Start + 1
				break
			}
		}
		out = append(out, attribute{line[s.Start+from+1 : s.End-2], s.Start + from, end})
	}
	return out
}

// attributesOf are the attributes of a text, those with most characters first.
func attributesOf(d *dump.Document) []string {
	size := map[string]int{}
	var buf []span
	for _, l := range d.Lines {
		for _, a := range attributes(d.Format, d.Text[l.Start:l.End], buf) {
			size[a.name] += a.end - a.start
		}
	}
	return slices.SortedFunc(maps.Keys(size), func(a, b string) int {
		return cmp.Or(cmp.Compare(size[b], size[a]), cmp.Compare(a, b))
	})
}

// without is a text without the attributes that are left out.
func without(d *dump.Document, r core.Reading) *dump.Document {
	if r.Without == "" {
		return d
	}
	var gone [][2]int // bytes of the text, ascending
	var buf []span
	for _, l := range d.Lines {
		for _, a := range attributes(d.Format, d.Text[l.Start:l.End], buf) {
			if r.Lacks(a.name) {
				gone = append(gone, [2]int{l.Start + a.start, l.Start + a.end})
			}
		}
	}
	if len(gone) == 0 {
		return d
	}
	var b strings.Builder
	at := 0
	lost := make([]int, len(gone)+1) // bytes before each
	for i, g := range gone {
		b.WriteString(d.Text[at:g[0]])
		at = g[1]
		lost[i+1] = lost[i] + g[1] - g[0]
	}
	b.WriteString(d.Text[at:])
	// place is where a byte of the text is now; one of what is gone is where that began.
	place := func(p int) int {
		i, _ := slices.BinarySearchFunc(gone, p, func(g [2]int, p int) int { return cmp.Compare(g[1], p+1) })
		if i < len(gone) && p > gone[i][0] {
			return gone[i][0] - lost[i]
		}
		return p - lost[i]
	}
	out := &dump.Document{Format: d.Format, Text: b.String(), Lines: slices.Clone(d.Lines), Omitted: d.Omitted,
		Refs:      d.Refs,
		Truncated: d.Truncated}
	for i := range out.Lines {
		l := &out.Lines[i]
		l.Start, l.End = place(l.Start), place(l.End)
	}
	for _, s := range d.Spans {
		s.Start, s.End = place(s.Start), place(s.End)
		out.Spans = append(out.Spans, s)
	}
	return out
}

// attributeChoices are the lines of the choice of attributes, nil where the text has none.
func attributeChoices(s core.State, d *core.Doc) []AttributeChoice {
	names := d.Attributes
	for _, a := range strings.Fields(s.Reading.Without) {
		if i := slices.Index(names, a); i >= maxAttributes {
			names = append([]string{a}, names...) // it can be shown again
		}
	}
	var out []AttributeChoice
	for _, a := range names[:min(len(names), maxAttributes)] {
		out = append(out, AttributeChoice{a, text.Cut(text.Line(a), 30), !s.Reading.Lacks(a)})
	}
	return out
}

// cmdAttributes drops the choice of attributes down.
const cmdAttributes = "text.attributes"

func attributesCommand() core.Command {
	return core.Command{ID: cmdAttributes, Title: "Choose attributes…", Menu: "Text", Enabled: func(s core.State) bool {
		d := docInView(s)
		return s.Current != nil && d != nil && len(attributeChoices(s, d)) > 0
	}, Msg: core.Send(attributesAsked())}
}

type (
	// dropAttributes drops the choice down.
	dropAttributes struct{}
)

// attributesAsked: a person chooses attributes by keys.
func attributesAsked() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		s, effects := core.SideChosen(core.SideText).Apply(s)
		return s, append(effects, dropAttributes{})
	})
}

// AttributeChoice is one line of the choice of attributes.
type AttributeChoice struct {
	Name, Title string
	On          bool // it is shown
}

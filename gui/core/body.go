package core

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/payload"
	"github.com/refscope/refscope/snapshot/redact"
	pagetext "github.com/refscope/refscope/snapshot/text"
)

// Names of the two texts of a payload's body. No capture renders to them.
const (
	// FormatBytes is the body as it is: lines of at most BodyColumns characters, cut
	// where a section or a line ends, with nothing added and nothing left out.
	FormatBytes dump.Format = "bytes"
	// FormatPretty is the body as indented JSON, to be read. It is not the bytes.
	FormatPretty dump.Format = "pretty"
)

// BodyColumns is where lines of a body are cut, in characters; answerColumns is that of an answer, which stands beside
// the steps that led to it.
const (
	BodyColumns   = 60
	answerColumns = 40
)

// Built is one payload made ready for the window. It is immutable.
type Built struct {
	Choice   PayloadChoice
	Body     []byte
	SHA256   string // of Body, hexadecimal
	Sections []payload.Section
	Redacted []redact.Span
	// Trimmed describes what a limit removed.
	Trimmed []string
	// Exact is the body line by line; the Ref of a line is the number of its section,
	// from 1, and 0 for what is between sections.
	Exact *dump.Document
	// Pretty is nil where the body is not JSON.
	Pretty *dump.Document
	// ExactTones tints the redacted lines.
	ExactTones *LineTones
	// Chars is the length of the body in characters.
	Chars int

	columns int // where its lines are cut
}

// NewBuilt makes the texts of a body. Sections are in its order and do not overlap.
func NewBuilt(b Built) *Built {
	b.columns = cmp.Or(b.columns, BodyColumns)
	b.Chars = utf8.RuneCount(b.Body)
	b.Exact, b.ExactTones = exactText(&b)
	b.Pretty = prettyText(&b)
	return &b
}

// exactText cuts the body into lines: at line feeds, at the ends of sections, and
// after BodyColumns characters.
func exactText(b *Built) (*dump.Document, *LineTones) {
	text := string(b.Body)
	d := &dump.Document{Format: FormatBytes, Text: text}
	at := 0
	for i, s := range b.Sections {
		if s.Start < at || s.End < s.Start || s.End > len(text) {
			continue
		}
		d.Lines = wrap(d.Lines, text, at, s.Start, 0, false, b.columns)
		d.Lines = wrap(d.Lines, text, s.Start, s.End, i+1, false, b.columns)
		at = s.End
	}
	d.Lines = wrap(d.Lines, text, at, len(text), 0, false, b.columns)
	tones := &LineTones{ByLine: map[int]Tone{}}
	next := 0
	for i, l := range d.Lines {
		for next < len(b.Redacted) && b.Redacted[next].End <= l.Start {
			next++
		}
		if next < len(b.Redacted) && b.Redacted[next].Start < l.End {
			tones.Set(i, ToneWarn)
		}
	}
	return d, tones
}

// prettyText indents the body, and cuts long strings at the line feeds that they
// spell. A section that is in it unchanged keeps its number.
func prettyText(b *Built) *dump.Document {
	var out bytes.Buffer
	if len(b.Body) == 0 || json.Indent(&out, b.Body, "", "  ") != nil {
		return nil
	}
	text := out.String()
	d := &dump.Document{Format: FormatPretty, Text: text}
	at := 0
	for i, s := range b.Sections {
		if s.Start < 0 || s.End <= s.Start || s.End > len(b.Body) {
			continue
		}
		n := strings.Index(text[at:], string(b.Body[s.Start:s.End]))
		if n < 0 {
			continue // an object, which is spelled in other lines here
		}
		d.Lines = wrap(d.Lines, text, at, at+n, 0, true, b.columns)
		d.Lines = wrap(d.Lines, text, at+n, at+n+s.End-s.Start, i+1, true, b.columns)
		at += n + s.End - s.Start
	}
	d.Lines = wrap(d.Lines, text, at, len(text), 0, true, b.columns)
	return d
}

// wrap appends the lines of text[from:to], which belong to a section. spelled also
// cuts after a line feed that a JSON string spells, \n. A line has that many columns at most.
func wrap(lines []dump.Line, text string, from, to, section int, spelled bool, columns int) []dump.Line {
	add := func(start, end int) { lines = append(lines, dump.Line{Start: start, End: end, Node: -1, Ref: section}) }
	start, cols := from, 0
	for i := from; i < to; {
		if text[i] == '\n' {
			add(start, i)
			i++
			start, cols = i, 0
			continue
		}
		if spelled && text[i] == '\\' && i+1 < to {
			feed := text[i+1] == 'n'
			i += 2
			cols += 2
			if feed {
				add(start, i)
				start, cols = i, 0
			}
			continue
		}
		if cols >= columns {
			add(start, i)
			start, cols = i, 0
		}
		i += pagetext.Character(text[i:to])
		cols++
	}
	if start < to {
		add(start, to)
	}
	return lines
}

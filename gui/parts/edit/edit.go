// Package edit is a text while a person writes in it, without a toolkit: its lines, how they wrap, a cursor and a
// selection. A key costs what the lines that it changes cost, not what the text does, but for copying: texts have some
// hundred kilobytes and some thousand lines.
//
// Begin with [New], [Text.Wrap], [Text.Insert] and [Text.Move]. What was given comes back byte for byte, and so does
// what nobody wrote over. Undo is not here: the window's state has it.
package edit

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Place is between two characters: a line, from 0, and a byte of it.
type Place struct{ Line, Byte int }

// Before reports whether p comes before o.
func (p Place) Before(o Place) bool { return p.Line < o.Line || p.Line == o.Line && p.Byte < o.Byte }

// Text is a text with a cursor. Make it with [New].
type Text struct {
	lines          []string
	cursor, anchor Place // what is selected is between them
	rows           rows
	want           float32 // where Up and Down want to be in a row, -1 for where the cursor is
}

// New makes a text with the cursor at its beginning. It wraps nothing until [Text.Wrap].
func New(text string) *Text {
	t := &Text{want: -1}
	t.Set(text)
	return t
}

// String is the whole text.
func (t *Text) String() string { return strings.Join(t.lines, "\n") }

// Set replaces the whole text; the cursor is at its beginning.
func (t *Text) Set(text string) {
	t.lines = strings.Split(text, "\n")
	t.cursor, t.anchor, t.want = Place{}, Place{}, -1
	t.rows.all(t.lines)
}

// Lines is how many lines there are, at least 1.
func (t *Text) Lines() int { return len(t.lines) }

// Line is a line, from 0.
func (t *Text) Line(i int) string { return t.lines[i] }

// Cursor is where the next character goes.
func (t *Text) Cursor() Place { return t.cursor }

// Selection is what is selected; from is to where nothing is.
func (t *Text) Selection() (from, to Place) {
	if t.anchor.Before(t.cursor) {
		return t.anchor, t.cursor
	}
	return t.cursor, t.anchor
}

// Selected is the selected text.
func (t *Text) Selected() string {
	from, to := t.Selection()
	if from.Line == to.Line {
		return t.lines[from.Line][from.Byte:to.Byte]
	}
	parts := append([]string{t.lines[from.Line][from.Byte:]}, t.lines[from.Line+1:to.Line]...)
	return strings.Join(append(parts, t.lines[to.Line][:to.Byte]), "\n")
}

// Offset is the byte of the text that a place is at.
func (t *Text) Offset(p Place) int {
	at := p.Byte
	for _, l := range t.lines[:p.Line] {
		at += len(l) + 1
	}
	return at
}

// At is the place of a byte of the text, of the nearest one where it has none.
func (t *Text) At(offset int) Place {
	for i, l := range t.lines {
		if offset <= len(l) || i == len(t.lines)-1 {
			return t.valid(Place{i, offset})
		}
		offset -= len(l) + 1
	}
	return Place{}
}

// valid is the nearest place that there is: in the text, between characters, before a line's carriage return.
func (t *Text) valid(p Place) Place {
	p.Line = min(max(p.Line, 0), len(t.lines)-1)
	l := t.lines[p.Line]
	p.Byte = min(max(p.Byte, 0), length(l))
	for p.Byte > 0 && p.Byte < len(l) && !utf8.RuneStart(l[p.Byte]) && !broken(l, p.Byte) {
		p.Byte--
	}
	return p
}

// broken reports whether a byte of a line that begins no character is in none either.
func broken(l string, at int) bool {
	for i := at - 1; i >= max(0, at-utf8.UTFMax+1); i-- {
		if utf8.RuneStart(l[i]) {
			_, size := utf8.DecodeRuneInString(l[i:])
			return i+size <= at
		}
	}
	return true
}

// length is how far the cursor goes in a line: a carriage return at its end is part of the line's break.
func length(l string) int { return len(strings.TrimSuffix(l, "\r")) }

// GoTo puts the cursor at a place; extend keeps the other end of the selection.
func (t *Text) GoTo(p Place, extend bool) {
	t.cursor, t.want = t.valid(p), -1
	if !extend {
		t.anchor = t.cursor
	}
}

// Select selects what is between two places, with the cursor at the second.
func (t *Text) Select(from, to Place) {
	t.GoTo(from, false)
	t.GoTo(to, true)
}

// Insert puts a text in place of the selection, with the cursor behind it. Its line breaks become those of the text.
func (t *Text) Insert(text string) {
	text = breaks.Replace(text)
	if len(t.lines) > 1 && strings.HasSuffix(t.lines[0], "\r") {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	from, to := t.Selection()
	put := strings.Split(t.lines[from.Line][:from.Byte]+text+t.lines[to.Line][to.Byte:], "\n")
	end := Place{from.Line + len(put) - 1, len(put[len(put)-1]) - (len(t.lines[to.Line]) - to.Byte)}
	t.lines = slices.Replace(t.lines, from.Line, to.Line+1, put...)
	t.rows.replace(from.Line, to.Line+1, put)
	t.GoTo(end, false)
}

// breaks makes every line break one line feed.
var breaks = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// Delete takes the selection out; where there is none, what is between the cursor and where a move leads. It reports
// whether there was something.
func (t *Text) Delete(m Move) bool {
	if t.cursor == t.anchor {
		t.Move(m, true)
	}
	if t.cursor == t.anchor {
		return false
	}
	t.Insert("")
	return true
}

// Move is a way of the cursor.
type Move int

const (
	Left Move = iota
	Right
	WordLeft
	WordRight
	Up
	Down
	Home // of the row
	End
	First // of the text
	Last
)

// Move moves the cursor; extend keeps the other end of the selection. Without it, Left and Right go to an end of the
// selection where there is one.
func (t *Text) Move(m Move, extend bool) {
	from, to := t.Selection()
	switch {
	case m == Up:
		t.Down(-1, extend)
	case m == Down:
		t.Down(1, extend)
	case m == Left && !extend && from != to:
		t.GoTo(from, false)
	case m == Right && !extend && from != to:
		t.GoTo(to, false)
	default:
		t.GoTo(t.leads(m), extend)
	}
}

func (t *Text) leads(m Move) Place {
	p := t.cursor
	switch m {
	case Left:
		return t.left(p)
	case Right:
		return t.right(p)
	case WordLeft:
		l := t.lines[p.Line]
		if p.Byte == 0 {
			return t.left(p)
		}
		for p.Byte > 0 && !wordly(l[t.left(p).Byte:]) {
			p = t.left(p)
		}
		for p.Byte > 0 && wordly(l[t.left(p).Byte:]) {
			p = t.left(p)
		}
	case WordRight:
		l := t.lines[p.Line]
		if p.Byte >= length(l) {
			return t.right(p)
		}
		for p.Byte < length(l) && wordly(l[p.Byte:]) {
			p = t.right(p)
		}
		for p.Byte < length(l) && !wordly(l[p.Byte:]) {
			p = t.right(p)
		}
	case Home:
		return t.PlaceAt(t.Row(p), 0)
	case End:
		return t.PlaceAt(t.Row(p), math.MaxFloat32)
	case First:
		return Place{}
	case Last:
		return t.valid(Place{len(t.lines) - 1, math.MaxInt})
	}
	return p
}

// left is the place before p, right the one behind it; the ends of the text stay.
func (t *Text) left(p Place) Place {
	if p.Byte == 0 {
		if p.Line == 0 {
			return p
		}
		return Place{p.Line - 1, length(t.lines[p.Line-1])}
	}
	_, size := utf8.DecodeLastRuneInString(t.lines[p.Line][:p.Byte])
	return Place{p.Line, p.Byte - size}
}

func (t *Text) right(p Place) Place {
	if p.Byte >= length(t.lines[p.Line]) {
		if p.Line == len(t.lines)-1 {
			return p
		}
		return Place{p.Line + 1, 0}
	}
	_, size := utf8.DecodeRuneInString(t.lines[p.Line][p.Byte:])
	return Place{p.Line, p.Byte + size}
}

// Word is the word at a place, or the one character that is no word's.
func (t *Text) Word(p Place) (from, to Place) {
	l := t.lines[p.Line]
	from, to = p, p
	for from.Byte > 0 {
		q := t.left(from)
		if !wordly(l[q.Byte:]) {
			break
		}
		from = q
	}
	for to.Byte < length(l) && wordly(l[to.Byte:]) {
		to = t.right(to)
	}
	if from == to && p.Byte < length(l) {
		to = t.right(p)
	}
	return from, to
}

// wordly reports whether a text begins with a character of a word.
func wordly(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r)
}

package profile

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// pastEdits bounds how many steps can be undone.
const pastEdits = 300

// textEdit is a place where the text changed: from was there, to is there now.
type textEdit struct {
	at       int // byte
	from, to string
}

// between is the one place in which two texts differ, between runes.
func between(before, after string) textEdit {
	at := 0
	for at < len(before) && at < len(after) && before[at] == after[at] {
		at++
	}
	for at > 0 && (at < len(before) && !utf8.RuneStart(before[at]) || at < len(after) && !utf8.RuneStart(after[at])) {
		at--
	}
	i, j := len(before), len(after)
	for i > at && j > at && before[i-1] == after[j-1] {
		i, j = i-1, j-1
	}
	for i < len(before) && !utf8.RuneStart(before[i]) || j < len(after) && !utf8.RuneStart(after[j]) {
		i, j = i+1, j+1
	}
	return textEdit{at, before[at:i], after[at:j]}
}

// joins reports whether e continues where the edit before it ended, inside one word: the
// two are undone as one.
func (e textEdit) joins(before textEdit) bool {
	word := func(s string) bool { return len(s) > 0 && len(s) <= 4 && !strings.ContainsAny(s, " \n\t") }
	switch {
	case e.from == "" && before.from == "":
		return word(e.to) && e.at == before.at+len(before.to) && !strings.HasSuffix(before.to, "\n")
	case e.to == "" && before.to == "":
		return word(e.from) && (e.at+len(e.from) == before.at || e.at == before.at)
	}
	return false
}

// Typed takes a text over that the editor has already.
func (d *Draft) Typed(text string) {
	if text == d.Text {
		return
	}
	e := between(d.Text, text)
	past := d.past
	if n := len(past); n > 0 && e.joins(past[n-1]) {
		last := past[n-1]
		switch {
		case e.from == "":
			last.to += e.to
		case e.at < last.at:
			last.at, last.from = e.at, e.from+last.from
		default:
			last.from += e.from
		}
		d.past = append(append([]textEdit(nil), past[:n-1]...), last)
	} else {
		d.past = append(append([]textEdit(nil), past[max(0, len(past)+1-pastEdits):]...), e)
	}
	d.Future = nil
	d.Text = text
	d.Seq++
}

// Replace sets the editor's text, with the cursor at a byte of it.
func (d *Draft) Replace(text string, cursor int) {
	if text != d.Text {
		e := between(d.Text, text)
		d.past = append(append([]textEdit(nil), d.past[max(0, len(d.past)+1-pastEdits):]...), e)
		d.Future = nil
		d.Text = text
		d.Seq++
	}
	d.Cursor = cursor
	d.Given++
}

// Undo goes one step back, redo one on. They report whether there was one.
func (d *Draft) Undo() bool {
	return d.step(&d.past, &d.Future, func(e textEdit) (was, is string) { return e.to, e.from })
}

// Redo does again what [Draft.Undo] took back, and reports whether there was something.
func (d *Draft) Redo() bool {
	return d.step(&d.Future, &d.past, func(e textEdit) (was, is string) { return e.from, e.to })
}

// step puts the last edit of a list into effect, by what it replaces, and moves it to the other list.
func (d *Draft) step(of, to *[]textEdit, turn func(textEdit) (was, is string)) bool {
	n := len(*of)
	if n == 0 {
		return false
	}
	e := (*of)[n-1]
	was, is := turn(e)
	*of, *to = (*of)[:n-1:n-1], append(slices.Clone(*to), e)
	d.Text = d.Text[:e.at] + is + d.Text[e.at+len(was):]
	d.Cursor = e.at + len(is)
	d.Seq++
	d.Given++
	return true
}

// lineStart is the byte at which a line begins, from 1.
func lineStart(text string, line int) int {
	at := 0
	for ; line > 1; line-- {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			return at
		}
		at += i + 1
	}
	return at
}

// withSection is the text with another section before the next one that there is in the
// order of names, and the byte below its heading.
func withSection(text, name string, parts []Section) (string, int) {
	at, after := len(text), false
	for _, p := range parts {
		if after && p.Line > 0 {
			at = lineStart(text, p.Line)
			break
		}
		after = after || p.Name == name
	}
	head := "## " + name + "\n- \n"
	before, rest := text[:at], text[at:]
	if before != "" && !strings.HasSuffix(before, "\n") {
		before += "\n"
	}
	if before != "" && !strings.HasSuffix(before, "\n\n") {
		before += "\n"
	}
	if rest != "" {
		head += "\n"
	}
	return before + head + rest, len(before) + len("## "+name+"\n- ")
}

package edit

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// cells measures a text as one cell a character.
func cells(s string) float32 { return float32(utf8.RuneCountInString(s)) }

// at is a text with its cursor where | stands, and the other end of a selection at ^.
func at(marked string) *Text {
	plain := strings.NewReplacer("|", "", "^", "").Replace(marked)
	t := New(plain)
	t.Wrap(10, cells)
	t.GoTo(t.At(strings.IndexByte(strings.ReplaceAll(marked, "^", ""), '|')), false)
	if i := strings.IndexByte(strings.ReplaceAll(marked, "|", ""), '^'); i >= 0 {
		t.anchor = t.At(i)
	}
	return t
}

// marked is the other way.
func marked(t *Text) string {
	s, c, a := t.String(), t.Offset(t.cursor), t.Offset(t.anchor)
	if c == a {
		return s[:c] + "|" + s[c:]
	}
	if a < c {
		return s[:a] + "^" + s[a:c] + "|" + s[c:]
	}
	return s[:c] + "|" + s[c:a] + "^" + s[a:]
}

func TestMoves(t *testing.T) {
	for _, c := range []struct {
		name, from string
		move       Move
		want       string
		extended   string
	}{
		{"left", "ab|c", Left, "a|bc", "a|b^c"},
		{"left over a line break", "a\n|b", Left, "a|\nb", "a|\n^b"},
		{"left over Windows' line break", "a\r\n|b", Left, "a|\r\nb", "a|\r\n^b"},
		{"left at the beginning", "|a", Left, "|a", "|a"},
		{"left of a selection", "a^bc|d", Left, "a|bcd", "a^b|cd"},
		{"right", "a|日b", Right, "a日|b", "a^日|b"},
		{"right over Windows' line break", "a|\r\nb", Right, "a\r\n|b", "a^\r\n|b"},
		{"right at the end", "a|", Right, "a|", "a|"},
		{"right of a selection", "a|bc^d", Right, "abc|d", "ab|c^d"},
		{"a word left", "one two_2  |x", WordLeft, "one |two_2  x", "one |two_2  ^x"},
		{"a word left inside", "one tw|o", WordLeft, "one |two", "one |tw^o"},
		{"a word left at a line's beginning", "a\n|b", WordLeft, "a|\nb", "a|\n^b"},
		{"a word right", "|one, two", WordRight, "one, |two", "^one, |two"},
		{"a word right at a line's end", "one|\ntwo", WordRight, "one\n|two", "one^\n|two"},
		{"up", "abc\nde|f", Up, "ab|c\ndef", "ab|c\nde^f"},
		{"up from the first", "ab|c", Up, "|abc", "|ab^c"},
		{"up to a shorter row", "a\nbc|d", Up, "a|\nbcd", "a|\nbc^d"},
		{"down", "ab|c\ndef", Down, "abc\nde|f", "ab^c\nde|f"},
		{"down from the last", "a|bc", Down, "abc|", "a^bc|"},
		{"down in a wrapped line", "aa|aaa bbbbb ccc", Down, "aaaaa bb|bbb ccc", "aa^aaa bb|bbb ccc"},
		{"home of a row", "aaaaa bbbbb cc|c", Home, "aaaaa |bbbbb ccc", "aaaaa |bbbbb cc^c"},
		{"end of a row", "a|aaaa bbbbb", End, "aaaaa| bbbbb", "a^aaaa| bbbbb"},
		{"end of Windows' line", "|ab\r\nc", End, "ab|\r\nc", "^ab|\r\nc"},
		{"the first", "a\nb|", First, "|a\nb", "|a\nb^"},
		{"the last", "|a\nb", Last, "a\nb|", "^a\nb|"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := at(c.from)
			x.Move(c.move, false)
			require.Equal(t, c.want, marked(x))
			x = at(c.from)
			x.Move(c.move, true)
			require.Equal(t, c.extended, marked(x))
		})
	}
}

func TestUpAndDownKeepTheirColumn(t *testing.T) {
	x := at("abc|d\n\nabcdef")
	x.Move(Down, false)
	x.Move(Down, false)
	require.Equal(t, "abcd\n\nabc|def", marked(x))
	x.Down(-10, false)
	require.Equal(t, "|abcd\n\nabcdef", marked(x))
	x.Down(2, false)
	require.Equal(t, "abcd\n\nabc|def", marked(x), "the ends of the text change nothing")
	x.Move(Left, false)
	x.Down(-2, false)
	require.Equal(t, "ab|cd\n\nabcdef", marked(x))
}

func TestChanges(t *testing.T) {
	for _, c := range []struct {
		name, from string
		do         func(*Text)
		want       string
	}{
		{"a letter", "a|c", func(x *Text) { x.Insert("b") }, "ab|c"},
		{"over a selection", "a^b\nc|d", func(x *Text) { x.Insert("x") }, "ax|d"},
		{"lines", "a|d", func(x *Text) { x.Insert("b\nc") }, "ab\nc|d"},
		{"Windows' lines", "a|d\nb", func(x *Text) { x.Insert("b\r\nc\r") }, "ab\nc\n|d\nb"},
		{"lines into Windows' lines", "a|d\r\nb", func(x *Text) { x.Insert("\n") }, "a\r\n|d\r\nb"},
		{"backspace", "ab|c", func(x *Text) { x.Delete(Left) }, "a|c"},
		{"backspace over a line break", "a\r\n|b", func(x *Text) { x.Delete(Left) }, "a|b"},
		{"backspace at the beginning", "|b", func(x *Text) { x.Delete(Left) }, "|b"},
		{"delete", "a|日c", func(x *Text) { x.Delete(Right) }, "a|c"},
		{"a word", "one two|", func(x *Text) { x.Delete(WordLeft) }, "one |"},
		{"a selection", "a|bc^d", func(x *Text) { x.Delete(WordRight) }, "a|d"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := at(c.from)
			c.do(x)
			require.Equal(t, c.want, marked(x))
		})
	}
}

func TestRows(t *testing.T) {
	for _, c := range []struct {
		line string
		want []string
	}{
		{"", []string{""}},
		{"short", []string{"short"}},
		{"one two three four", []string{"one two ", "three four"}},
		{"aaaaaaaaaaaaaaaaaaaaaaaaa", []string{"aaaaaaaaaa", "aaaaaaaaaa", "aaaaa"}},
		{"- https://example.com/a", []string{"- ", "https://ex", "ample.com/", "a"}},
		{"aaaaaaaaaa    b", []string{"aaaaaaaaaa    ", "b"}},
		{"日本語日本語日本語日本語", []string{"日本語日本語日本語日", "本語"}},
		{"aaaaaaa👨‍👩‍👧aaaaaaaae\u0301", []string{"aaaaaaa", "👨‍👩‍👧aaaaa", "aaae\u0301"}},
	} {
		t.Run(c.line, func(t *testing.T) {
			x := New(c.line)
			x.Wrap(10, cells)
			var got []string
			for row := range x.Rows() {
				_, from, to := x.RowBytes(row)
				got = append(got, c.line[from:to])
			}
			require.Equal(t, c.want, got)
		})
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string]string{"one t|wo": "two", "a |- b": "-", "tw|": "tw", "": "", "|日本 x": "日本"} {
		x := at(text)
		if !strings.Contains(text, "|") {
			x.GoTo(Place{}, false)
		}
		x.Select(x.Word(x.Cursor()))
		require.Equal(t, want, x.Selected(), "%q", text)
	}
}

// FuzzText does what a person may do, beside a plain string.
func FuzzText(f *testing.F) {
	f.Add("a line\nof text\r\n\n日本 x", []byte{0, 1, 2, 3, 40, 41, 90, 17, 33, 200, 255, 5, 7, 12})
	f.Add("\xff\xe6\x97\r", []byte("a long row of keys that a person hits 0123456789"))
	f.Fuzz(func(t *testing.T, text string, keys []byte) {
		if len(text) > 2000 || len(keys) > 200 {
			return
		}
		x := New(text)
		x.Wrap(7, cells)
		for i, k := range keys {
			extend, arg := k&1 == 1, int(k>>4)
			from, to := x.Selection()
			a, b := x.Offset(from), x.Offset(to)
			switch k >> 1 & 7 {
			case 0, 1, 2:
				x.Move(Move(arg)%(Last+1), extend)
			case 3:
				x.Down(arg-8, extend)
			case 4:
				x.GoTo(Place{arg * i, arg - 3}, extend)
			case 5:
				put := []string{"x", " ", "\n", "日", "two\nlines", "\t"}[arg%6]
				if strings.HasSuffix(strings.Split(text, "\n")[0], "\r") && strings.Contains(text, "\n") {
					put = strings.ReplaceAll(put, "\n", "\r\n")
				}
				text = text[:a] + put + text[b:]
				x.Insert(put)
			case 6:
				if a == b {
					c := *x
					c.Move(Move(arg)%(Last+1), true)
					from, to = c.Selection()
					a, b = c.Offset(from), c.Offset(to)
				}
				text = text[:a] + text[b:]
				require.Equal(t, a != b, x.Delete(Move(arg)%(Last+1)))
			case 7:
				x.Select(x.Word(x.Cursor()))
			}
			require.Equal(t, text, x.String())
			from, to = x.Selection()
			require.Equal(t, text[x.Offset(from):x.Offset(to)], x.Selected())
			for _, p := range []Place{from, to} {
				require.Equal(t, p, x.valid(p), "a cursor is between characters")
				require.Equal(t, p, x.At(x.Offset(p)))
			}
		}
		fresh := New(text)
		fresh.Wrap(7, cells)
		require.Equal(t, fresh.rows.starts, x.rows.starts)
		require.Equal(t, fresh.rows.before, x.rows.before)
		var all strings.Builder
		for row := range x.Rows() {
			line, from, to := x.RowBytes(row)
			if from == 0 && line > 0 {
				all.WriteByte('\n')
			}
			all.WriteString(x.Line(line)[from:to])
			for _, col := range []float32{0, 3, 100} {
				p := x.PlaceAt(row, col)
				require.Equal(t, row, x.Row(p), "a place of a row is in it")
			}
		}
		require.Equal(t, text, all.String(), "the rows are the text")
	})
}

// BenchmarkInsert is one letter in the middle of a text of 200 kB, with the whole text after it.
func BenchmarkInsert(b *testing.B) {
	x := New(strings.Repeat("- a line of a profile that says something about the site, wrapped\n", 3100))
	x.Wrap(40, cells)
	for _, line := range []int{0, 1500, 3000} {
		b.Run(fmt.Sprint(line), func(b *testing.B) {
			x.GoTo(Place{line, 0}, false)
			for b.Loop() {
				x.Insert("x")
				if len(x.String()) < 200_000 {
					b.Fatal("short")
				}
				x.Delete(Left)
			}
		})
	}
}

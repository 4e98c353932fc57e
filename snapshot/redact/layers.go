package redact

import (
	"html"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A text can be in a body in many spellings: as it is, in a JSON string, in a JSON
// string inside one (the arguments of a tool call), percent-encoded in a form or a URL, in
// HTML. A layer is the body with one such spelling undone, and where each byte of it came
// from. Layers are taken of layers, so that spellings inside spellings are found too.
//
// Nothing is parsed: escapes are undone wherever they are, so that a body that is cut,
// streamed or broken is read as well as a whole one. What a page encodes in a manner of
// its own (base64, letters in another order) is not found.

// layer is a text and where each of its bytes came from.
type layer struct {
	text string
	// at are the offsets in the body: byte i of text came from at[i], and what follows it
	// from at[i+1]. It has one more entry than text has bytes.
	at []int32
	// parts are the pieces of the body that the text is put together of, in order; nil where it is one.
	parts [][2]int32
}

const (
	maxDepth  = 3  // spellings inside spellings
	maxLayers = 16 // of one body, so that a hostile one costs no more
)

// longRun is how many characters of base64 in a row are a picture and no text, in bytes.
const longRun = 4096

// textOf is the first layer: the body with a zero byte in the place of each picture.
func textOf(body []byte) layer {
	l := layer{at: make([]int32, 0, len(body)+1)}
	var out strings.Builder
	for i := 0; i < len(body); {
		end := i
		for end < len(body) && isBase64(body[end]) {
			end++
		}
		if end-i >= longRun {
			out.WriteByte(0)
			l.at = append(l.at, int32(i))
			i = end
			continue
		}
		end = max(end, i+1)
		out.Write(body[i:end])
		for ; i < end; i++ {
			l.at = append(l.at, int32(i))
		}
	}
	l.text, l.at = out.String(), append(l.at, int32(len(body)))
	return l
}

func isBase64(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '+' || c == '/' || c == '='
}

// eachLayer calls see with the text of the body and then with its layers.
func eachLayer(body []byte, see func(layer)) {
	first := textOf(body)
	seen := map[string]bool{first.text: true}
	level := []layer{first}
	see(first)
	if said, ok := pieces(body); ok {
		seen[said.text] = true
		level = append(level, said)
		see(said)
	}
	for range maxDepth {
		var next []layer
		for _, l := range level {
			for _, undo := range []func(string, int) (string, int){undoJSON, undoPercent, undoEntity} {
				out, ok := l.undone(undo)
				if !ok || seen[out.text] || len(seen) >= maxLayers {
					continue
				}
				seen[out.text] = true
				see(out)
				next = append(next, out)
			}
		}
		level = next
	}
}

// undone is the layer with a spelling undone; false where there is nothing to undo. The
// function returns the decoded spelling at an offset of the text and its length,
// 0 where there is none.
func (l layer) undone(undo func(string, int) (string, int)) (layer, bool) {
	var out strings.Builder
	var at []int32
	changed := false
	for i := 0; i < len(l.text); {
		c := l.text[i]
		if c == '\\' || c == '%' || c == '+' || c == '&' {
			if s, n := undo(l.text, i); n > 0 {
				if !changed {
					at = make([]int32, 0, len(l.at))
					at = append(at, l.at[:i]...)
					out.WriteString(l.text[:i])
					changed = true
				}
				out.WriteString(s)
				for range len(s) {
					at = append(at, l.at[i])
				}
				i += n
				continue
			}
		}
		if changed {
			out.WriteByte(c)
			at = append(at, l.at[i])
		}
		i++
	}
	if !changed {
		return layer{}, false
	}
	return layer{out.String(), append(at, l.at[len(l.text)]), l.parts}, true
}

// undoJSON undoes one escape of a JSON string (RFC 8259, section 7).
func undoJSON(text string, at int) (string, int) {
	s := text[at:]
	if len(s) < 2 || s[0] != '\\' {
		return "", 0
	}
	switch s[1] {
	case '"', '\\', '/':
		return s[1:2], 2
	case 'b':
		return "\b", 2
	case 'f':
		return "\f", 2
	case 'n':
		return "\n", 2
	case 'r':
		return "\r", 2
	case 't':
		return "\t", 2
	case 'u':
		r, ok := hexRune(s)
		if !ok {
			return "", 0
		}
		if utf16.IsSurrogate(r) {
			if low, ok := hexRune(s[6:]); ok {
				if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
					return string(both), 12
				}
			}
			r = utf8.RuneError
		}
		return string(r), 6
	}
	return "", 0
}

// hexRune reads the four digits of \u0000.
func hexRune(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	var r rune
	for i := 2; i < 6; i++ {
		d := hexDigit(s[i])
		if d < 0 {
			return 0, false
		}
		r = r<<4 | rune(d)
	}
	return r, true
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// undoPercent undoes one byte of a form or URL (RFC 3986, section 2.1), and the form's
// plus sign between two words; one before a number is a phone's.
func undoPercent(text string, at int) (string, int) {
	s := text[at:]
	if s[0] == '+' && wordBefore(text[:at]) {
		return " ", 1
	}
	if len(s) < 3 || s[0] != '%' {
		return "", 0
	}
	high, low := hexDigit(s[1]), hexDigit(s[2])
	if high < 0 || low < 0 {
		return "", 0
	}
	return string([]byte{byte(high<<4 | low)}), 3
}

// undoEntity undoes one character reference of HTML, at most 10 bytes long.
func undoEntity(text string, at int) (string, int) {
	s := text[at:]
	if s[0] != '&' {
		return "", 0
	}
	end := strings.IndexByte(s[:min(len(s), 10)], ';')
	if end < 0 {
		return "", 0
	}
	if out := html.UnescapeString(s[:end+1]); out != s[:end+1] {
		return out, end + 1
	}
	return "", 0
}

// longTag is how long a tag may be that a secret is looked for across, in bytes.
const longTag = 200

// untagged is the layer without the tags of markup, false where it has none: a page may put letters of a secret in
// elements of their own.
func (l layer) untagged() (layer, bool) {
	var out strings.Builder
	var at []int32
	rest := 0 // where what was not written yet begins
	write := func(to int) {
		out.WriteString(l.text[rest:to])
		at = append(at, l.at[rest:to]...)
	}
	for i := 0; i < len(l.text); i++ {
		if l.text[i] != '<' || i+1 == len(l.text) || !tagBegins(l.text[i+1]) {
			continue
		}
		if n := strings.IndexByte(l.text[i:min(len(l.text), i+longTag)], '>'); n > 0 {
			write(i)
			i += n
			rest = i + 1
		}
	}
	if rest == 0 {
		return layer{}, false
	}
	write(len(l.text))
	return layer{out.String(), append(at, l.at[len(l.text)]), l.parts}, true
}

func tagBegins(c byte) bool {
	return c == '/' || c == '!' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

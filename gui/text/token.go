package text

import (
	"strings"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
)

// kind is what a stretch of a line is, for its colour.
type kind uint8

const (
	// kindText is page text.
	kindText kind = iota
	// kindHead is a header line such as URL: or TITLE:.
	kindHead
	// kindRef is a ref number with its decoration: [12], @e12, [ref=s1e12].
	kindRef
	// kindTag is a tag, a role or a block's name.
	kindTag
	// kindPunct is markup around the words, attribute names included.
	kindPunct
	// kindString is a value in quotes.
	kindString
	// kindKey is a JSON key.
	kindKey
	// kindNumber is a JSON number, true, false or null.
	kindNumber
	// kindCut is a place where something was cut or redacted.
	kindCut
	// kindCover is a remark about cover.
	kindCover
	// kindEscape represents a character that cannot be seen: \u{202e} as formats
	// spell it, or the spelling of layoutLine where a format did not.
	kindEscape
)

// span is the bytes Start to End of a line and what they are.
type span struct {
	Start, End int
	Kind       kind
}

// tokenize splits one line of a document into spans, appended to buf[:0]. Spans
// follow one another and cover the whole line; they begin and end between runes
// of valid text. It never looks at other lines, so any line can be drawn alone,
// and it takes time linear in the line's length.
func tokenize(f dump.Format, line string, buf []span) []span {
	t := tokens{s: line, out: buf[:0]}
	switch {
	case f == core.FormatBytes:
		t.bytes()
	case f == core.FormatWhatIf:
		t.whatIf()
	case f == core.FormatChanges:
		t.change()
	case format.KindOf(f) == format.KindJSON || f == core.FormatPretty:
		t.json()
	case f == format.DDDK || format.KindOf(f) == format.KindHTML:
		t.markup()
	default:
		t.listing()
	}
	t.to(len(line), kindText)
	return t.out
}

type tokens struct {
	s   string
	at  int
	out []span
}

// to ends the span that starts here at byte end; empty spans are left out and
// equal neighbours joined.
func (t *tokens) to(end int, k kind) {
	for k == kindText || k == kindString {
		from, to := spelled(t.s, t.at, end)
		if from < 0 {
			break
		}
		t.emit(from, k)
		t.emit(to, kindEscape)
	}
	t.emit(end, k)
}

// spelled finds the first \u{…} in s[at:end]; a doubled backslash is the page's.
func spelled(s string, at, end int) (from, to int) {
	for i := at; i+4 < end; i++ {
		if s[i] != '\\' {
			continue
		}
		if s[i+1] == '\\' {
			i++
			continue
		}
		j := i + 3
		for j < end && j < i+9 && hex(s[j]) {
			j++
		}
		if s[i+1] == 'u' && s[i+2] == '{' && j > i+3 && j < end && s[j] == '}' {
			return i, j + 1
		}
	}
	return -1, -1
}

func (t *tokens) emit(end int, k kind) {
	if end <= t.at {
		return
	}
	if n := len(t.out); n > 0 && t.out[n-1].Kind == k {
		t.out[n-1].End = end
	} else {
		t.out = append(t.out, span{t.at, end, k})
	}
	t.at = end
}

func (t *tokens) rest() string { return t.s[t.at:] }

// markup is dddk: [12]<tag attr="value" flag>text</tag>, a header line, a line
// of text between tags.
func (t *tokens) markup() {
	if head(t.s) {
		t.to(len(t.s), kindHead)
		return
	}
	t.blanks()
	for _, arrow := range []string{"↑", "↓"} {
		if strings.HasPrefix(t.rest(), arrow) {
			t.to(t.at+len(arrow), kindPunct)
		}
	}
	if t.cut() {
		return
	}
	t.ref()
	for t.at < len(t.s) {
		switch c := t.s[t.at]; {
		case c == '<' && t.tag():
		case c == '[' && t.cut():
		case c == '(' && t.cover():
		default:
			next := strings.IndexAny(t.s[t.at+1:], "<[(")
			if next < 0 {
				return
			}
			t.to(t.at+1+next, kindText)
		}
	}
}

// tag reads <name attr="value" flag …>, </name> or <name … />.
func (t *tokens) tag() bool {
	r := t.rest()
	i := 1
	if i < len(r) && r[i] == '/' {
		i++
	}
	name := i
	for i < len(r) && wordByte(r[i]) {
		i++
	}
	if i == name || !strings.Contains(r[i:], ">") {
		return false
	}
	closing := r[1] == '/'
	t.to(t.at+name, kindPunct)
	if closing {
		t.to(t.at+i-name, kindPunct)
	} else {
		t.to(t.at+i-name, kindTag)
	}
	for t.at < len(t.s) {
		switch t.s[t.at] {
		case '>':
			t.to(t.at+1, kindPunct)
			return true
		case '"':
			t.quoted()
		default:
			next := strings.IndexAny(t.s[t.at:], ">\"")
			if next < 0 {
				return true
			}
			t.to(t.at+next, kindPunct)
		}
	}
	return true
}

// quoted reads a value in double quotes; \" does not end it. A redacted value
// inside is a cut.
func (t *tokens) quoted() {
	r := t.rest()
	end := len(r)
	for i := 1; i < len(r); i++ {
		if r[i] == '\\' {
			i++
			continue
		}
		if r[i] == '"' {
			end = i
			break
		}
	}
	t.to(t.at+1, kindPunct)
	start := t.at
	inner := r[1:max(1, min(end, len(r)))]
	k := kindString
	if strings.HasPrefix(inner, "[redacted") {
		k = kindCut
	}
	t.to(start+len(inner), k)
	if end < len(r) {
		t.to(t.at+1, kindPunct)
	}
}

// ref reads [12] where the line starts.
func (t *tokens) ref() {
	r := t.rest()
	if len(r) < 3 || r[0] != '[' {
		return
	}
	i := 1
	for i < len(r) && (digit(r[i]) || r[i] >= 'a' && r[i] <= 'z') && i < 16 {
		i++
	}
	if i > 1 && i < len(r) && r[i] == ']' && digit(r[i-1]) {
		t.to(t.at+i+1, kindRef)
	}
}

// cut reads a marker of something left out: [...truncated …], [redacted: card].
func (t *tokens) cut() bool {
	r := t.rest()
	for _, p := range []string{"[...", "[…", "[redacted"} {
		// A page can write [... in the middle of a line; only we begin one so.
		if !strings.HasPrefix(r, p) || p != "[redacted" && strings.TrimLeft(t.s[:t.at], " \t↑↓") != "" {
			continue
		}
		end := strings.IndexByte(r, ']')
		if p != "[redacted" {
			end = strings.LastIndexByte(r, ']')
		}
		if end < 0 {
			end = len(r) - 1
		}
		t.to(t.at+end+1, kindCut)
		return true
	}
	return false
}

// cover reads (covered by [30]) and (58% visible, under 30).
func (t *tokens) cover() bool {
	r := t.rest()
	end := strings.IndexByte(r, ')')
	if end < 0 || end != len(r)-1 {
		return false // ours are at the line's end; anywhere else it is page text
	}
	in := r[1:end]
	if strings.HasPrefix(in, "covered") || strings.HasPrefix(in, "partly covered") ||
		strings.Contains(in, "% visible") {
		t.to(t.at+end+1, kindCover)
		return true
	}
	return false
}

// json is one line of indented or compact JSON.
func (t *tokens) json() {
	for t.at < len(t.s) {
		switch c := t.s[t.at]; {
		case c == '"':
			end := jsonEnd(t.rest())
			k := kindString
			if after := strings.TrimLeft(t.s[t.at+end:], " "); strings.HasPrefix(after, ":") {
				k = kindKey
			} else if strings.HasPrefix(t.rest(), `"[redacted`) {
				k = kindCut
			}
			t.to(t.at+end, k)
		case c == '-' || digit(c):
			i := t.at + 1
			for i < len(t.s) && (digit(t.s[i]) || strings.IndexByte("+-.eE", t.s[i]) >= 0) {
				i++
			}
			t.to(i, kindNumber)
		case strings.HasPrefix(t.rest(), "true"), strings.HasPrefix(t.rest(), "null"):
			t.to(t.at+4, kindNumber)
		case strings.HasPrefix(t.rest(), "false"):
			t.to(t.at+5, kindNumber)
		case strings.IndexByte("{}[],: \t", c) >= 0:
			t.to(t.at+1, kindPunct)
		default:
			next := strings.IndexAny(t.s[t.at+1:], "\"{}[],: \t")
			if next < 0 {
				return
			}
			t.to(t.at+1+next, kindText)
		}
	}
}

// listing is a line of the other formats, all lists of roles with quoted names:
// - button "Save" [ref=s1e2], @e12 [button] "Save".
func (t *tokens) listing() {
	if head(t.s) {
		t.to(len(t.s), kindHead)
		return
	}
	t.blanks()
	if strings.HasPrefix(t.rest(), "- ") {
		t.to(t.at+2, kindPunct)
		i := t.at
		for i < len(t.s) && wordByte(t.s[i]) {
			i++
		}
		t.to(i, kindTag)
	}
	for t.at < len(t.s) {
		r := t.rest()
		switch c := r[0]; {
		case c == '"':
			t.quoted()
		case c == '@' && len(r) > 2 && r[1] == 'e' && digit(r[2]):
			i := 2
			for i < len(r) && digit(r[i]) {
				i++
			}
			t.to(t.at+i, kindRef)
		case c == '[' && t.cut():
		case c == '[' && strings.HasPrefix(r, "[ref="):
			end := strings.IndexByte(r, ']')
			t.to(t.at+max(end, 4)+1, kindRef)
		case c == '[':
			end := strings.IndexByte(r, ']')
			if end < 0 {
				return
			}
			t.to(t.at+end+1, kindTag)
		default:
			next := strings.IndexAny(t.s[t.at+1:], "\"@[")
			if next < 0 {
				return
			}
			t.to(t.at+1+next, kindText)
		}
	}
}

func (t *tokens) blanks() {
	i := t.at
	for i < len(t.s) && (t.s[i] == ' ' || t.s[i] == '\t') {
		i++
	}
	t.to(i, kindText)
}

// head reports whether the line is one of the header lines.
func head(s string) bool {
	for _, p := range []string{"URL: ", "TITLE: ", "VIEWPORT: ", "Page: ", "OVERLAY: "} {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// jsonEnd is the length of the JSON string that s starts with.
func jsonEnd(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

func hex(c byte) bool { return digit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }

func digit(c byte) bool { return c >= '0' && c <= '9' }

func wordByte(c byte) bool {
	return digit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' || c == '_'
}

package aria

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// How one item of the aria format is spelled.

// Characters that the parts of a key may take, escapes counted and ' twice: with a
// role and all state words they stay below the 1,024 of a YAML key.
const (
	roomName  = 420
	roomAttr  = 100 // a name attribute, a placeholder
	roomValue = 130 // a value, an address
)

// emit prints one item or text and what it holds, at that level.
func (w *aria) emit(k kid, up *item, level int) {
	indent := strings.Repeat("  ", level)
	if k.item == nil {
		line, spans := w.spoken(indent+w.textKey(), k.text, nil)
		w.put(w.lineOf(k.text, up), line, spans)
		return
	}
	it := k.item
	if w.known(it, indent) {
		return
	}
	if it.role == "" {
		for _, inner := range it.kids {
			w.emit(inner, it, level)
		}
		return
	}
	if w.tooDeep(k, level) {
		return
	}
	line, spans, inline := w.itemLine(it, indent)
	w.putItem(it.n, line, spans)
	if inline {
		return
	}
	for _, inner := range it.kids {
		w.emit(inner, it, level+1)
	}
}

// itemLine is the line of an item, and whether all it holds is on it.
func (w *aria) itemLine(it *item, indent string) (line string, spans []dump.Span, inline bool) {
	value := ""
	if it.value != nil && len(it.kids) > 0 && *it.value != it.words() {
		value = *it.value
	}
	line = indent + "- " + w.quoteKey(w.key(it, value))
	switch {
	case len(it.kids) == 0 && it.value != nil:
		line = string(appendYAML(append([]byte(line), ": "...), w.lineValue(it, line)))
		inline = true
	case len(it.kids) == 0:
		inline = true
	case len(it.kids) == 1 && it.kids[0].item == nil:
		line, spans = w.spoken(line+": ", it.kids[0].text, it.n)
		inline = true
	default:
		line += ":"
	}
	if it.note != "" {
		line += " # " + it.note
	}
	return line, spans, inline
}

// lineValue is a value cut to the room on its line.
func (w *aria) lineValue(it *item, line string) string {
	if !w.profile.additions {
		return *it.value
	}
	short := shorten(*it.value, capLine, capLine-utf8.RuneCountInString(line)-len(": "))
	w.cutNote(it.n, "value", *it.value, short)
	return short
}

// textKey begins a line of text.
func (w *aria) textKey() string {
	if !w.profile.yaml {
		return "- text "
	}
	return "- text: "
}

// spoken adds text to a line, with the spans of the elements in it other than the
// line's own.
func (w *aria) spoken(head string, ps []dump.Stretch, own *snapshot.Node) (string, []dump.Span) {
	b := append([]byte(head), '"')
	var spans []dump.Span
	room := capLine - utf8.RuneCountInString(head) - len(`""`)
	for i, p := range ps {
		words := p.Text
		skip := len(words) - len(strings.TrimLeft(words, " "))
		if i > 0 && skip == 1 && room > 0 {
			b, words, room = append(b, ' '), words[1:], room-1
		}
		start := len(b)
		if w.profile.additions {
			short := ""
			if room > 0 {
				short = shorten(words, room, room+len(`""`))
			}
			if n := cmp.Or(p.Node, own); n != nil {
				w.cutNote(n, "text", words, short)
			}
			if room -= keyRoom(short) - len(`""`); short != words {
				words, room = short, 0
			}
		}
		quoted := appendYAML(nil, words)
		b = append(b, quoted[1:len(quoted)-1]...)
		if p.Node != nil && p.Node != own {
			spans = append(spans, dump.Span{Start: start, End: len(b), Node: p.Node.I})
		}
	}
	return string(append(b, '"')), spans
}

// lineOf is the element that a line of text is about: the one that its first words
// belong to, else what is around it.
func (w *aria) lineOf(ps []dump.Stretch, up *item) *snapshot.Node {
	for _, p := range ps {
		if p.Node != nil {
			return p.Node
		}
	}
	if up.n.I >= 0 {
		return up.n
	}
	return nil
}

// key is role, name, states and ref.
func (w *aria) key(it *item, value string) string {
	b := []byte(it.role)
	if name := w.ariaName(it); name != "" {
		b = text.AppendJSON(append(b, ' '), name)
	}
	for _, s := range w.states(it, value) {
		b = append(append(append(b, " ["...), s...), ']')
	}
	return string(b)
}

// ariaName is the name as it is printed.
func (w *aria) ariaName(it *item) string {
	if w.profile.cap16 > 0 {
		s, _ := text.Cut16(it.name, w.profile.cap16+1)
		w.cutNote(it.n, "name", it.name, s)
		return s
	}
	short := shorten(it.name, capName, roomName)
	if len(it.kids) == 0 || !it.textOnly() {
		w.cutNote(it.n, "name", it.name, short)
	}
	return short
}

// fits reports whether a name is printed whole.
func (w *aria) fits(name string) bool {
	return w.profile.cap16 > 0 || shorten(name, capName, roomName) == name
}

func (w *aria) cutNote(n *snapshot.Node, what, whole, short string) {
	if whole != short && !w.nested {
		w.Omit(n.I, dump.ReasonCut, what+" cut from "+strconv.Itoa(utf8.RuneCountInString(whole))+" to "+
			strconv.Itoa(utf8.RuneCountInString(short))+" characters")
	}
}

// shorten cuts s to max characters, and further until it takes no more room than
// that when it is escaped.
func shorten(s string, max, room int) string {
	short := text.Cut(s, max)
	for max > 1 && keyRoom(short) > room {
		max /= 2
		short = text.Cut(s, max)
	}
	return short
}

func keyRoom(s string) int {
	q := text.AppendJSON(nil, s)
	n := utf8.RuneCount(q)
	for _, c := range q {
		if c == '\'' {
			n++
		}
	}
	return n
}

// states are the words in brackets, in the order of the grammar.
func (w *aria) states(it *item, value string) []string {
	n, s := it.n, it.n.States
	var out []string
	flag := func(name string) {
		if word := dump.StateName(n, name); word != "" {
			out = append(out, word)
		}
	}
	flag("checked")
	flag("disabled")
	if open, ok := s["expanded"].(bool); ok {
		out = append(out, map[bool]string{true: "expanded", false: "collapsed"}[open])
	}
	for _, name := range [...]string{"pressed", "selected", "required"} {
		flag(name)
	}
	switch word := s.Token("invalid"); {
	case word == "grammar", word == "spelling":
		out = append(out, "invalid="+word)
	case s.Is("invalid"), word != "" && word != "false":
		out = append(out, "invalid")
	}
	if w.profile.additions {
		flag("inert")
		flag("readonly")
		flag("current")
		flag("sort")
		flag("busy")
		flag("focused")
		if it.name != "" && dump.Guessed(n) {
			out = append(out, guessed)
		}
		if n.Scroller != nil && n.Ref > 0 {
			out = append(out, "scrollable")
		}
	}
	if l := s.Number("level"); l >= 1 && l < 1e6 {
		out = append(out, "level="+strconv.Itoa(int(l)))
	}
	if name := text.CollapseSpace(n.Attr("name")); name != "" && snapshot.IsFormControl(n.Tag) {
		out = append(out, "name="+w.bare(n, name))
	}
	if p := text.CollapseSpace(n.Attr("placeholder")); p != "" && p != it.name && w.profile.additions {
		short := shorten(p, capAttr, roomAttr)
		w.cutNote(n, "placeholder", p, short)
		out = append(out, "placeholder="+string(text.AppendJSON(nil, short)))
	}
	if href := n.Attr("href"); href != "" && w.o.LinkURLs && it.role == "link" {
		out = append(out, "url="+w.bracketed(n, "url", href))
	}
	if value != "" && w.profile.additions {
		out = append(out, "value="+w.bracketed(n, "value", value))
	}
	if w.o.MarkCovered && w.profile.additions && n.Occlusion != nil && n.Occlusion.State == snapshot.Covered {
		out = append(out, w.covered(n))
	}
	if w.refs() && w.numbers(n) {
		out = append(out, "ref="+w.ref(n))
	}
	return out
}

func (w *aria) bracketed(n *snapshot.Node, what, s string) string {
	short := shorten(text.CollapseSpace(s), capValue, roomValue)
	w.cutNote(n, what, text.CollapseSpace(s), short)
	return string(text.AppendJSON(nil, short))
}

// bare is a form field's name: as it is where nothing in it could be taken for
// something else.
func (w *aria) bare(n *snapshot.Node, name string) string {
	short := shorten(name, capAttr, roomAttr)
	w.cutNote(n, "name attribute", name, short)
	deep := 0
	for i := 0; i < len(short); i++ {
		switch c := short[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c == '-', c == '.', c == ':' &&
			i+1 < len(short):
		case c == '[' && w.profile.brackets:
			deep++
		case c == ']' && w.profile.brackets && deep > 0:
			deep--
		default:
			deep = -1 << 20
		}
	}
	if deep != 0 {
		return string(text.AppendJSON(nil, short))
	}
	return short
}

// refs reports whether this mode prints refs.
func (w *aria) refs() bool { return w.o.Mode == "" || w.o.Mode == ModeAI }

// ref is an element's number as the format spells it.
func (w *aria) ref(n *snapshot.Node) string {
	s := ref(n.Ref, w.o.Options)
	if w.profile.frameRefs {
		return "f" + strconv.Itoa(n.Frame) + s
	}
	return s
}

// ref is s1e4 for number 4, or in the agent's own spelling.
func ref(ref int, a Options) string {
	if a.Spell != nil {
		return a.Spell(ref)
	}
	snap := 1
	if a.Snapshot != nil {
		snap = a.Snapshot(ref)
	}
	return "s" + strconv.Itoa(snap) + "e" + strconv.Itoa(ref)
}

// covered names what lies over an element, by the nearest number.
func (w *aria) covered(n *snapshot.Node) string {
	if n.Occlusion.Coverer == nil {
		return "covered"
	}
	by := w.t.Node(*n.Occlusion.Coverer)
	for up := by; up != nil; up = w.t.Node(up.Parent) {
		if up.Ref > 0 {
			return "covered=" + w.ref(up)
		}
		if up.Parent >= up.I {
			break
		}
	}
	return "covered"
}

// quoteKey puts a key in single quotes where YAML would end it too early.
func (w *aria) quoteKey(key string) string {
	if !w.profile.yaml || !strings.Contains(key, ": ") && !strings.Contains(key, " #") {
		return key
	}
	return "'" + strings.ReplaceAll(key, "'", "''") + "'"
}

// Strings of the aria format as YAML 1.2 takes them: always in double quotes in the
// default, only where needed in Playwright's profile.

// appendYAML appends s as a YAML string in double quotes: a JSON string, but for
// characters beyond U+FFFF that are spelled out, which YAML does not take in halves.
func appendYAML(dst []byte, s string) []byte {
	q := text.AppendJSON(nil, s)
	for i := 0; i < len(q); i++ {
		if q[i] != '\\' {
			dst = append(dst, q[i])
			continue
		}
		if i+11 < len(q) && q[i+1] == 'u' && q[i+6] == '\\' && q[i+7] == 'u' {
			hi, err1 := strconv.ParseUint(string(q[i+2:i+6]), 16, 32)
			lo, err2 := strconv.ParseUint(string(q[i+8:i+12]), 16, 32)
			if r := utf16.DecodeRune(rune(hi), rune(lo)); err1 == nil && err2 == nil && r != utf8.RuneError {
				dst = fmt.Appendf(dst, `\U%08x`, r)
				i += 11
				continue
			}
		}
		dst = append(dst, q[i], q[i+1])
		i++
	}
	return dst
}

// bareRegex reports whether a name is printed as a regular expression would be: /…/
// with nothing inside that ends it.
func bareRegex(s string) bool {
	if len(s) < 2 || s[0] != '/' || s[len(s)-1] != '/' {
		return false
	}
	return !strings.ContainsAny(s[1:len(s)-1], `"'[]/\ `) && text.Plain(s)
}

// playScalar is a text as a YAML value.
func playScalar(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if !needsQuotes(s) && text.Visible(s) == s {
		return s
	}
	q := appendYAML(nil, s)
	out := q[:0:0]
	for i := 0; i < len(q); i++ {
		switch {
		case q[i] != '\\':
			out = append(out, q[i])
		case q[i+1] == 'u' && q[i+2] == '0' && q[i+3] == '0':
			out = append(out, '\\', 'x', q[i+4], q[i+5])
			i += 5
		default:
			out = append(out, q[i], q[i+1])
			i++
		}
	}
	return string(out)
}

// needsQuotes reports whether YAML would take the text for something else than it is.
func needsQuotes(s string) bool {
	if s == "" || strings.TrimSpace(s) != s {
		return true
	}
	if strings.ContainsRune("-&*],?!>|@\"'#%[", rune(s[0])) || strings.ContainsAny(s, "{}`\n\r") {
		return true
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c < ' ' || c == 0x7f:
			return true
		case c == ':' && (i+1 == len(s) || s[i+1] == ' ' || s[i+1] == '\t'):
			return true
		case c == '#' && i > 0 && (s[i-1] == ' ' || s[i-1] == '\t'):
			return true
		}
	}
	switch strings.ToLower(s) {
	case "y", "n", "yes", "no", "true", "false", "on", "off", "null", "~":
		return true
	}
	return numeric(s)
}

// numeric reports whether YAML, or the JavaScript that reads it back, takes the text
// for a number.
func numeric(s string) bool {
	switch strings.ToLower(strings.TrimLeft(s, "+-")) {
	case "infinity", ".inf", ".nan", "nan":
		return true
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return true
	}
	_, err := strconv.ParseInt(s, 0, 64)
	return err == nil
}

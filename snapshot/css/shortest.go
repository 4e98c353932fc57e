package css

import (
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// TestAttrs are the attributes that authors write for tests, most usual first.
var TestAttrs = [...]string{"data-testid", "data-test", "data-qa", "data-cy"}

// Shortest finds the shortest selectors that match one element of a capture alone and are likely to last: by id,
// by an attribute for tests, by name, else a path from the nearest element that has one of these, or the only one
// of its tag. As in [snapshot.Node.Path], " >>> " steps into a shadow root and " |> " into a frame.
type Shortest struct {
	t      *Tree
	count  map[claim]int
	byPath map[string]int // positions, made where it is requested
}

// claim is a property of an element that may be unique in its frame.
type claim struct {
	frame int
	attr  string // "" for the tag alone
	value string
	tag   string // "" where the attribute is enough
}

// NewShortest counts the claims of the elements of a capture, in time linear in their number.
func NewShortest(c *snapshot.Capture) *Shortest {
	s := &Shortest{t: NewTree(c), count: make(map[claim]int, len(c.Nodes))}
	for i := range c.Nodes {
		claims(&c.Nodes[i], func(k claim) bool {
			s.count[k]++
			return true
		})
	}
	return s
}

// claims yields the claims of an element that a selector can use, best first.
func claims(n *snapshot.Node, yield func(claim) bool) {
	id := n.Attr("id")
	if Authored(id) && !yield(claim{n.Frame, "id", id, ""}) {
		return
	}
	for _, name := range TestAttrs {
		if v := n.Attr(name); v != "" && !yield(claim{n.Frame, name, v, ""}) {
			return
		}
	}
	if v := n.Attr("name"); v != "" && !yield(claim{n.Frame, "name", v, n.Tag}) {
		return
	}
	if id != "" && !Authored(id) && !yield(claim{n.Frame, "id", id, ""}) {
		return
	}
	yield(claim{n.Frame, "", "", n.Tag})
}

// Of is the selector of an element, "" where the capture has no path for it.
func (s *Shortest) Of(n *snapshot.Node) string {
	var steps []string // innermost first
	for at := n; ; {
		if own := s.own(at); own != "" {
			steps = append(steps, own)
			n = at
			break
		}
		step := lastStep(at.Path)
		up := s.t.parent(at)
		if p := s.t.placeOf(at); up != nil && p.nthType == 1 && p.lastType == 1 && PlainTag(at.Tag) {
			step = at.Tag
		}
		steps = append(steps, step)
		if n = at; up == nil {
			break
		}
		at = up
	}
	var b strings.Builder
	b.WriteString(s.around(n))
	for i := len(steps) - 1; i >= 0; i-- {
		b.WriteString(steps[i])
		if i > 0 {
			b.WriteString(" > ")
		}
	}
	return b.String()
}

// own is what makes an element the only one in its frame, "" for nothing.
func (s *Shortest) own(n *snapshot.Node) string {
	out := ""
	claims(n, func(k claim) bool {
		if s.count[k] == 1 {
			out = k.selector()
		}
		return out == ""
	})
	return out
}

// selector is "" for a claim that cannot be written plainly.
func (k claim) selector() string {
	switch {
	case k.tag != "" && !PlainTag(k.tag), k.attr != "" && !PlainValue(k.value):
		return ""
	case k.attr == "":
		return k.tag
	case k.attr == "id" && plainName(k.value):
		return "#" + k.value
	}
	return k.tag + "[" + k.attr + `="` + k.value + `"]`
}

// around is the selector of the shadow host or frame element that an element is inside of, with what parts them.
func (s *Shortest) around(n *snapshot.Node) string {
	at, sep := max(strings.LastIndex(n.Path, " >>> "), strings.LastIndex(n.Path, " |> ")), " |> "
	if at < 0 {
		return ""
	}
	if strings.HasPrefix(n.Path[at:], " >>> ") {
		sep = " >>> "
	}
	if s.byPath == nil {
		s.byPath = make(map[string]int, len(s.t.c.Nodes))
		for i := range s.t.c.Nodes {
			s.byPath[s.t.c.Nodes[i].Path] = i
		}
	}
	i, ok := s.byPath[n.Path[:at]]
	if !ok {
		return n.Path[:at] + sep
	}
	return s.Of(&s.t.c.Nodes[i]) + sep
}

// lastStep is the last step of a path.
func lastStep(path string) string {
	at := strings.LastIndex(path, " > ")
	for _, sep := range [...]string{" >>> ", " |> "} {
		if k := strings.LastIndex(path, sep); k+len(sep)-len(" > ") > at {
			at = k + len(sep) - len(" > ")
		}
	}
	if at < 0 {
		return path
	}
	return path[at+len(" > "):]
}

// PlainValue reports whether an attribute's value can be quoted in a selector as it is, and is not withheld.
func PlainValue(v string) bool {
	return v != "" && len(v) <= 60 && !strings.ContainsAny(v, "\"\\`<>[]") && text.Line(v) == v &&
		!strings.Contains(v, "redacted")
}

// PlainTag reports whether a selector can name a tag without escapes.
func PlainTag(tag string) bool {
	return tag != "" && strings.Trim(tag, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// plainName reports whether a value is a CSS identifier that needs no escape (CSS Syntax 4.3.9), of ASCII only.
func plainName(v string) bool {
	word := strings.TrimPrefix(v, "-")
	return word != "" && word[0] != '-' && (word[0] < '0' || word[0] > '9') &&
		strings.Trim(v, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == ""
}

// Authored reports whether an id or class looks like a person's word: one that a build
// or a framework made changes with the next one. It has letters, joined by single - or _,
// with at most two digits, none of them before a letter of the same word, and no word of
// five letters or more that lacks a vowel or changes case three times.
func Authored(s string) bool {
	if len(s) < 2 || len(s) > 40 {
		return false
	}
	digits := 0
	for k, word := range strings.FieldsFunc(s, func(r rune) bool { return r == '-' || r == '_' }) {
		rises, vowels, letters := 0, 0, 0
		for i, r := range word {
			switch {
			case r >= '0' && r <= '9':
				digits++
			case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z':
				if i > 0 && word[i-1] >= '0' && word[i-1] <= '9' {
					return false
				}
				if i > 0 && r <= 'Z' && word[i-1] >= 'a' {
					rises++
				}
				letters++
				if strings.ContainsRune("aeiouyAEIOUY", r) {
					vowels++
				}
			default:
				return false
			}
		}
		if k == 0 && letters == 0 || letters > 4 && vowels == 0 || rises > 2 {
			return false
		}
		switch word {
		case "css", "sc", "jsx", "ember", "radix":
			if k == 0 {
				return false
			}
		}
	}
	first := s[0] | 0x20
	return digits <= 2 && first >= 'a' && first <= 'z'
}

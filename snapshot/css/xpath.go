package css

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot"
)

// IsXPath reports whether what a person typed begins as an XPath does: /html or //a, but not a pattern such as /a/.
func IsXPath(s string) bool {
	return strings.HasPrefix(s, "//") || strings.HasPrefix(s, "/html") || strings.HasPrefix(s, "/*")
}

// FromXPath is the selector that means what an XPath of elements means, in the part of it that tools write and people
// copy:
//
//	path = ( "/" | "//" ) step { ( "/" | "//" ) step }
//	step = ( tag | "*" ) { "[" test "]" }
//	test = place | "last()" | "@" name [ "=" value ]
//	     | ( "contains" | "starts-with" ) "(" "@" name "," value ")"
//
// A place counts as in XPath: among the siblings of the same tag, or among all for "*". Anything else is an error that
// says so.
func FromXPath(path string) (string, error) {
	return FromXPathWith(path, func(string) string { return "" })
}

// FromXPathWith is [FromXPath] of a path that may have tests of another kind: own gives the part of a selector for one,
// "" for a test that it does not know.
func FromXPathWith(path string, own func(test string) string) (string, error) {
	var b strings.Builder
	rest := strings.TrimSpace(path)
	if !strings.HasPrefix(rest, "/") {
		return "", fmt.Errorf("%q is not an XPath: it begins with / or //", path)
	}
	for first := true; rest != ""; first = false {
		deep := strings.HasPrefix(rest, "//")
		if !strings.HasPrefix(rest, "/") {
			return "", fmt.Errorf("XPath %q: expected / before %q", path, rest)
		}
		rest = strings.TrimLeft(rest, "/")
		switch {
		case first || rest == "":
		case deep:
			b.WriteString(" ")
		default:
			b.WriteString(" > ")
		}
		end := strings.IndexAny(rest, "/[")
		if end < 0 {
			end = len(rest)
		}
		tag := rest[:end]
		rest = rest[end:]
		if tag != "*" && (tag == "" || strings.Trim(tag,
			"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "") {
			return "", fmt.Errorf("XPath %q: %q is not the name of an element", path, tag)
		}
		b.WriteString(tag)
		if tag != "*" {
			b.WriteString(":" + ofHTML)
		}
		if first && !deep {
			b.WriteString(":root")
		}
		for strings.HasPrefix(rest, "[") {
			end := closing(rest, ']')
			if end < 0 {
				return "", fmt.Errorf("XPath %q: ] is missing", path)
			}
			test := own(strings.TrimSpace(rest[1:end]))
			if test == "" {
				var err error
				if test, err = fromTest(tag, strings.TrimSpace(rest[1:end])); err != nil {
					return "", fmt.Errorf("XPath %q: %w", path, err)
				}
			}
			b.WriteString(test)
			rest = rest[end+1:]
		}
	}
	return b.String(), nil
}

// ofHTML is the pseudo-class of what the name of a step means in a page: an element of HTML. One of SVG or MathML has a
// namespace, and no name in an XPath without one is its.
const ofHTML = "-x-html"

// isOfHTML reports whether an element has the namespace of HTML.
func isOfHTML(t *Tree, n *snapshot.Node) bool {
	own := n
	for ; n != nil; n = t.node(t.placeOf(n).parent) {
		switch {
		case n.Tag == "svg" || n.Tag == "math":
			return false
		case n != own && (strings.EqualFold(n.Tag, "foreignObject") || n.Tag == "annotation-xml"):
			return true
		}
	}
	return true
}

// closing is where the bracket that a text begins with ends, by that character, -1 for nowhere; those in quotes do not
// count, nor those of brackets inside. A backslash means in CSS that a quote goes on, and in an XPath nothing.
func closing(s string, end byte) int {
	quote, open := byte(0), 0
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0 && c == '\\' && end == ')':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == s[0]:
			open++
		case c == end && open > 0:
			open--
		case c == end:
			return i
		}
	}
	return -1
}

// fromTest is the part of a selector for one test of a step.
func fromTest(tag, test string) (string, error) {
	kind := "of-type"
	if tag == "*" {
		kind = "child"
	}
	if n, err := strconv.Atoi(test); err == nil && n > 0 {
		return fmt.Sprintf(":nth-%s(%d)", kind, n), nil
	}
	if test == "last()" {
		return ":last-" + kind, nil
	}
	operator, inside := "=", test
	for name, op := range map[string]string{"contains(": "*=", "starts-with(": "^="} {
		if args, ok := strings.CutPrefix(test, name); ok && strings.HasSuffix(args, ")") {
			operator = op
			inside = strings.Replace(strings.TrimSuffix(args, ")"), ",", "=", 1)
		}
	}
	name, value, has := strings.Cut(inside, "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	attr, ok := strings.CutPrefix(name, "@")
	if !ok || attr == "" || strings.ContainsAny(attr, " '\"()[]") || !has && operator != "=" {
		return "", fmt.Errorf(
			"[%s] cannot be looked for in a recording; places and tests of attributes can, and words as words", test)
	}
	if !has {
		return "[" + attr + "]", nil
	}
	if len(value) < 2 || value[0] != value[len(value)-1] || value[0] != '\'' && value[0] != '"' {
		return "", fmt.Errorf("[%s]: put the value in quotes", test)
	}
	if len(value) == 2 && operator != "=" {
		return "", fmt.Errorf("[%s]: nothing is in every value", test)
	}
	return "[" + attr + operator + quoted(value[1:len(value)-1]) + "]", nil
}

// quoted is a string of a selector.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ':
			fmt.Fprintf(&b, `\%x `, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

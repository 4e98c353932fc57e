package css

import (
	"slices"
	"strings"
)

// Check reports what is wrong with a selector list for a browser: nil where a page can
// use it, a [*SyntaxError] where it cannot. It knows more than [Parse], which wants what
// a capture can answer: states such as :hover, namespaces without a prefix.
//
// What passes is valid in Chrome. Three things that Chrome takes are refused, for they
// do not do what they say: a bracket, string or comment that the end of the rule closes,
// a pseudo-element (no element is one), and a wrong selector in :is() or :where(), which
// the browser drops in silence.
func Check(s string) error {
	_, err := read(s, true, nil)
	return err
}

// liveClasses are the pseudo-classes that a page answers and a capture does not
// (Chrome 156; those of scroll bars and of the browser's own pages are left out).
var liveClasses = strings.Fields(`any-link link visited hover active focus focus-visible focus-within
	target target-current target-before target-after checked indeterminate disabled enabled required optional
	read-only read-write valid invalid user-valid user-invalid in-range out-of-range default placeholder-shown
	autofill -webkit-autofill modal open fullscreen -webkit-full-screen picture-in-picture popover-open scope host
	defined active-view-transition interest-source interest-target -webkit-any-link`)

// legacyElements are the pseudo-elements that may be written with one colon.
var legacyElements = []string{"before", "after", "first-line", "first-letter"}

// liveFunction reads the arguments of a function that only a page answers, and its
// closing bracket. It reports whether it knows the name.
func (p *parser) liveFunction(name string, depth int) bool {
	switch name {
	case "-webkit-any", "host", "host-context":
		for {
			p.space()
			p.compound(depth + 1)
			p.space()
			if name != "-webkit-any" || p.next() != ',' {
				break
			}
			p.at++
		}
	case "dir", "lang", "state":
		p.space()
		p.identifier("a word")
	default:
		return false
	}
	p.space()
	p.close()
	return true
}

// relative reads the list of :has(). Each of its selectors begins with a combinator, so that it has as many of these as
// compounds.
func (p *parser) relative(depth int) (list []complexSelector) {
	if depth > maxNest {
		p.fail("nested deeper than %d", maxNest)
	}
	for {
		p.space()
		begins := byte(' ')
		if b := p.next(); b == '>' || b == '+' || b == '~' {
			begins = b
			p.at++
			p.space()
		}
		c := p.complex(depth)
		c.combinators = append([]byte{begins}, c.combinators...)
		if list = append(list, c); p.next() != ',' {
			return list
		}
		p.at++
	}
}

// namespace skips "*|" or "|" before a name: with any prefix a selector is invalid,
// as no page declares one for a rule.
func (p *parser) namespace() {
	rest := strings.TrimPrefix(p.s[p.at:], "*")
	if after, ok := strings.CutPrefix(rest, "|"); ok && !strings.HasPrefix(after, "=") &&
		!strings.HasPrefix(after, "|") {
		p.at = len(p.s) - len(after)
		if p.next() != '*' && !p.nameStarts() {
			p.fail("a name must follow |")
		}
	}
}

// of reads " of list" of :nth-child(An+B of list), from which it takes An+B.
func (p *parser) of(depth int) (formula string, ok bool) {
	end := strings.IndexByte(p.s[p.at:], ')')
	at := strings.Index(p.s[p.at:], " of ")
	if at < 0 || end >= 0 && at > end {
		return "", false
	}
	if depth >= maxNest {
		p.fail("nested deeper than %d", maxNest)
		return "", false
	}
	formula = p.s[p.at : p.at+at]
	p.at += at + len(" of ")
	p.list(depth + 1)
	p.space()
	p.close()
	return formula, true
}

func live(name string) bool { return slices.Contains(liveClasses, name) }

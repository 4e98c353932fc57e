package css

import (
	"slices"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot"
)

// pseudo reads what follows a colon.
func (p *parser) pseudo(depth int) test {
	if p.next() == ':' {
		p.fail("a pseudo-element is no element of the page")
		return nil
	}
	name := strings.ToLower(p.identifier("a pseudo-class"))
	if f := p.ofTool(name); f != nil || p.err != "" {
		return f
	}
	if p.next() == '(' {
		p.at++
		return p.function(name, depth)
	}
	switch name {
	case "root":
		return func(t *Tree, n *snapshot.Node) bool { return n.Tag == "html" && n.Shadow == "" && t.parent(n) == nil }
	case ofHTML:
		return isOfHTML
	case "empty":
		return func(t *Tree, n *snapshot.Node) bool {
			return !t.placeOf(n).holds && n.Text == "" && len(n.Runs) == 0
		}
	case "first-child":
		return nth(anb{0, 1}, false, false)
	case "last-child":
		return nth(anb{0, 1}, true, false)
	case "only-child":
		return both(nth(anb{0, 1}, false, false), nth(anb{0, 1}, true, false))
	case "first-of-type":
		return nth(anb{0, 1}, false, true)
	case "last-of-type":
		return nth(anb{0, 1}, true, true)
	case "only-of-type":
		return both(nth(anb{0, 1}, false, true), nth(anb{0, 1}, true, true))
	}
	switch {
	case slices.Contains(legacyElements, name):
		p.fail("a pseudo-element is no element of the page")
	case !live(name):
		p.fail("there is no pseudo-class :%s", name)
	case !p.live:
		p.fail("a capture cannot answer :%s", name)
	}
	return nil
}

// ofTool reads a pseudo-class of a tool's own; nil where it is none.
func (p *parser) ofTool(name string) test {
	if p.own == nil {
		return nil
	}
	argument, end := "", p.at
	if p.next() == '(' {
		to := closing(p.s[p.at:], ')')
		if to < 0 {
			p.fail("a ( is not closed")
			return nil
		}
		end = p.at + to
		argument = strings.TrimSpace(p.s[p.at+1 : end])
		end++
	}
	f, err := p.own(name, argument)
	switch {
	case err != nil:
		p.fail("%v", err)
	case f != nil:
		p.at = end
		return func(_ *Tree, n *snapshot.Node) bool { return f(n) }
	}
	return nil
}

// function reads the arguments of name( and its closing bracket.
func (p *parser) function(name string, depth int) test {
	switch name {
	case "not", "is", "where":
		if depth >= maxNest {
			p.fail("nested deeper than %d", maxNest)
			return nil
		}
		list := p.list(depth + 1)
		p.space()
		p.close()
		want := name != "not"
		return func(t *Tree, n *snapshot.Node) bool { return matchList(list, t, n) == want }
	case "has":
		return p.has(depth)
	case "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type":
		if p.live && strings.HasSuffix(name, "child") {
			if formula, ok := p.of(depth); ok {
				if _, ok := parseAnB(formula); !ok {
					p.fail("%q is not of the form An+B", formula)
				}
				return nil
			}
		}
		end := strings.IndexByte(p.s[p.at:], ')')
		if end < 0 {
			p.fail("a ( is not closed")
			return nil
		}
		f, ok := parseAnB(p.s[p.at : p.at+end])
		if !ok {
			p.fail("%q is not of the form An+B", p.s[p.at:p.at+end])
			return nil
		}
		p.at += end + 1
		return nth(f, strings.Contains(name, "last"), strings.HasSuffix(name, "type"))
	}
	// Read to its end even where a capture cannot answer it, to tell that from a name that is none.
	switch at := p.at; {
	case !p.liveFunction(name, depth):
		p.fail("there is no pseudo-class :%s()", name)
	case !p.live && p.err == "":
		p.at = at
		p.fail("a capture cannot answer :%s()", name)
	}
	return nil
}

// has reads the list of :has(), whose selectors may begin with a combinator, and its closing bracket.
func (p *parser) has(depth int) test {
	if p.inHas {
		p.fail(":has() cannot be in another :has()")
		return nil
	}
	p.inHas = true
	list := p.relative(depth + 1)
	p.inHas = false
	p.space()
	p.close()
	return func(t *Tree, n *snapshot.Node) bool {
		anchor := compound{tests: []test{func(_ *Tree, x *snapshot.Node) bool { return x == n }}}
		for _, r := range list {
			anchored := complexSelector{append([]compound{anchor}, r.compounds...), r.combinators}
			from := n // what is looked at lies in it, or in its parent
			if r.combinators[0] == '+' || r.combinators[0] == '~' {
				from = t.parent(n)
			}
			for x := range t.within(from) {
				steps := maxSteps
				if anchored.matches(t, x, len(r.compounds), &steps) {
					return true
				}
			}
		}
		return false
	}
}

// within yields the elements inside one.
func (t *Tree) within(n *snapshot.Node) func(yield func(*snapshot.Node) bool) {
	return func(yield func(*snapshot.Node) bool) {
		if n == nil {
			return
		}
		for p := t.at(n.I) + 1; p < len(t.c.Nodes); p++ {
			x := &t.c.Nodes[p]
			if up := t.at(x.Parent); up < t.at(n.I) || !yield(x) {
				return
			}
		}
	}
}

func (p *parser) close() {
	if p.next() != ')' {
		p.fail("a ( is not closed")
		return
	}
	p.at++
}

// anb is An+B.
type anb struct{ a, b int }

// parseAnB reads "odd", "even", "3", "2n+1", "-n + 3".
func parseAnB(s string) (anb, bool) {
	s = strings.ToLower(strings.Trim(s, " \t\r\n\f"))
	switch s {
	case "odd":
		return anb{2, 1}, true
	case "even":
		return anb{2, 0}, true
	}
	head, tail, hasN := strings.Cut(s, "n")
	if !hasN {
		b, err := strconv.Atoi(s)
		return anb{0, b}, err == nil && len(s) < 10
	}
	a := 1
	switch head {
	case "", "+":
	case "-":
		a = -1
	default:
		v, err := strconv.Atoi(head)
		if err != nil || len(head) > 9 {
			return anb{}, false
		}
		a = v
	}
	tail = strings.Trim(tail, " \t\r\n\f")
	if tail == "" {
		return anb{a, 0}, true
	}
	digits := strings.TrimLeft(tail[1:], " \t\r\n\f")
	b, err := strconv.Atoi(digits)
	if tail[0] != '+' && tail[0] != '-' || err != nil || len(digits) > 9 || digits[0] == '+' || digits[0] == '-' {
		return anb{}, false
	}
	if tail[0] == '-' {
		b = -b
	}
	return anb{a, b}, true
}

// holds reports whether k is An+B for some n from 0 on.
func (f anb) holds(k int) bool {
	if f.a == 0 {
		return k == f.b
	}
	return (k-f.b)%f.a == 0 && (k-f.b)/f.a >= 0
}

func nth(f anb, last, ofType bool) test {
	return func(t *Tree, n *snapshot.Node) bool {
		p := t.placeOf(n)
		k := p.nth
		switch {
		case last && ofType:
			k = p.lastType
		case last:
			k = p.last
		case ofType:
			k = p.nthType
		}
		return f.holds(int(k))
	}
}

func both(x, y test) test {
	return func(t *Tree, n *snapshot.Node) bool { return x(t, n) && y(t, n) }
}

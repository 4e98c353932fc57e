package find

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/css"
	"github.com/refscope/refscope/snapshot/format/aria"
	"github.com/refscope/refscope/snapshot/text"
)

// Playwright's locators as texts: parts that are each searched for inside what the part before has found.
//
//	locator = part { " >> " part }
//	part    = [ "internal:" ] "role=" role { "[" option [ "=" value ] "]" }
//	        | "internal:text=" words | "text=" ( words | text )  | "internal:label=" words
//	        | "internal:attr=[" attribute "=" words "]" | "internal:testid=[" attribute "=" words "]"
//	        | "internal:has-text=" words | "internal:has-not-text=" words | quoted
//	        | "internal:" ( "has" | "has-not" | "and" | "or" | "chain" ) "=" a locator as a string of JSON
//	        | "nth=" n | "visible=" ( "true" | "false" ) | "internal:control=enter-frame"
//	        | [ "css=" ] selector | "css:light=" selector | [ "xpath=" ] path     the last two not in shadow roots
//	words   = quoted ( "i" | "s" ) | "/" pattern "/" flags       i: a part of it, without case; s: all of it
//
// It is what Playwright's own getByRole and its kin write (utils/isomorphic/locatorUtils.ts), and its selector engines
// read (injected/roleSelectorEngine.ts, injectedScript.ts). A locator of a page finds nothing in its frames.

// ErrFrame: a locator enters a frame of which nothing is known.
var ErrFrame = errors.New("find: the frame that the locator enters is none that was captured")

// ErrUnsure: what a locator finds depends on comments or white space of the page that a capture does not hold.
var ErrUnsure = errors.New("find: which elements the locator finds is not known from a capture")

// Locate lists the elements of the top document that a locator finds, in document order. A part that is none of these
// is an error.
func Locate(c *snapshot.Capture, locator string) ([]*snapshot.Node, error) {
	return NewLocating(c).Locate(locator)
}

// Locating looks up many locators in one capture. It is not safe for concurrent use.
type Locating struct {
	c     *snapshot.Capture
	t     *snapshot.Tree
	css   *css.Tree     // looks through shadow roots
	light *css.Tree     // does not
	roles []roleAndName // by position; nil before they are asked for

	unsure bool // what was found depends on what a capture does not know
	// What scripts of the page reach, which is nothing in closed shadow roots. Playwright looks at a whole tree before
	// the shadow trees in it (its _queryCSS), and sorts what a list of selectors finds (its sortInDOMOrder): what is in
	// a shadow root is behind all that is in its host.
	searched, sorted []*snapshot.Node
	inner            map[int][]*snapshot.Node // the elements in one, those of its shadow root last
}

// roleAndName are those that Playwright gives an element.
type roleAndName struct{ role, name string }

// document stands for the host of the documents' own trees.
const document = -1

// NewLocating prepares a capture.
func NewLocating(c *snapshot.Capture) *Locating {
	l := &Locating{c: c, t: snapshot.NewTree(c), light: css.NewTree(c), inner: map[int][]*snapshot.Node{}}
	l.css = l.light.Piercing()
	tree, members := map[int]int{}, map[int][]*snapshot.Node{} // trees are known by their host
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if n.Shadow == "closed" {
			continue
		}
		in, up := document, l.css.Above(n)
		switch {
		case up != nil && up.Shadow != n.Shadow:
			in = up.I
		case up != nil:
			in = tree[up.I]
		}
		tree[n.I], members[in] = in, append(members[in], n)
	}
	var search, sort func(n *snapshot.Node)
	search = func(host *snapshot.Node) {
		in := members[host.I]
		l.searched = append(l.searched, in...)
		for _, n := range in {
			search(n)
		}
	}
	search(&snapshot.Node{I: document})
	for _, n := range l.searched {
		if up := l.css.Above(n); up != nil {
			l.inner[up.I] = append(l.inner[up.I], n)
		} else {
			l.inner[document] = append(l.inner[document], n)
		}
	}
	sort = func(around *snapshot.Node) {
		in := l.inner[around.I]
		for _, n := range in {
			l.sorted = append(l.sorted, n)
			sort(n)
		}
	}
	sort(&snapshot.Node{I: document})
	return l
}

// Locate lists what a locator finds, as the function of that name does.
func (l *Locating) Locate(locator string) ([]*snapshot.Node, error) {
	l.unsure = false
	found, err := l.from(nil, 0, true, locator)
	if err == nil && l.unsure {
		err = ErrUnsure
	}
	if err != nil {
		return nil, err
	}
	return found, nil
}

// from lists what a locator finds inside what was found, or, where it begins, anywhere in a frame.
func (l *Locating) from(found []*snapshot.Node, frame int, begins bool, locator string) ([]*snapshot.Node, error) {
	for _, part := range parts(locator) {
		if part == enterFrame {
			if frame = l.entered(found); frame < 0 {
				return nil, ErrFrame
			}
			begins = true
			continue
		}
		filter, find, err := l.part(part)
		switch {
		case err == nil && !begins && strings.Contains(part, ":nth-match("): // it counts in each
			return nil, fmt.Errorf("find: %s: a locator counts with :nth-match() where it begins", text.Cut(part, 80))
		case err != nil:
			return nil, err
		case filter != nil && begins:
			return nil, fmt.Errorf("find: a locator cannot begin with %q: name an element first",
				text.Cut(part, 80))
		case filter != nil:
			found = filter(found)
		default:
			found = l.inside(found, frame, begins, find)
		}
		begins = false
	}
	return found, nil
}

// enterFrame is the part with which a locator goes on in the document of the frame that was found.
const enterFrame = "internal:control=enter-frame"

// entered is the frame of the one element that was found, -1 where that is no frame that was read.
func (l *Locating) entered(found []*snapshot.Node) int {
	if len(found) != 1 {
		return -1
	}
	return slices.IndexFunc(l.c.Frames, func(f snapshot.Frame) bool {
		return f.Parent >= 0 && f.Owner == found[0].I && f.Readable
	})
}

// parts are the parts of a locator; what lies in quotes is none.
func parts(s string) []string {
	var out []string
	var quote byte
	from := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case strings.HasPrefix(s[i:], ">>"):
			out = append(out, strings.TrimSpace(s[from:i]))
			i++
			from = i + 1
		}
	}
	return append(out, strings.TrimSpace(s[from:]))
}

// inside lists the elements of a frame that fit inside one of outer, or anywhere: those in the first one first.
func (l *Locating) inside(outer []*snapshot.Node, frame int, anywhere bool, fits finder) []*snapshot.Node {
	place := map[int]int{}
	for i, n := range slices.Backward(outer) {
		place[n.I] = i
	}
	if fits.within == nil {
		fits.within = func(_, n *snapshot.Node) bool { return fits.fits(n) }
	}
	found := make([][]*snapshot.Node, max(1, len(outer)))
	all := l.searched
	if fits.sorted {
		all = l.sorted
	}
	for _, n := range all {
		if n.Frame != frame {
			continue
		}
		in := len(found)
		if anywhere && fits.within(nil, n) {
			in = 0
		}
		for up := l.css.Above(n); up != nil && !anywhere; up = l.css.Above(up) {
			if i, ok := place[up.I]; ok && i < in && fits.within(up, n) {
				in = i
			}
		}
		if in < len(found) {
			found[in] = append(found[in], n)
		}
	}
	out := slices.Concat(found...)
	if fits.nth > len(out) {
		return nil
	} else if fits.nth > 0 {
		out = out[fits.nth-1 : fits.nth]
	}
	return out
}

// finder is what a part finds.
type finder struct {
	fits func(n *snapshot.Node) bool
	// within is fits for a selector, all of which lies inside scope, nil for the document; nil for any other part.
	within func(scope, n *snapshot.Node) bool
	sorted bool // see Locating.sorted
	nth    int  // which one of them, from 1; 0 for all
}

// nthPath is the XPath of the one at a place among all that a path finds.
var nthPath = regexp.MustCompile(`(?s)^\((//.+)\)\[(\d+)\]$`)

// textTest is what a test of words in an XPath means, such as [text()='Save'] or [contains(., "Save")]: a pseudo-class
// with what is compared, how, and with what.
func textTest(test string) string {
	for _, m := range [][]string{equalTest.FindStringSubmatch(test), partTest.FindStringSubmatch(test)} {
		if m != nil {
			how := cmp.Or(m[1], "equals")
			return ":-x-" + strings.Map(letters, how+"-"+m[2]) + "(" + m[3] + ")"
		}
	}
	return ""
}

var (
	ofText    = `(text\(\)|\.|normalize-space\((?:\.|text\(\))?\))`
	equalTest = regexp.MustCompile(`(?s)^()` + ofText + `\s*=\s*("[^"]*"|'[^']*')$`)
	partTest  = regexp.MustCompile(`(?s)^(contains|starts-with)\(\s*` + ofText + `\s*,\s*("[^"]*"|'[^']*')\s*\)$`)
)

// letters are those of the name of a pseudo-class.
func letters(r rune) rune {
	switch {
	case r == '.':
		return 'x'
	case r >= 'a' && r <= 'z' || r == '-':
		return r
	}
	return -1
}

// byXPath is what a test that [textTest] has named means. Case and white space count; = looks at each text of an
// element, and a function at the first. Comments part a text and white space before an element is one, of which a
// capture knows nothing: where that decides, what the test finds is not sure.
func (l *Locating) byXPath(test, argument string) func(n *snapshot.Node) bool {
	how, of, _ := strings.Cut(strings.Replace(test, "starts-with", "starts", 1), "-")
	want := argument[1 : len(argument)-1]
	fits := func(s, how string) bool {
		if strings.HasPrefix(of, "normalize") {
			white := func(r rune) bool { return strings.ContainsRune(" \t\r\n", r) } // no other in XPath
			s = strings.Join(strings.FieldsFunc(s, white), " ")
		}
		switch how {
		case "equals":
			return s == want
		case "starts":
			return strings.HasPrefix(s, want)
		}
		return strings.Contains(s, want)
	}
	return func(n *snapshot.Node) bool {
		if !strings.HasSuffix(of, "text") {
			all, any := true, false
			for _, between := range []string{"", " ", "\n  "} {
				var b strings.Builder
				l.writeAll(&b, n, between)
				is := fits(b.String(), how)
				all, any = all && is, any || is
			}
			l.unsure = l.unsure || any != all
			return any
		}
		for i, s := range l.runs(n) {
			switch {
			case of == "text" && how == "equals":
				if fits(s, how) {
					return true
				}
				l.unsure = l.unsure || fits(s, "contains") // parts of it may be texts of their own
			case i == 0 && (len(l.inner[n.I]) == 0 || n.Written().TextRuns()[0].Before == l.inner[n.I][0].I):
				return fits(s, how)
			default:
				l.unsure = l.unsure || fits(s, how)
			}
		}
		return false
	}
}

// writeAll writes all text in an element's own tree, with what may stand between its elements: a text that begins or
// ends with white space has more of it then.
func (l *Locating) writeAll(b *strings.Builder, n *snapshot.Node, between string) {
	l.t.InOrder(n.Written(), func(s string) { writeRun(b, s, between) }, func(c *snapshot.Node) {
		if l.css.Above(c) == n && c.Shadow == n.Shadow {
			b.WriteString(between)
			l.writeAll(b, c, between)
			b.WriteString(between)
		}
	})
}

// writeRun writes one text. A capture has one space for all white space at its ends.
func writeRun(b *strings.Builder, s, between string) {
	bare := strings.Trim(s, " ")
	if between != "" && bare != "" && bare != s {
		before, after, _ := strings.Cut(s, bare)
		s = strings.ReplaceAll(before, " ", between) + bare + strings.ReplaceAll(after, " ", between)
	}
	b.WriteString(s)
}

// part reads one part: it narrows what was found, or finds.
func (l *Locating) part(s string) (filter func([]*snapshot.Node) []*snapshot.Node, find finder, err error) {
	var fits func(*snapshot.Node) bool
	engine, body, named := strings.Cut(s, "=")
	if !named || !engineName.MatchString(engine) {
		engine, body = "css", s
	}
	if strings.HasPrefix(s, "//") || strings.HasPrefix(s, "(//") {
		engine, body = "xpath", s
	}
	if len(s) > 1 && s[0] == s[len(s)-1] && (s[0] == '"' || s[0] == '\'') {
		engine, body = "text", s
	}
	internal := strings.HasPrefix(engine, "internal:")
	switch strings.TrimPrefix(engine, "internal:") {
	case "role":
		fits, err = l.byRole(body, internal)
	case "text":
		var w words
		if w, err = readWords(body, !internal); err == nil {
			w.run = w.whole && !internal
			fits = l.innermost(w)
		}
	case "has-text", "has-not-text":
		var w words
		w, err = readWords(body, false)
		filter = keep(func(n *snapshot.Node) bool { return l.holds(n, w) == strings.HasSuffix(engine, ":has-text") })
	case "has", "has-not", "and", "or", "chain":
		filter, err = l.byLocator(strings.TrimPrefix(engine, "internal:"), body)
	case "label":
		var w words
		w, err = readWords(body, false)
		fits = l.labelled(w)
	case "attr", "testid":
		fits, err = byAttribute(body)
	case "nth":
		var k int
		if k, err = strconv.Atoi(body); err != nil {
			return nil, find, fmt.Errorf("find: nth=%s: write a number", text.Cut(body, 40))
		}
		filter = func(list []*snapshot.Node) []*snapshot.Node {
			at := k
			if k < 0 {
				at = len(list) + k
			}
			if at < 0 || at >= len(list) {
				return nil
			}
			return list[at : at+1]
		}
	case "visible":
		filter = keep(func(n *snapshot.Node) bool { return isVisible(n) == (body != "false") })
	case "id", "data-testid", "data-test-id", "data-test":
		fits = func(n *snapshot.Node) bool { return n.Attr(engine) == strings.Trim(body, `"'`) }
	case "css", "css:light", "xpath":
		var sel *css.Selector
		tree := l.css
		if engine != "css" {
			tree = l.light
		}
		if engine == "xpath" {
			if m := nthPath.FindStringSubmatch(body); m != nil {
				inner, more, err := l.part("xpath=" + m[1])
				if err == nil && (inner != nil || more.nth > 0) {
					err = fmt.Errorf("find: %s: one place among all is looked up", text.Cut(body, 80))
				}
				more.nth, _ = strconv.Atoi(m[2])
				return nil, more, err
			}
			body, err = css.FromXPathWith(body, textTest)
		}
		if err == nil {
			sel, err = css.ParseWith(body, l.ofPlaywright)
		}
		if err != nil {
			return nil, find, fmt.Errorf("find: %w", err)
		}
		find.sorted = sel.Several()
		find.within = func(scope, n *snapshot.Node) bool {
			return sel.Matches(tree.Within(scope), n) && (tree == l.css || n.Shadow == "")
		}
	default:
		err = fmt.Errorf("find: %s is no part of a locator that is looked up on a captured page", text.Cut(engine, 40))
	}
	find.fits = fits
	return filter, find, err
}

// byLocator reads what filters by another locator, which is written as a string of JSON: what has such a one inside, is
// such a one too, is either, or what it finds inside.
func (l *Locating) byLocator(how, body string) (func([]*snapshot.Node) []*snapshot.Node, error) {
	var inner string
	err := json.Unmarshal([]byte(body), &inner)
	if err == nil {
		_, err = l.from(nil, 0, true, inner) // it can be looked up
	}
	if err != nil || strings.Contains(inner, enterFrame) {
		return nil, fmt.Errorf("find: %s of %s is not looked up on a captured page", how, text.Cut(body, 80))
	}
	find := func(outer []*snapshot.Node, begins bool) []*snapshot.Node {
		frame := 0
		if len(outer) > 0 {
			frame = outer[0].Frame
		}
		found, _ := l.from(outer, frame, begins, inner)
		return found
	}
	return func(list []*snapshot.Node) []*snapshot.Node {
		switch how {
		case "chain":
			return find(list, false)
		case "has", "has-not":
			return keep(func(n *snapshot.Node) bool {
				return len(find([]*snapshot.Node{n}, false)) > 0 == (how == "has")
			})(list)
		}
		others := find(list, true)
		if how == "and" {
			return keep(func(n *snapshot.Node) bool { return slices.Contains(others, n) })(list)
		}
		return keep(func(n *snapshot.Node) bool {
			return slices.Contains(list, n) || slices.Contains(others, n)
		})(l.sorted)
	}, nil
}

// ofPlaywright is what Playwright's own pseudo-classes mean.
func (l *Locating) ofPlaywright(name, argument string) (func(n *snapshot.Node) bool, error) {
	if name == "visible" {
		return isVisible, nil
	}
	if test, ok := strings.CutPrefix(name, "-x-"); ok && len(argument) > 1 {
		return l.byXPath(test, argument), nil
	}
	if name == "nth-match" {
		return l.nthMatch(argument)
	}
	if name == "text-matches" {
		pattern, flags, _ := strings.Cut(argument, `", "`)
		if len(pattern) < 2 || pattern[0] != '"' {
			return nil, fmt.Errorf("find: %q is no pattern with flags", text.Cut(argument, 80))
		}
		pattern = unquoted(strings.TrimSuffix(pattern, `"`) + `"`)
		w, err := readWords("/"+strings.ReplaceAll(pattern, "/", `\/`)+"/"+strings.TrimSuffix(flags, `"`), false)
		return l.innermost(w), err
	}
	if name != "has-text" && name != "text" && name != "text-is" {
		return nil, nil
	}
	w, err := readWords(argument, false)
	w.whole, w.run = name == "text-is", name == "text-is"
	switch {
	case err != nil:
		return nil, err
	case name == "has-text":
		return func(n *snapshot.Node) bool { return l.holds(n, w) }, nil
	}
	return l.innermost(w), nil
}

// isVisible reports whether an element is visible as Playwright sees it: it has a box, and no style hides it. That
// nobody sees it, since it is transparent or clipped away, changes nothing.
func isVisible(n *snapshot.Node) bool {
	return n.Visible || n.Verdict.Laid() && n.Box.W() > 0 && n.Box.H() > 0
}

// nthMatch reads what :nth-match() takes: selectors, and which of the elements that they find in the page it is.
func (l *Locating) nthMatch(argument string) (func(*snapshot.Node) bool, error) {
	at := strings.LastIndexByte(argument, ',')
	k, err := strconv.Atoi(strings.TrimSpace(argument[at+1:]))
	if at < 0 || err != nil || k < 1 {
		return nil, fmt.Errorf("find: %q is no selector with a number from 1", text.Cut(argument, 80))
	}
	sel, err := css.ParseWith(argument[:at], l.ofPlaywright)
	if err != nil {
		return nil, fmt.Errorf("find: %w", err)
	}
	seen := map[int]int{} // by frame
	nth := map[int]bool{}
	all := l.searched
	if sel.Several() {
		all = l.sorted
	}
	for _, n := range all {
		if sel.Matches(l.css, n) {
			seen[n.Frame]++
			nth[n.I] = seen[n.Frame] == k
		}
	}
	return func(n *snapshot.Node) bool { return nth[n.I] }, nil
}

// engineName is what stands before the = of a part. That of an attribute in CSS stands in brackets.
var engineName = regexp.MustCompile(`^(?:internal:)?[a-z-]+(?::light)?$`)

// labelled finds the elements of which one label has the words (Playwright's getElementLabels): each that
// aria-labelledby names, else aria-label, else each <label>, drawn or not. Of an element whose <label> is not in the
// capture its name is that label.
func (l *Locating) labelled(w words) func(*snapshot.Node) bool {
	has := func(label *snapshot.Node) bool { return l.holds(label, w) }
	return func(n *snapshot.Node) bool {
		var by []*snapshot.Node
		for _, id := range strings.Fields(n.Attr("aria-labelledby")) {
			if label := l.t.Referred(n, id); label != nil {
				by = append(by, label)
			}
		}
		labels := l.t.Labels(n)
		switch {
		case len(by) > 0:
			return slices.ContainsFunc(by, has)
		case strings.TrimSpace(n.Attr("aria-label")) != "":
			return w.in(n.Attr("aria-label"))
		case len(labels) > 0:
			return slices.ContainsFunc(labels, has)
		}
		return n.NameFrom == "label" && w.in(n.Name)
	}
}

func keep(fits func(n *snapshot.Node) bool) func([]*snapshot.Node) []*snapshot.Node {
	return func(list []*snapshot.Node) []*snapshot.Node {
		return slices.DeleteFunc(slices.Clone(list), func(n *snapshot.Node) bool { return !fits(n) })
	}
}

// words are what a name or a text has to be like.
type words struct {
	text    string // with single spaces; without case where the whole is not meant
	whole   bool
	run     bool // the whole of a text between two elements
	equal   bool // the whole, without case
	pattern *regexp.Regexp
}

func (w words) in(s string) bool {
	if w.pattern != nil {
		return w.pattern.MatchString(s)
	}
	s = text.CollapseSpace(s)
	switch {
	case w.whole:
		return s == w.text
	case w.equal:
		return strings.EqualFold(s, w.text)
	}
	return strings.Contains(strings.ToLower(s), strings.ToLower(w.text))
}

var (
	quotedWords = regexp.MustCompile(`^("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')([is]?)$`)
	patternOf   = regexp.MustCompile(`^/((?:[^/\\]|\\.)+)/([a-z]*)$`)
)

// readWords reads words: in quotes, where these alone mean the whole text, as a pattern, or, where bare is true, as
// they stand.
func readWords(s string, bare bool) (words, error) {
	if m := patternOf.FindStringSubmatch(s); m != nil {
		flags := "(?s"
		if strings.Contains(m[2], "i") {
			flags += "i"
		}
		re, err := regexp.Compile(flags + ")" + strings.ReplaceAll(m[1], `\/`, "/"))
		if err != nil {
			return words{}, fmt.Errorf("find: pattern %s: %w", text.Cut(s, 80), err)
		}
		return words{pattern: re}, nil
	}
	if m := quotedWords.FindStringSubmatch(s); m != nil {
		return words{text: text.CollapseSpace(unquoted(m[1])), whole: m[2] != "i"}, nil
	}
	if !bare || strings.TrimSpace(s) == "" {
		return words{}, fmt.Errorf("find: %q are no words of a locator", text.Cut(s, 80))
	}
	return words{text: text.CollapseSpace(s)}, nil
}

// unquoted is a text in quotes of either kind, of JavaScript or CSS.
func unquoted(s string) string {
	return escaped.ReplaceAllString(s[1:len(s)-1], "$1")
}

var escaped = regexp.MustCompile(`\\(.)`)

// holds reports whether the text in an element is like that: all of it, drawn or not, with what is written on buttons,
// as Playwright looks at it. A capture has no white space between elements, so that there may be some between blocks.
// Of a <textarea> it has what that holds now, and Playwright reads what it held at first.
func (l *Locating) holds(n *snapshot.Node, w words) bool {
	if l.unread(n) {
		return false
	}
	l.unsure = l.unsure || n.Tag == "textarea" && n.Value != "" && w.in(n.Value)
	if w.run {
		return slices.ContainsFunc(l.runs(n), w.in)
	}
	all, any := true, false
	for _, between := range []string{"", " ", "\n  "} {
		var b strings.Builder
		l.write(&b, n, between)
		is := b.Len() > 0 && w.in(b.String())
		all, any = all && is, any || is
	}
	l.unsure = l.unsure || w.pattern != nil && any != all // it is looked for in the text as it is written
	return any
}

// runs are the texts of an element between those in it; of a button that is an input what is written on it.
func (l *Locating) runs(n *snapshot.Node) (out []string) {
	if kind := n.Attr("type"); n.Tag == "input" && (kind == "submit" || kind == "button" || kind == "reset") {
		return []string{cmp.Or(n.Value, n.Attr("value"))}
	}
	for _, r := range n.Written().TextRuns() {
		out = append(out, r.Text)
	}
	return out
}

// write writes the text in an element: of one with a shadow root, what that has behind all else.
func (l *Locating) write(b *strings.Builder, n *snapshot.Node, between string) {
	in := func(c *snapshot.Node) {
		if l.unread(c) {
			return
		}
		if c.Block {
			b.WriteString(between)
		}
		if l.write(b, c, between); c.Block {
			b.WriteString(between)
		}
	}
	inner := l.inner[n.I]
	if n.Tag == "input" || l.hasRoot(n) || len(inner) > 0 && inner[0].Parent != n.I {
		for _, r := range l.runs(n) {
			writeRun(b, r, between)
		}
		for _, c := range inner {
			in(c)
		}
		return
	}
	l.t.InOrder(n.Written(), func(s string) { writeRun(b, s, between) }, func(c *snapshot.Node) {
		if l.css.Above(c) == n && (c.Shadow != "closed" || n.Shadow == "closed") {
			in(c)
		}
	})
}

// unread reports whether an element's text is none of the page's.
func (l *Locating) unread(n *snapshot.Node) bool {
	up := l.css.Above(n)
	return snapshot.IsFrame(n.Tag) || slices.Contains([]string{"script", "noscript", "style", "head"}, n.Tag) ||
		up != nil && up.Tag == "head"
}

// innermost finds the elements with that text in which no other has it. Where it is the whole text between two
// elements, those around one that has it too count as well.
func (l *Locating) innermost(w words) func(*snapshot.Node) bool {
	has := map[int]bool{}
	for i := range l.c.Nodes {
		n := &l.c.Nodes[i]
		has[n.I] = l.holds(n, w)
	}
	return func(n *snapshot.Node) bool {
		return has[n.I] && (w.run || !slices.ContainsFunc(l.inner[n.I],
			func(child *snapshot.Node) bool { return has[child.I] }))
	}
}

var (
	roleHead   = regexp.MustCompile(`^\s*([a-z]+)\s*`)
	roleOption = regexp.MustCompile(`^\[\s*([a-z-]+)\s*(?:(\*?=)\s*` +
		`("(?:[^"\\]|\\.)*"\s*[is]?|'(?:[^'\\]|\\.)*'\s*[is]?|/(?:[^/\\]|\\.)+/[a-z]*|[\w-]+)\s*)?\]\s*`)
	attrPart = regexp.MustCompile(`^\[([\w-]+)=(.+)\]$`)
)

// byRole reads the role and its options. Case and the whole name count in the engine that people write, and a name with
// an i is a part of it in the one that getByRole writes.
func (l *Locating) byRole(s string, internal bool) (func(*snapshot.Node) bool, error) {
	wrong := fmt.Errorf("find: %q is no role of a locator that is looked up on a captured page", text.Cut(s, 80))
	m := roleHead.FindStringSubmatch(s)
	if m == nil {
		return nil, wrong
	}
	role, rest := m[1], s[len(m[0]):]
	if role == "group" && rest != "" && !strings.HasPrefix(rest, "[name") { // it has no state
		return nil, wrong
	}
	var named words
	var all []func(*snapshot.Node) bool
	for rest != "" {
		o := roleOption.FindStringSubmatch(rest)
		if o == nil {
			return nil, wrong
		}
		rest = rest[len(o[0]):]
		switch state := o[1]; state {
		case "name":
			w, err := readWords(strings.ReplaceAll(o[3], `" `, `"`), false)
			if err != nil {
				return nil, err
			}
			if w.pattern == nil && !internal && !w.whole {
				w.equal = o[2] == "="
			}
			if o[2] == "*=" && w.pattern == nil && w.whole {
				return nil, wrong // a part, with case
			}
			named = w
		case "level":
			want, err := strconv.Atoi(o[3])
			if err != nil {
				return nil, wrong
			}
			all = append(all, func(n *snapshot.Node) bool { return aria.Level(n) == want })
		case "checked", "pressed", "selected", "expanded", "disabled":
			want := o[3] != "false"
			if o[3] != "" && o[3] != "true" && o[3] != "false" {
				return nil, wrong
			}
			if state == "expanded" { // of summary and of popovers it knows nothing
				all = append(all, func(n *snapshot.Node) bool {
					is := n.Attr("aria-expanded")
					return is == "true" && want || is == "false" && !want
				})
				continue
			}
			all = append(all, func(n *snapshot.Node) bool { return stateIs(n, state, &want) })
		default:
			return nil, wrong
		}
	}
	return func(n *snapshot.Node) bool {
		is := l.named(n)
		return is.role == role && named.in(is.name) &&
			!slices.ContainsFunc(all, func(fits func(*snapshot.Node) bool) bool { return !fits(n) })
	}, nil
}

// named is the role and the name of an element.
func (l *Locating) named(n *snapshot.Node) roleAndName {
	if l.roles == nil {
		l.roles = make([]roleAndName, len(l.c.Nodes))
		for i := range l.c.Nodes {
			l.roles[i].role, l.roles[i].name = aria.AsPlaywright(l.t, &l.c.Nodes[i])
		}
	}
	return l.roles[l.t.Position(n.I)]
}

// byAttribute reads an attribute and what it is like.
func byAttribute(s string) (func(*snapshot.Node) bool, error) {
	m := attrPart.FindStringSubmatch(s)
	if m == nil {
		return nil, fmt.Errorf("find: %q is no attribute of a locator", text.Cut(s, 80))
	}
	w, err := readWords(m[2], false)
	return func(n *snapshot.Node) bool {
		value, has := n.Attrs[m[1]]
		return has && w.in(value)
	}, err
}

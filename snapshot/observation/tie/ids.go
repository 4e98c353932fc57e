package tie

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/text"
)

// scheme is how a format's refs are held by the page or the protocol.
type scheme struct {
	why string
	// keys are the ids of a node in that scheme.
	key func(n *snapshot.Node) string
	// of is the id that a line's ref stands for, "" for none.
	of func(ref string) string
	// ours: the ids are numbers of this session, if what the lines say of their elements is what these are.
	ours bool
	// documents: each document counts its ids anew.
	documents bool
	// same reports whether the node can be what the line says: an id that may be a running index is taken for the
	// protocol's own only where nearly all lines agree with their nodes.
	same func(l *observation.Line, n *snapshot.Node) bool
	// frame is what a ref has that stands for the frame of its element; nil where refs have none.
	frame func(ref string) string
}

func plain(ref string) string { return ref }

func attribute(name string) func(n *snapshot.Node) string {
	return func(n *snapshot.Node) string { return n.Attr(name) }
}

func backend(n *snapshot.Node) string {
	if n.BackendNodeID == 0 {
		return ""
	}
	return strconv.FormatInt(n.BackendNodeID, 10)
}

// afterDash is the node of Stagehand's FRAME-NODE.
func afterDash(ref string) string {
	_, node, _ := strings.Cut(ref, "-")
	return node
}

// beforeDash is the frame of Stagehand's FRAME-NODE.
func beforeDash(ref string) string {
	frame, _, _ := strings.Cut(ref, "-")
	return frame
}

// sameTag reports whether a line that prints a tag prints that of the node.
func sameTag(l *observation.Line, n *snapshot.Node) bool { return strings.EqualFold(l.Role, n.Tag) }

// sameKind reports whether the kinds of a line's role and of the node contradict each other.
func sameKind(l *observation.Line, n *snapshot.Node) bool {
	if strings.EqualFold(l.Role, n.Tag) {
		return true
	}
	want, is := Kind(l.Role), KindOf(n)
	return want == "" || is == "" || want == is || want == Kind(n.Tag)
}

// numbered are the numbers that our own formats print: those of the session, which an element keeps.
var numbered = scheme{why: "the number that the element has in this session", ours: true,
	key: func(n *snapshot.Node) string {
		if n.Ref == 0 {
			return ""
		}
		return strconv.Itoa(n.Ref)
	},
	of: func(ref string) string {
		if m := ourNumber.FindStringSubmatch(ref); m != nil {
			return m[1]
		}
		return ""
	}}

// ourNumber is how our formats write a number: 12, e12, and f2_12 in a frame.
var ourNumber = regexp.MustCompile(`^(?:e|f\d+_)?(\d+)$`)

// playwright are the refs that Playwright keeps on the elements.
var playwright = scheme{why: "Playwright's own ref on the element", of: plain, documents: true,
	key: func(n *snapshot.Node) string { return n.AgentRefs[snapshot.Playwright] }}

// recorded are the indexes of a browser-use history, which keeps the element of each action.
var recorded = scheme{why: "the element that the recording keeps for this index", of: plain,
	key: func(n *snapshot.Node) string { return n.AgentRefs[snapshot.BrowserUse] }}

// frameNode is the scheme of an agent that prints FRAME-NODE.
func frameNode(agent string) scheme {
	return scheme{why: "the node's id in the browser, which " + agent + " prints", key: backend, of: afterDash,
		same: sameKind, frame: beforeDash}
}

// schemes are those of each format, the first that the page holds is taken.
var schemes = map[observation.Format][]scheme{
	observation.DDDK: {numbered}, observation.Wraith: {numbered}, observation.WraithJSON: {numbered},
	observation.Semantic: {numbered}, observation.DomTool: {numbered}, observation.HTML: {numbered},
	observation.Aria:      {playwright, numbered},
	observation.Stagehand: {frameNode("Stagehand")}, observation.HyperAgent: {frameNode("HyperAgent")},
	observation.BrowserUse: {recorded, {why: "the node's id in the browser, which browser-use prints", key: backend,
		of:   plain,
		same: sameTag}},
	observation.BrowserGym: {{why: "the attribute bid on the element", key: attribute("bid"), of: plain}},
	observation.AgentE:     {{why: "the attribute mmid on the element", key: attribute("mmid"), of: plain}},
	observation.Skyvern:    {{why: "the attribute unique_id on the element", key: attribute("unique_id"), of: plain}},
}

// agree is the least share of lines whose node agrees with them for ids that are not certain to be the protocol's own.
const (
	agree = 0.8
	// agreeOurs is the same for numbers of this session, and leastOurs how many lines agree at least: by numbers of
	// another session hardly one does.
	agreeOurs = 0.8
	leastOurs = 2
)

// byID ties lines by the agent's own ids; it reports whether the text is of a scheme that the page holds, so that a
// line without a node is of an element that is gone.
func (p *Page) byID(t *observation.Text) bool {
	for _, s := range schemes[t.Format] {
		if tied, whole := p.byScheme(t, s); tied {
			return whole
		}
	}
	return t.Format == observation.Aria && slices.Contains(p.strange(t), true)
}

// strange tells which lines of a text that Playwright lists are of another document than the one that the page has in
// its place: Playwright counts its refs anew in each, and keeps on an element the role and the name that its ref goes
// with. A line is where these are not its own, and so are all of a document of whose lines most are.
func (p *Page) strange(t *observation.Text) []bool {
	says := map[string]string{}
	for i := range p.c.Nodes {
		n := &p.c.Nodes[i]
		says[playwright.key(n)] = n.AgentRefs[snapshot.PlaywrightSays]
	}
	out, votes := make([]bool, len(t.Lines)), map[string]int{}
	for i := range t.Lines {
		l := &t.Lines[i]
		role, name, _ := strings.Cut(says[l.Ref], " ")
		out[i] = role != "" && l.Role != "" && (role != l.Role || name != "" && l.Name != "" && !sameName(name, l.Name))
		if out[i] {
			votes[frameOf(l.Ref)]++
		} else if name != "" && l.Name != "" {
			votes[frameOf(l.Ref)]--
		}
	}
	for i := range t.Lines {
		out[i] = out[i] || votes[frameOf(t.Lines[i].Ref)] > 0
	}
	return out
}

// sameName reports whether a name that was kept, which may be cut off, is one that a line has.
func sameName(kept, name string) bool {
	a, b := text.Letters(kept), text.Letters(name)
	return a == b || len(kept) >= snapshot.SaidLength && strings.HasPrefix(b, a)
}

// documentRole is that of a document in Chrome's accessibility tree: its id in the browser is that of no element.
const documentRole = "RootWebArea"

// byScheme ties lines by the ids of one scheme; tied reports whether the text is of it.
func (p *Page) byScheme(t *observation.Text, s scheme) (tied, whole bool) {
	if s.ours {
		s.same = p.says
	}
	strange := make([]bool, len(t.Lines))
	if s.documents {
		strange = p.strange(t)
	}
	places := map[string][]int{}
	for at := range p.c.Nodes {
		if key := s.key(&p.c.Nodes[at]); key != "" {
			places[key] = append(places[key], at)
		}
	}
	fitting, known, agreed := make([][]int, len(t.Lines)), 0, 0
	for i := range t.Lines {
		l := &t.Lines[i]
		list := places[s.of(l.Ref)]
		if len(list) == 0 || strange[i] || s.frame != nil && l.Role == documentRole {
			continue
		}
		known++
		for _, at := range list {
			if s.same == nil || s.same(l, &p.c.Nodes[at]) {
				fitting[i] = append(fitting[i], at)
			}
		}
		if len(fitting[i]) > 0 {
			agreed++
		}
	}
	if s.frame != nil {
		p.inFrames(t, s.frame, fitting)
	}
	found := make([]int, len(t.Lines))
	for i, may := range fitting {
		found[i] = -1
		if len(may) == 1 { // ids of two processes may be the same: then nothing is certain
			found[i] = may[0]
		}
	}
	switch {
	case known == 0, s.ours && !p.areOurs(t, places, found),
		!s.ours && s.same != nil && float64(agreed) < agree*float64(known):
		return false, false
	}
	for i := range found { // where the numbers are ours, one is its element's whatever has become of its words
		if list := places[s.of(t.Lines[i].Ref)]; s.ours && len(list) == 1 {
			found[i] = list[0]
		}
	}
	score := ScoreOwn
	if s.ours {
		score = ScoreOurs
	}
	for i, at := range found {
		if at >= 0 {
			p.set(&t.Lines[i], at, score, s.why)
		}
	}
	whole = 2*known > len(t.Lines) || slices.Contains(strange, true)
	if whole && len(p.c.Failed) == 0 {
		frames := map[string]bool{}
		for key := range places {
			frames[frameOf(key)] = true
		}
		for i := range t.Lines {
			l := &t.Lines[i]
			if id := s.of(l.Ref); id != "" && len(places[id]) == 0 && frames[frameOf(id)] && isControl(l.Role) {
				l.Gone, l.Score, l.Why = true, score, "no element of the page has this id any more"
			}
		}
	}
	return true, whole
}

// inFrames drops the elements that fit a line and lie in another frame than the one that the line's ref names. Which
// frame a name stands for several words tell, see [Page.framesOf], or else a line with that name inside the line of a
// frame's element. What is told of the page once more in the place of a frame is the page's.
func (p *Page) inFrames(t *observation.Text, frame func(ref string) string, fitting [][]int) {
	of, byWords := p.framesOf(t, frame, fitting)
	owned, filled := map[int]int{}, map[int]bool{} // frames by the I of their elements; those with a document
	for k := range p.c.Frames {
		owned[p.c.Frames[k].Owner] = k
	}
	for i := range p.c.Nodes {
		filled[p.c.Nodes[i].Frame] = true
	}
	nested := map[string]bool{}
	var around []int // the lines that the present one lies in
	for i := range t.Lines {
		l := &t.Lines[i]
		for len(around) > 0 && t.Lines[around[len(around)-1]].Depth >= l.Depth {
			around = around[:len(around)-1]
		}
		name := frame(l.Ref)
		if len(around) > 0 && !nested[name] {
			outer := around[len(around)-1]
			if may := fitting[outer]; len(may) == 1 && frame(t.Lines[outer].Ref) != name {
				k, owns := owned[p.c.Nodes[may[0]].I]
				if owns && !byWords[name] && (filled[k] || !toldTwice(t, frame, name)) {
					of[name], nested[name] = k, true
				}
			}
		}
		if is, known := of[name]; known {
			fitting[i] = slices.DeleteFunc(fitting[i], func(at int) bool {
				n := &p.c.Nodes[at]
				return n.Frame != is && (is != another || !sameWords(l, n))
			})
		}
		around = append(around, i)
	}
}

// framesOf are the frames that the names in refs stand for: of each the one in which most lines with that name find an
// element with their words, by far, and else the one of all lines that one element alone fits. A frame has one name:
// that with most such lines. Names whose lines disagree have none.
// byWords are the names that several words have told.
func (p *Page) framesOf(t *observation.Text, frame func(ref string) string, fitting [][]int) (of map[string]int,
	byWords map[string]bool) {
	type votes struct {
		words map[int]int // by frame: lines with the words of an element there
		alone map[int]bool
	}
	by := map[string]*votes{}
	var names []string
	for i, may := range fitting {
		l := &t.Lines[i]
		name := frame(l.Ref)
		v := by[name]
		if v == nil {
			v = &votes{map[int]int{}, map[int]bool{}}
			by[name], names = v, append(names, name)
		}
		if len(may) == 1 {
			v.alone[p.c.Nodes[may[0]].Frame] = true
		}
		agreeing := map[int]bool{}
		for _, at := range may {
			if n := &p.c.Nodes[at]; sameWords(l, n) {
				agreeing[n.Frame] = true
			}
		}
		for is := range agreeing {
			v.words[is]++
		}
	}
	best := func(name string) (is, most, second int) {
		is = -1
		for f, n := range by[name].words {
			if n > most || n == most && f < is {
				is, most, second = f, n, most
			} else {
				second = max(second, n)
			}
		}
		return is, most, second
	}
	slices.SortStableFunc(names, func(a, b string) int {
		_, x, _ := best(a)
		_, y, _ := best(b)
		return y - x
	})
	of, byWords = map[string]int{}, map[string]bool{}
	taken := map[int]bool{}
	const byFar = 3
	for _, name := range names {
		is, most, second := best(name)
		if alone := slices.Collect(maps.Keys(by[name].alone)); most == 0 && len(alone) == 1 {
			is = alone[0]
		} else if most == 0 || most < byFar*second {
			continue
		}
		if taken[is] && !toldTwice(t, frame, name) {
			of[name] = another
		} else {
			of[name], taken[is] = is, true
			byWords[name] = most > 1
		}
	}
	return of, byWords
}

// another is a frame that was not read: an element of the page that has its number has it by chance, unless it has the
// words too.
const another = -1

// sameWords reports whether a line has words, and those of a node.
func sameWords(l *observation.Line, n *snapshot.Node) bool {
	key := text.Letters(l.Name)
	return key != "" && (key == text.Letters(n.Name) || key == text.Letters(n.Text))
}

// toldTwice reports whether nearly all lines of a frame that are named as lines of another one say the same as these.
// An agent that reads the tree of a frame without a document, as one whose address could not be loaded, is given that
// of the page once more.
func toldTwice(t *observation.Text, frame func(ref string) string, name string) bool {
	said := map[string]string{} // by the ids in other frames
	for i := range t.Lines {
		l := &t.Lines[i]
		if of := frame(l.Ref); of != name && l.Name != "" {
			said[strings.TrimPrefix(l.Ref, of)] = l.Role + " " + l.Name
		}
	}
	shared, alike := 0, 0
	for i := range t.Lines {
		l := &t.Lines[i]
		if was := said[strings.TrimPrefix(l.Ref, name)]; frame(l.Ref) == name && l.Name != "" && was != "" {
			if shared++; was == l.Role+" "+l.Name {
				alike++
			}
		}
	}
	return shared >= leastOurs && float64(alike) >= agree*float64(shared)
}

// says reports whether what a line says of its element is not contradicted by the node: the words that it prints are
// among those of the node.
func (p *Page) says(l *observation.Line, n *snapshot.Node) bool {
	key := text.Letters(strings.TrimRight(l.Name, "…."))
	if key == "" {
		return true
	}
	at := p.tree.Position(n.I)
	if slices.Contains(p.byKey[key], at) {
		return true
	}
	return strings.Contains(text.Letters(p.tree.Gather(n, snapshot.Gather{All: true, Controls: true,
		MaxBytes: 4 * nameLimit, MaxNodes: 200})+" "+n.Name+" "+n.Text+" "+n.Value+" "+n.Attr("value")), key)
}

// areOurs reports whether the numbers of a text are those of this session: what its lines say, each words counted once,
// agrees with the elements of these numbers.
func (p *Page) areOurs(t *observation.Text, places map[string][]int, found []int) bool {
	words := map[string]bool{} // whether all lines of these words agree
	known, alike := 0, 0
	for i := range t.Lines {
		l := &t.Lines[i]
		list := places[numbered.of(l.Ref)]
		if len(list) != 1 {
			continue
		}
		if known++; sameKind(l, &p.c.Nodes[list[0]]) {
			alike++
		}
		if key := text.Letters(l.Name); key != "" && l.Role != "iframe" { // which prints its address
			agrees, before := words[key]
			words[key] = found[i] >= 0 && (agrees || !before)
		}
	}
	agreed := 0
	for _, agrees := range words {
		if agrees {
			agreed++
		}
	}
	ours := t.Format != observation.Aria && (t.Format != observation.HTML ||
		strings.Contains(t.Body(), ` data-interactive="`))
	if ours && len(words) < 2*leastOurs {
		// Nobody else writes it, and few lines have words: then half of them agree, or all are of the kind of theirs.
		return agreed > 0 && 2*agreed >= len(words) || len(words) == 0 && alike == known
	}
	return agreed >= leastOurs && float64(agreed) >= agreeOurs*float64(len(words))
}

// frameOf is the frame that Playwright writes before a number, f2 of f2e7; "" for the main frame and other schemes.
func frameOf(ref string) string {
	if !strings.HasPrefix(ref, "f") {
		return ""
	}
	frame, _, _ := strings.Cut(ref, "e")
	return frame
}

// isControl reports whether a role is one of those that people operate. Of others, such as texts and markers of lists,
// an agent may name nodes that are no elements.
func isControl(role string) bool {
	switch Kind(role) {
	case "link", "button", "field":
		return true
	}
	return false
}

// goneByWords marks the controls whose words are nowhere on a page that has half of what the text lists.
func (p *Page) goneByWords(t *observation.Text) {
	if 2*t.Matched < len(t.Lines) {
		return
	}
	for i := range t.Lines {
		l := &t.Lines[i]
		if l.Node < 0 && len(l.Candidates) == 0 && isControl(l.Role) && len(text.Letters(l.Name)) > 1 &&
			!p.Has(l.Name) && !p.Unread(t, l) {
			l.Gone, l.Why = true, "its words are nowhere on the page"
		}
	}
}

// Unread reports whether a line lies in a frame that was not read, such as one of no size: nothing can be said of it.
func (p *Page) Unread(t *observation.Text, l *observation.Line) bool {
	unread := map[int]bool{}
	for i := range p.c.Frames {
		if f := &p.c.Frames[i]; !f.Readable {
			unread[f.Owner] = true
		}
	}
	if len(unread) == 0 {
		return false
	}
	at := slices.IndexFunc(t.Lines, func(o observation.Line) bool { return o.Ref == l.Ref && o.First == l.First })
	depth := l.Depth
	for i := at - 1; i >= 0 && depth > 0; i-- {
		if around := &t.Lines[i]; around.Depth < depth {
			if depth = around.Depth; around.Node >= 0 && unread[around.Node] {
				return true
			}
		}
	}
	return false
}

// Held is the element on which the page itself holds a ref of an agent, and by what: Playwright's own, or an attribute
// whose value it is, as data-element-id. -1 where it holds none, or several.
func (p *Page) Held(ref string) (node int, why string) {
	node = -1
	for i := range p.c.Nodes {
		n := &p.c.Nodes[i]
		here := ""
		if ref != "" && playwright.key(n) == ref {
			here = playwright.why
		} else if name := attributeOf(n, ref); name != "" {
			here = "the attribute " + name + " on the element"
		}
		if here == "" {
			continue
		}
		if node >= 0 {
			return -1, ""
		}
		node, why = n.I, here
	}
	return node, why
}

// leastMade is the length from which an id is one that a program has made, so that nothing else on a page is like it.
const leastMade = 12

// attributeOf is the attribute of an element whose value is an id that a program has made, "" for none. What
// refers to another element, as for and aria-controls do, holds none.
func attributeOf(n *snapshot.Node, ref string) string {
	if len(ref) < leastMade || !strings.ContainsAny(ref, "0123456789") || strings.ContainsAny(ref, " /:") {
		return ""
	}
	first := ""
	for name, value := range n.Attrs {
		if value == ref && (name == "id" || strings.HasPrefix(name, "data-")) && (first == "" || name < first) {
			first = name
		}
	}
	return first
}

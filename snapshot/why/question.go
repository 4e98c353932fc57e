package why

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot/css"
)

// Question names elements of a capture.
//
//	question = ref | own | node | place | selector
//	ref      = 12 | [12] | @12 | e12 | @e12 | s3e12 | f1_12   the number in the session
//	own      = "own:" 12                                      the same, where an agent's text has numbers of its own
//	node     = "node:" index                                 the index in the capture
//	place    = X "," Y                                       CSS px of the viewport
//	selector = a path as the capture prints it, with " >>> " into shadow roots and
//	           " |> " into frames, else a CSS selector as package css has it
type Question struct {
	text string
	kind questionKind
	ref  int // or the node's index
	x, y float64
	css  *css.Selector // nil where the text is no selector that package css knows
	err  error         // why it is not
}

// OwnPrefix is what stands before a number that is ours and not an agent's own.
const OwnPrefix = "own:"

type questionKind uint8

const (
	askRef questionKind = iota
	askNode
	askPlace
	askSelector
)

// spelledRef are the spellings of a ref number in the formats.
var spelledRef = regexp.MustCompile(`^(?:\[(\d{1,9})\]|@?(?:s\d{1,9})?e?(\d{1,9})|f\d{1,9}_(\d{1,9}))$`)

// ParseQuestion reads a question. A text that is none is an error that describes what can be
// asked.
func ParseQuestion(s string) (Question, error) {
	s = strings.TrimSpace(s)
	q := Question{text: s}
	if s == "" {
		return q, fmt.Errorf(
			"why: nothing is asked: name a number such as 12, a place such as 120,48, or a CSS selector")
	}
	if m := spelledRef.FindStringSubmatch(s); m != nil {
		n, err := strconv.Atoi(m[1] + m[2] + m[3])
		if err != nil || n == 0 {
			return q, fmt.Errorf("why: %q: numbers count from 1", s)
		}
		q.ref = n
		return q, nil
	}
	if at, ok := strings.CutPrefix(s, OwnPrefix); ok {
		if n, err := strconv.Atoi(at); err == nil && n > 0 {
			q.ref = n
			return q, nil
		}
		return q, fmt.Errorf("why: %q: write the number in the session after %s, such as %s12", s, OwnPrefix, OwnPrefix)
	}
	if at, ok := strings.CutPrefix(s, "node:"); ok {
		n, err := strconv.Atoi(at)
		if err == nil && n >= 0 {
			q.kind, q.ref = askNode, n
			return q, nil
		}
	}
	if x, y, ok := strings.Cut(s, ","); ok {
		px, err1 := strconv.ParseFloat(strings.TrimSpace(x), 64)
		py, err2 := strconv.ParseFloat(strings.TrimSpace(y), 64)
		if err1 == nil && err2 == nil {
			if math.IsNaN(px+py) || math.IsInf(px+py, 0) {
				return q, fmt.Errorf("why: %q is no place", s)
			}
			q.kind, q.x, q.y = askPlace, px, py
			return q, nil
		}
	}
	q.kind = askSelector
	q.css, q.err = css.Parse(s)
	if q.err != nil && !strings.Contains(s, " > ") && !strings.Contains(s, " >>> ") && !strings.Contains(s, " |> ") {
		return q, fmt.Errorf("why: %w; besides a CSS selector, ask for a number such as 12 or a place such as 120,48",
			q.err)
	}
	return q, nil
}

// Ref is the number in the session that the question names, 0 for none.
func (q Question) Ref() int {
	if q.kind == askRef {
		return q.ref
	}
	return 0
}

// IsPlace reports whether the question is about a place, which is answered with all that
// lies there.
func (q Question) IsPlace() bool { return q.kind == askPlace }

// String is the question as it was asked.
func (q Question) String() string { return q.text }

// Find lists the elements that the question names: of a place from the topmost down, of
// a selector in document order. None is an error that names the question.
func (e *Explainer) Find(q Question) ([]Element, error) {
	var out []Element
	switch q.kind {
	case askRef:
		if n := e.c.ByRef(q.ref); n != nil {
			return []Element{e.element(n)}, nil
		}
		return nil, fmt.Errorf("why: the capture has no element with number %d", q.ref)
	case askNode:
		if n := e.tree.Node(q.ref); n != nil {
			return []Element{e.element(n)}, nil
		}
		return nil, fmt.Errorf("why: the capture holds no node %d", q.ref)
	case askPlace:
		if out = e.At(q.x, q.y); len(out) == 0 {
			v := e.c.Viewport
			return nil, fmt.Errorf("why: nothing lies at %g,%g; the viewport is %g by %g CSS px", q.x,
				q.y, v.Width, v.Height)
		}
		return out, nil
	}
	for p := range e.c.Nodes {
		if n := &e.c.Nodes[p]; n.Path == q.text {
			return []Element{e.element(n)}, nil
		}
	}
	if q.css == nil {
		return nil, fmt.Errorf("why: no element has the path %q", line(q.text))
	}
	for _, n := range q.css.All(e.css()) {
		out = append(out, e.element(n))
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("why: no element matches %q", line(q.text))
	}
	return out, nil
}

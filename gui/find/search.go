package find

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/css"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/find"
)

const (
	// maxFindQuery bounds what is looked for, in bytes, and maxMatches how many there are.
	maxFindQuery = 1000
	maxMatches   = 10_000
	// findContext is how many lines before and after a match a filtered text keeps.
	findContext = 2
)

// Pause implements [core.LatestWork].
func (Find) Pause() time.Duration { return 0 }

// Do implements [core.Work]: it looks through a text.
func (e Find) Do(ctx context.Context, _ *core.Worker) core.Msg {
	found, err := Search(ctx, e)
	return Searched{Seq: e.Seq, Found: found, Problem: core.ProblemOf(err)}
}

// Search does the work of a [Find]. An expression or selector that cannot be used is an
// error, and so is a question that is too long. Time grows with the length of the text alone: expressions are RE2.
func Search(ctx context.Context, e Find) (*core.Found, error) {
	q := e.Query
	if len(q.Text) > maxFindQuery {
		return nil, fmt.Errorf("at most %d bytes can be looked for", maxFindQuery)
	}
	s := searcher{Find: e, out: &core.Found{}}
	nodes, isElements, err := s.elements()
	switch {
	case err != nil:
		return nil, err
	case isElements:
		s.lines(nodes)
	default:
		if err := s.text(ctx); err != nil {
			return nil, err
		}
		s.beyond()
	}
	s.boxes()
	s.explain()
	s.out.Text = s.mark(nil)
	s.out.Lines = len(s.out.Text.Lines)
	s.filter()
	return s.out, nil
}

type searcher struct {
	Find
	out *core.Found
}

// elements are those that a query in terms of elements names; ok is false where it is
// about text.
func (s *searcher) elements() (nodes []int, ok bool, err error) {
	text := strings.TrimSpace(s.Query.Text)
	q := find.Query{Limit: -1, Context: -1, All: true}
	if s.Turn == nil || s.Query.Regexp {
		return nil, false, nil
	}
	if ref, ok := s.numbered(text); ok {
		if n := s.Turn.Capture.ByRef(ref); n != nil {
			nodes = append(nodes, n.I)
		}
		return nodes, true, nil
	}
	surely := true // what is typed means elements and no text
	switch {
	case strings.HasPrefix(text, "role="):
		role, words, _ := strings.Cut(strings.TrimSpace(text[len("role="):]), " ")
		q.Role, q.Text = role, strings.TrimSpace(words)
	case strings.HasPrefix(text, "css="):
		q.Selector = strings.TrimSpace(text[len("css="):])
	case css.IsXPath(text):
		if q.Selector, err = css.FromXPath(text); err != nil {
			return nil, true, fmt.Errorf("this cannot be looked for: %w", err)
		}
	case selector.MatchString(text):
		q.Selector, surely = text, false
	default:
		return nil, false, nil
	}
	if q.Role == "" && q.Selector == "" {
		return nil, true, nil // not typed yet
	}
	a, err := find.Search(s.Turn.Capture, q)
	if err != nil {
		if !surely {
			return nil, false, nil
		}
		return nil, true, fmt.Errorf("this cannot be looked for: %w", err)
	}
	for _, m := range a.Matches {
		nodes = append(nodes, m.Node)
	}
	return nodes, surely || len(nodes) > 0, nil
}

// selector matches what is typed of an element by its id or class. Where nothing on the page has that, it is a text.
var selector = regexp.MustCompile(`^[#.][A-Za-z_-][A-Za-z0-9_-]*([#.:>\[ ].*)?$`)

// numbered is our number of the element that a number means: #12, or an agent's own such as e17.
func (s *searcher) numbered(text string) (ref int, ok bool) {
	if digits, ok := strings.CutPrefix(text, "#"); ok {
		if number, err := strconv.Atoi(digits); err == nil {
			return s.Numbers.Ref(number), true
		}
	}
	return s.Numbers.OfOwn(text)
}

// lines are the matches of elements: their first lines, in the order of the text.
func (s *searcher) lines(nodes []int) {
	var absent []core.FoundMatch
	for _, n := range nodes {
		m := core.FoundMatch{Line: s.Doc.LineOf(n), Node: n, Box: -1}
		if i := slices.IndexFunc(s.Doc.Spans, func(x dump.Span) bool { return x.Node == n }); i >= 0 && m.Line >= 0 {
			if x := s.Doc.Spans[i]; x.Line == m.Line && s.Doc.Lines[x.Line].Node != n {
				m.Start, m.End = x.Start-s.Doc.Lines[x.Line].Start, x.End-s.Doc.Lines[x.Line].Start
			}
		}
		if m.Line < 0 {
			absent = append(absent, m)
		} else {
			s.out.Matches = append(s.out.Matches, m)
		}
	}
	slices.SortStableFunc(s.out.Matches, func(a, b core.FoundMatch) int { return a.Line - b.Line })
	s.out.Absent = len(absent)
	s.out.Matches = append(s.out.Matches, absent...)
	if len(s.out.Matches) > maxMatches {
		s.out.Matches, s.out.More = s.out.Matches[:maxMatches], true
	}
}

// text are the matches in lines of text.
func (s *searcher) text(ctx context.Context) error {
	pattern := strings.ToValidUTF8(s.Query.Text, "\uFFFD") // which replaces any such byte
	if !s.Query.Regexp {
		pattern = regexp.QuoteMeta(pattern)
	} else if _, err := regexp.Compile(pattern); err != nil {
		return badPattern(err) // in the words of what was typed
	}
	if !s.Query.Case {
		pattern = "(?i)" + pattern
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return fmt.Errorf("this cannot be looked for: %w", err)
	}
	spans := map[int][]dump.Span{}
	for _, x := range s.Doc.Spans {
		spans[x.Line] = append(spans[x.Line], x)
	}
	for i, l := range s.Doc.Lines {
		if i%256 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		for _, at := range re.FindAllStringIndex(s.Doc.Text[l.Start:l.End], maxMatches+1-len(s.out.Matches)) {
			if at[0] == at[1] {
				continue
			}
			if len(s.out.Matches) == maxMatches {
				s.out.More = true
				return nil
			}
			node := l.Node
			for _, x := range spans[i] { // the innermost stretch has it, and comes last
				if l.Start+at[0] >= x.Start && l.Start+at[1] <= x.End {
					node = x.Node
				}
			}
			s.out.Matches = append(s.out.Matches, core.FoundMatch{Line: i, Start: at[0], End: at[1], Node: node,
				Box: -1})
		}
	}
	return nil
}

// beyond adds the elements of the whole page whose words match and have no line in the text: the innermost ones.
func (s *searcher) beyond() {
	if s.Turn == nil || s.out.More || strings.TrimSpace(s.Query.Text) == "" {
		return
	}
	q := find.Query{Limit: -1, Context: -1, All: true, Text: s.Query.Text}
	if s.Query.Regexp {
		if re, err := regexp.Compile(s.Query.Text); err != nil || re.MatchString("") {
			return // it matches everything
		}
		q.Text, q.Pattern = "", s.Query.Text
	}
	a, err := find.Search(s.Turn.Capture, q)
	if err != nil {
		return // it is no expression for names; the text was looked through
	}
	lit := map[int]bool{}
	for _, m := range s.out.Matches {
		lit[m.Node] = true
	}
	tree := snapshot.NewTree(s.Turn.Capture)
	inner := map[int]bool{} // elements with a match inside
	var nodes []int
	for i := len(a.Matches) - 1; i >= 0; i-- { // what is inside comes later
		m := a.Matches[i]
		n := s.Turn.Capture.Node(m.Node)
		told := lit[m.Node] || s.Doc.LineOf(m.Node) >= 0
		for up := range tree.Ancestors(m.Node) {
			told = told || lit[up.I]
			inner[up.I] = true
		}
		if told || inner[m.Node] || s.Query.Case && !strings.Contains(m.Name+" "+n.Value, s.Query.Text) {
			continue
		}
		nodes = append(nodes, m.Node)
	}
	slices.Reverse(nodes)
	for _, n := range nodes[:min(len(nodes), maxMatches-len(s.out.Matches))] {
		s.out.Matches = append(s.out.Matches, core.FoundMatch{Line: -1, Node: n, Box: -1})
		s.out.Absent++
	}
}

// maxReasons bounds of how many elements without a line the reason is looked up.
const maxReasons = 50

// explain says why the elements without a line in the text have none.
func (s *searcher) explain() {
	if s.Turn == nil || s.Turn.Explainer == nil {
		return
	}
	s.out.Reasons = map[int]string{}
	for i := range s.out.Matches {
		m := &s.out.Matches[i]
		if m.Line >= 0 || m.Node < 0 || len(s.out.Reasons) == maxReasons {
			continue
		}
		if x, err := s.Turn.Explainer.Explain(m.Node); err == nil {
			reason := x.Sentence
			for _, f := range x.Formats { // what became of it in this very text says more
				if f.Format == s.Doc.Format && !f.Compat {
					reason = f.Sentence
				}
			}
			s.out.Reasons[m.Node] = x.Element.Say() + ": " + s.Numbers.Words(reason)
		}
	}
}

// badPattern describes what is wrong with an expression, without the words of package regexp.
func badPattern(err error) error {
	var bad *syntax.Error
	switch {
	case !errors.As(err, &bad):
		return fmt.Errorf("this is not a regular expression: %w", err)
	case bad.Expr == "":
		return fmt.Errorf("this is not a regular expression: %s", bad.Code)
	}
	return fmt.Errorf("this is not a regular expression: %s in “%s”", bad.Code, bad.Expr)
}

// boxes are those of the elements that matched, where they have one on the picture.
func (s *searcher) boxes() {
	s.out.Boxes = &core.FoundBoxes{}
	if s.Turn == nil || s.Turn.Scene == nil {
		return
	}
	known := map[int]int{}
	for i := range s.out.Matches {
		m := &s.out.Matches[i]
		n := s.Turn.Capture.Node(m.Node)
		if m.Node < 0 || n == nil || !n.InViewport {
			continue
		}
		at, ok := known[m.Node]
		if !ok {
			o := s.Turn.Outline(n)
			if o.Box.Empty() {
				continue
			}
			at = len(s.out.Boxes.Boxes)
			s.out.Boxes.Boxes = append(s.out.Boxes.Boxes, o.Box)
			known[m.Node] = at
		}
		m.Box = at
	}
}

// mark places the matches in a text that has the lines with these numbers, nil for all.
func (s *searcher) mark(numbers []int) *core.FoundText {
	f := &core.FoundText{Line: make([]int, len(s.out.Matches)), Spans: map[int][][2]int{}, Numbers: numbers,
		Source: s.Doc, Of: s.out}
	for i, m := range s.out.Matches {
		line := m.Line
		if line >= 0 && numbers != nil {
			line, _ = slices.BinarySearch(numbers, line) // each is in it
		}
		f.Line[i] = line
		if line < 0 {
			continue
		}
		f.Spans[line] = append(f.Spans[line], [2]int{m.Start, m.End})
		if n := len(f.Lines); n == 0 || f.Lines[n-1] != line {
			f.Lines = append(f.Lines, line)
		}
	}
	return f
}

// filter makes the text of the lines with matches and those around them.
func (s *searcher) filter() {
	numbers := []int{}
	for _, l := range s.out.Text.Lines {
		from := max(0, l-findContext)
		if n := len(numbers); n > 0 {
			from = max(from, numbers[n-1]+1)
		}
		for k := from; k <= min(l+findContext, len(s.Doc.Lines)-1); k++ {
			numbers = append(numbers, k)
		}
	}
	d := &dump.Document{Format: s.Doc.Format, Text: s.Doc.Text}
	place := make(map[int]int, len(numbers))
	for i, k := range numbers {
		d.Lines = append(d.Lines, s.Doc.Lines[k])
		place[k] = i
	}
	s.out.Doc, s.out.Tones, s.out.Filtered = d, s.Tones.Only(place), s.mark(numbers)
}

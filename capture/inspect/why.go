package inspect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/find"
	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/why"
)

// WhyOptions are what is asked about an element.
type WhyOptions struct {
	// Question names elements: a number as the agent wrote it, else what [why.ParseQuestion] reads.
	Question string
	// Views are the formats that are asked about; none are all that need no query.
	Views []why.View
	// Limit is how many of several elements are explained; below 0 all.
	Limit int
}

// WhyAnswer explains elements of a target.
type WhyAnswer struct {
	Schema   string `json:"schema"`
	Target   string `json:"target"`   // the turn or page that was asked about
	Question string `json:"question"` // what was asked for: a ref, a selector, a text
	// AsSent is the number in the agent's own text, where the question is one; nil where it is not.
	AsSent       *SentNumber        `json:"asSent,omitempty"`
	Explanations []*why.Explanation `json:"explanations"`
	// More is how many elements the question names besides.
	More int `json:"more"`
	// Note says that a number is ours, where the agent's text has numbers and not this one; "" else.
	Note string `json:"note,omitempty"`

	place []why.Element // what lies at a place, where the question is one
}

// SentNumber is a number as an agent's own text has it.
type SentNumber struct {
	Ref     string             `json:"ref"` // the number as the agent got it
	Format  observation.Format `json:"format"`
	Guessed bool               `json:"guessed,omitempty"` // the element is the likeliest one, and no evidence proves it
	Section string             `json:"section"`           // the part of the request that has it
	// Lines are those that have the number: several where it stands for different elements.
	Lines []SentLine `json:"lines"`
	// Own is the other element that has this number in the session, by Refscope's own count; 0 where there is none.
	Own int `json:"own,omitempty"`
	own string
	// pageless: the turn has no page.
	pageless bool
}

// SentLine is a line of an agent's own text and its element.
type SentLine struct {
	Line int    `json:"line"` // of the text, from 1
	Text string `json:"text"` // the line as the agent got it
	Node int    `json:"node"` // -1 where it is not known which one it is
	// Evidence is by what it is known; Candidates are those that it may be where nothing decides.
	Evidence   string `json:"evidence,omitempty"`
	Candidates []int  `json:"candidates,omitempty"`
}

// Why explains why an element of a target is, or is not, in what an agent reads (N-2). A number is the agent's own
// where the turn has a text with it.
func Why(ctx context.Context, r *target.Opened, o WhyOptions) (*WhyAnswer, error) {
	e := why.New(r.Capture, o.Views...)
	out := &WhyAnswer{Schema: why.Schema, Target: target.Clean(r.Name), Question: strings.TrimSpace(o.Question),
		Explanations: []*why.Explanation{}}
	sent, err := maybeSent(ctx, r)
	if err != nil {
		return nil, err
	}
	var found []why.Element
	if sent != nil {
		if out.AsSent = sent.number(o.Question); out.AsSent != nil {
			if found, err = out.AsSent.elements(e); err != nil {
				return nil, err
			}
		}
	}
	if out.AsSent == nil {
		if err = r.NeedPage(); err != nil {
			return nil, err
		}
		if found, err = ask(e, o.Question, sent); err != nil {
			return nil, err
		}
		switch q, err := why.ParseQuestion(o.Question); {
		case err == nil && q.IsPlace():
			out.place = found
		case err == nil && q.Ref() > 0 && sent != nil && !strings.HasPrefix(out.Question, why.OwnPrefix):
			out.Note = fmt.Sprintf("the agent's text has no %s: %d is Refscope's own number",
				text.Line(out.Question), q.Ref())
		}
	}
	if o.Limit > 0 && len(found) > o.Limit {
		out.More, found = len(found)-o.Limit, found[:o.Limit]
		out.place = out.place[:min(len(out.place), o.Limit)]
	}
	ledger, err := ledgerOf(ctx, r)
	if err != nil {
		return nil, err
	}
	for _, el := range found {
		x, err := e.Explain(el.Node)
		if err != nil {
			return nil, err
		}
		if ledger != nil {
			x.History = why.History(ledger, el.Ref)
		}
		if sent != nil {
			x.AsSent = sent.told(el.Node)
		}
		out.Explanations = append(out.Explanations, x)
	}
	return out, nil
}

// ask finds what a question names that is no number of the agent.
func ask(e *why.Explainer, question string, sent *Sent) ([]why.Element, error) {
	q, err := why.ParseQuestion(question)
	var found []why.Element
	if err == nil {
		found, err = e.Find(q)
	} else if sent == nil {
		return nil, &target.UsageError{Text: err.Error()}
	}
	if err != nil && sent != nil && strings.ContainsAny(question, "0123456789") {
		return nil, fmt.Errorf("%w; nor is it a number of the agent's text, which has %s", err, sent.numbers())
	}
	return found, err
}

// numbers says which numbers the text has.
func (s *Sent) numbers() string {
	list := s.Text.Elements()
	if len(list) == 0 {
		return "none"
	}
	return text.Line(list[0].Ref) + " to " + text.Line(list[len(list)-1].Ref)
}

// number is a number of the agent's own text, nil where the text has none that is spelled so.
func (s *Sent) number(spelled string) *SentNumber {
	if strings.HasPrefix(strings.TrimSpace(spelled), why.OwnPrefix) {
		return nil
	}
	lines := s.Lines(spelled)
	if len(lines) == 0 {
		return nil
	}
	out := &SentNumber{Ref: text.Line(lines[0].Ref), Format: s.Text.Format, Guessed: s.Text.Guessed,
		Section: s.Text.Section, Lines: []SentLine{}, pageless: s.Capture.Pageless()}
	for _, l := range lines {
		out.Lines = append(out.Lines, s.line(l))
	}
	q, err := why.ParseQuestion(spelled)
	if err != nil || q.Ref() == 0 {
		return out
	}
	if n := s.Capture.ByRef(q.Ref()); n != nil && (len(lines) > 1 || n.I != lines[0].Node) {
		out.Own, out.own = n.Ref, why.Describe(n)
	}
	return out
}

func (s *Sent) line(l observation.Line) SentLine {
	return SentLine{Line: l.First, Text: text.Cut(text.CollapseSpace(s.Text.Words(l)), 240), Node: l.Node,
		Evidence: text.Line(l.Why), Candidates: l.Candidates}
}

// elements are those that a number stands for; none is an error that names its line.
func (n *SentNumber) elements(e *why.Explainer) ([]why.Element, error) {
	var found []why.Element
	have := map[int]bool{}
	for _, l := range n.Lines {
		for _, node := range append([]int{l.Node}, l.Candidates...) {
			if node < 0 || have[node] {
				continue
			}
			have[node] = true
			q, err := why.ParseQuestion(fmt.Sprintf("node:%d", node))
			if err != nil {
				return nil, err
			}
			list, err := e.Find(q)
			if err != nil {
				return nil, err
			}
			found = append(found, list...)
		}
	}
	if len(found) == 0 {
		why := "it is not known which element of the page that is"
		if n.pageless {
			why = "the turn has no page, so that nothing is known of its element"
		}
		return nil, fmt.Errorf("%s is in the agent's text, line %d: %s: %s", n.Ref, n.Lines[0].Line,
			text.QuoteLine(n.Lines[0].Text), why)
	}
	return found, nil
}

// told is what the text says of an element.
func (s *Sent) told(node int) *why.Told {
	out := &why.Told{Format: s.Text.Format}
	lines := s.Text.ByNode(node)
	if len(lines) == 0 {
		return out
	}
	l := s.line(lines[0])
	for _, one := range lines {
		if one.Ref != "" {
			l = s.line(one)
			break
		}
	}
	out.Ref, out.Line, out.Text, out.Evidence = s.Number(node), l.Line, l.Text, l.Evidence
	return out
}

// ledgerOf is the ledger of the session that a recorded turn is of, nil for none.
func ledgerOf(ctx context.Context, r *target.Opened) (*turn.Ledger, error) {
	if r.Record == nil {
		return nil, nil
	}
	store, err := turn.OpenPath(r.Where)
	if err != nil {
		return nil, fmt.Errorf("opening the session %s: %w", r.Where, err)
	}
	defer store.Close()
	ledger, err := store.Ledger(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading the ledger of %s: %w", r.Where, err)
	}
	return ledger, nil
}

// Text is the answer for people.
func (w *WhyAnswer) Text() string {
	var b strings.Builder
	if n := w.AsSent; n != nil {
		n.say(&b, len(w.Explanations)+w.More)
	}
	if w.Note != "" {
		b.WriteString(w.Note + "\n\n")
	}
	if w.place != nil {
		fmt.Fprintf(&b, "at %s, from the topmost down:\n", text.Line(w.Question))
		for i, el := range w.place {
			kept := "kept"
			if !el.Kept {
				kept = string(el.Verdict)
			}
			fmt.Fprintf(&b, "  %d. %s  %s\n", i+1, el.Say(), kept)
		}
		if w.More > 0 {
			fmt.Fprintf(&b, "  and %d more\n", w.More)
		}
		b.WriteByte('\n')
	}
	for _, x := range w.Explanations {
		b.WriteString(x.Text() + "\n")
	}
	return b.String()
}

// say says what the agent's number is, and that another element has it by our own count.
func (n *SentNumber) say(b *strings.Builder, elements int) {
	fmt.Fprintf(b, "%s as the model was given it, in %s (%s)", n.Ref, text.Line(n.Section), n.Format.Called(n.Guessed))
	switch {
	case len(n.Lines) > 1:
		fmt.Fprintf(b, ": %s have this number", text.Count(len(n.Lines), "line", "lines"))
	case n.Lines[0].Node < 0:
		fmt.Fprintf(b, ": which of %s it is is not known", text.Count(elements, "element", "elements"))
	}
	b.WriteByte('\n')
	for _, l := range n.Lines {
		fmt.Fprintf(b, "  line %d  %s\n", l.Line, l.Text)
		if l.Evidence != "" {
			fmt.Fprintf(b, "  by %s\n", l.Evidence)
		}
	}
	if n.Own > 0 {
		fmt.Fprintf(b, "  Refscope's own number %[1]d is another element, %[2]s: ask for %[3]s%[1]d\n", n.Own, n.own,
			why.OwnPrefix)
	}
	b.WriteByte('\n')
}

// FindOptions are what is looked for.
type FindOptions struct {
	find.Query
	// Number is an element's number, the agent's own or ours, "" for any.
	Number string
}

// Found is the answer of [Find].
type Found struct {
	*find.Answer
	// Numbers are the agent's own numbers of the matches, in their order; "" where it was told of none.
	Numbers []string `json:"asSent,omitempty"`
}

// Find looks for elements of a target; on a turn with an agent's own text each match has the agent's number.
func Find(ctx context.Context, r *target.Opened, o FindOptions) (*Found, error) {
	sent, err := maybeSent(ctx, r)
	if err != nil {
		return nil, err
	}
	if o.Number != "" {
		if o.Nodes, err = nodesOf(r, sent, o.Number); err != nil {
			return nil, err
		}
	} else if err = r.NeedPage(); err != nil {
		return nil, err
	}
	answer, err := find.Search(r.Capture, o.Query)
	if err != nil {
		return nil, &target.UsageError{Text: err.Error()}
	}
	out := &Found{Answer: answer}
	if sent != nil {
		for _, m := range answer.Matches {
			out.Numbers = append(out.Numbers, sent.Number(m.Node))
		}
	}
	return out, nil
}

// nodesOf are the elements with a number: the agent's own where its text has it, else ours.
func nodesOf(r *target.Opened, sent *Sent, number string) ([]int, error) {
	c := r.Capture
	var known *SentNumber
	if sent != nil {
		known = sent.number(number)
	}
	if known != nil {
		found, err := known.elements(why.New(c))
		var nodes []int
		for _, el := range found {
			nodes = append(nodes, el.Node)
		}
		return nodes, err
	}
	if err := r.NeedPage(); err != nil {
		return nil, err
	}
	q, err := why.ParseQuestion(number)
	if err == nil && q.Ref() == 0 {
		err = errors.New("find: --number is the number of an element, such as 12 or, in a recorded turn, the agent's " +
			"own")
	}
	if err != nil {
		return nil, &target.UsageError{Text: err.Error()}
	}
	found, err := ask(why.New(c), number, sent)
	if err != nil {
		return nil, err
	}
	return []int{found[0].Node}, nil
}

// Text is the answer for people, a match on each line; page text is between quotes.
func (f *Found) Text() string {
	var b strings.Builder
	for i, m := range f.Matches {
		if i < len(f.Numbers) {
			b.WriteString(cmp.Or(f.Numbers[i], "-") + " ")
		}
		if m.Ref > 0 {
			fmt.Fprintf(&b, "[%d] ", m.Ref)
		}
		b.WriteString(text.CollapseSpace(m.Role))
		if m.Name != "" {
			b.WriteString(" " + text.Quote(m.Name))
		}
		if m.Value != "" {
			b.WriteString(" value=" + text.Quote(m.Value))
		}
		if m.Box == (snapshot.Box{}) {
			b.WriteString("  without a box")
		} else {
			fmt.Fprintf(&b, "  at %.0f,%.0f %.0fx%.0f", m.Box.X(), m.Box.Y(), m.Box.W(), m.Box.H())
		}
		if m.Distance != nil {
			fmt.Fprintf(&b, "  %.0f px away", *m.Distance)
		}
		if len(m.Path) > 1 {
			b.WriteString("  in " + text.CollapseSpace(strings.Join(m.Path[:len(m.Path)-1], " > ")))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

package overlay

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// How many characters of page text are shown before it is cut.
const (
	nameRunes   = 200 // in the manifest
	legendRunes = 80  // in the legend
	valueRunes  = 60
)

// Legend lists the marks that the picture shows, one line each in reading order:
// number, role, name, value and state. It goes with the picture, because models do much
// better with marks when the same numbers are also in words.
//
//	line  = number " " role " " quoted [ " in row " quoted ] [ " value=" quoted ] { " " state } [ " (" cover ")" ]
//	        [ " (continues off-screen)" ] LF
//	under = "covered, without a number: " count [ "," [ " " count " of them" ] " by " role " " quoted
//	        [ " [" number "]" ] ] LF
//	sent  = "not in the text as sent: [" ref "] " role " " quoted LF
//	left  = "no room for a number: [" ref "] " role " " quoted LF
//	same  = "one thing, one number: [" ref "] is " number { ", [" ref "] is " number } LF
//	cover = ( "covered" | "partly covered" | "behind glass" ) [ " by " ( "[" number "]" | tag ) ]
//
// A row is named where several marks have one role and name. Sent is of elements that a reader was not told of. Number
// is the agent's own where the labels show that. Same is of elements that another mark stands for, as a field for its
// label: a text may list both. Sent, left, same and under, which the model's view has, follow after all marks. Only the
// view for a person names what lies over a mark. A page's own text is a JSON string (package text) and cannot start a
// line. Roles, tags and states keep letters, digits and hyphens.
func (s *Scene) Legend() string {
	var b strings.Builder
	row := s.rows()
	for _, i := range s.reading {
		if !s.marks[i].LeftOut && !s.untold(&s.marks[i]) {
			s.legendLine(&b, &s.marks[i], row[i])
		}
	}
	for _, i := range s.reading {
		if m := &s.marks[i]; s.untold(m) {
			fmt.Fprintf(&b, "not in the text as sent: %s %s %s\n", s.bracketed(m, m.Ref), roleName(m, s.capture),
				quote(m.Name, legendRunes))
		}
	}
	for _, i := range s.reading {
		if m := &s.marks[i]; m.LeftOut && !s.untold(m) {
			fmt.Fprintf(&b, "no room for a number: %s %s %s\n", s.bracketed(m, m.Ref), roleName(m, s.capture),
				quote(m.Name, legendRunes))
		}
	}
	if s.options.View == ViewModel {
		b.WriteString(s.sameLine())
		b.WriteString(s.underLine())
	}
	return b.String()
}

// rows name the rows of marks that have their role and name in common with others, by their place in the list of marks.
func (s *Scene) rows() map[int32]string {
	alike := map[string][]int32{}
	for _, i := range s.reading {
		name := roleName(&s.marks[i], s.capture) + " " + s.marks[i].Name
		alike[name] = append(alike[name], i)
	}
	out := map[int32]string{}
	var tree *snapshot.Tree
	for _, all := range alike {
		if len(all) < 2 {
			continue
		}
		if tree == nil {
			tree = snapshot.NewTree(s.capture)
		}
		for _, i := range all {
			out[i] = tree.Row(s.capture.Nodes[s.marks[i].pos].I)
		}
	}
	return out
}

// sameLine says which numbers stand for elements that have none of their own; "" for none.
func (s *Scene) sameLine() string {
	var all []string
	for i := range s.marks {
		m := &s.marks[i]
		if by := s.ByRef(m.For); m.Status == SameThing && by != nil && !by.Label.Empty() {
			all = append(all, s.bracketed(m, m.Ref)+" is "+s.numberOf(by))
		}
	}
	if len(all) == 0 {
		return ""
	}
	return "one thing, one number: " + strings.Join(all, ", ") + "\n"
}

// underLine says how many elements the model's view leaves out because something covers them, and what covers most of
// them; "" for none.
func (s *Scene) underLine() string {
	covered, most := 0, 0
	by := map[int]int{} // by position of what covers
	top := -1
	for i := range s.marks {
		m := &s.marks[i]
		if m.Status != Covered {
			continue
		}
		covered++
		p := s.tree.pos(m.CovererNode)
		if m.Coverer > 0 {
			p = s.marks[s.index(m.Coverer)].pos
		}
		if p < 0 {
			continue
		}
		if by[p]++; by[p] > most || by[p] == most && p < top {
			most, top = by[p], p
		}
	}
	if covered == 0 {
		return ""
	}
	out := fmt.Sprintf("covered, without a number: %d", covered)
	if top >= 0 {
		n := &s.capture.Nodes[top]
		if most < covered {
			out += fmt.Sprintf(", %d of them", most)
		} else {
			out += ","
		}
		out += fmt.Sprintf(" by %s %s", cmp.Or(token(n.Role), token(n.Tag), "element"), quote(n.Name, legendRunes))
		if i := s.index(n.Ref); n.Ref > 0 && i >= 0 && !s.marks[i].Label.Empty() {
			out += " " + s.bracketed(&s.marks[i], s.marks[i].Number)
		}
	}
	return out + "\n"
}

// bracketed is a number of a mark in brackets, or its ref in the reader's own spelling.
func (s *Scene) bracketed(m *Mark, number int) string {
	if s.options.Spell != nil {
		return s.options.Spell(m.Ref)
	}
	return fmt.Sprintf("[%d]", number)
}

// numberOf is the number of a mark as its label shows it, or its ref in the reader's own spelling.
func (s *Scene) numberOf(m *Mark) string {
	if s.options.Spell != nil {
		return s.options.Spell(m.Ref)
	}
	return m.plain
}

func (s *Scene) legendLine(b *strings.Builder, m *Mark, row string) {
	n := &s.capture.Nodes[m.pos]
	fmt.Fprintf(b, "%s %s %s", s.numberOf(m), roleName(m, s.capture), quote(m.Name, legendRunes))
	if row != "" {
		b.WriteString(" in row " + quote(row, valueRunes))
	}
	if n.Value != "" && n.Value != n.Name {
		b.WriteString(" value=" + quote(n.Value, valueRunes))
	}
	for _, st := range states(n.States) {
		b.WriteString(" " + st)
	}
	if s.options.View == ViewQA {
		if w := coverWord(n.Occlusion); w != "" {
			b.WriteString(" (" + w + s.byWhat(m) + ")")
		}
		if len(m.Cut) > 0 {
			b.WriteString(" (continues off-screen)")
		}
	}
	b.WriteByte('\n')
}

// byWhat names what covers a mark: by its number, else by its tag.
func (s *Scene) byWhat(m *Mark) string {
	if n := s.covererNumber(m); n != "" {
		return " by [" + n + "]"
	}
	if p := s.tree.pos(m.CovererNode); p >= 0 {
		if t := token(s.capture.Nodes[p].Tag); t != "" {
			return " by " + t
		}
	}
	return ""
}

// The states of a legend line in their order, with the word for false where that
// is of use.
var legendStates = []struct{ name, no string }{
	{"checked", "not checked"}, {"selected", ""}, {"pressed", "not pressed"}, {"expanded", "collapsed"},
	{"disabled", ""}, {"readonly", ""}, {"required", ""}, {"invalid", ""}, {"current", ""}, {"focused", ""},
}

func states(st snapshot.States) []string {
	var out []string
	for _, w := range legendStates {
		switch v := st[w.name].(type) {
		case bool:
			if v {
				out = append(out, w.name)
			} else if w.no != "" {
				out = append(out, w.no)
			}
		case string:
			if v != "" && v != "false" {
				out = append(out, w.name+"="+token(v))
			}
		}
	}
	return out
}

// roleName is the mark's role, or its tag where it has none.
func roleName(m *Mark, c *snapshot.Capture) string {
	if r := token(m.Role); r != "" {
		return r
	}
	if r := token(c.Nodes[m.pos].Tag); r != "" {
		return r
	}
	return "element"
}

// token keeps what needs no quotes: ASCII letters, digits and hyphens.
func token(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r == '-' || r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			b.WriteRune(r)
		}
		if b.Len() == 40 {
			break
		}
	}
	return b.String()
}

// quote is page text cut to a number of characters, in quotes that it cannot close.
func quote(s string, limit int) string { return text.Quote(text.Cut(text.CollapseSpace(s), limit+1)) }

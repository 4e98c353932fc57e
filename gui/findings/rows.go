package findings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/why"
)

// The report as rows: what is new, a card for each rule that found something, the ones that
// weigh most first, then what each format has of the window.

const (
	maxChips = 8   // elements of a card
	maxEach  = 500 // findings of one group that are shown one by one
)

// rowsOf are all rows.
func rowsOf(m *Model) []core.Row {
	rows := append(m.overlay(), m.asSent()...)
	listed := 0
	for _, severity := range []audit.Severity{audit.Error, audit.Warning, audit.Note} {
		if m.Filter.has(severity) {
			cards := m.cards(severity, m.Report.Findings)
			if m.Request != nil {
				cards = append(m.cards(severity, m.Request.Findings), cards...)
			}
			listed += len(cards)
			rows = append(rows, cards...)
		}
		if severity == audit.Warning { // what weighs less comes after what is new
			rows = append(rows, m.changeRows()...)
		}
	}
	if listed == 0 {
		rows = append(rows, core.Row{Kind: core.RowHead, Title: m.nothing(), Tone: core.ToneGood})
	}
	rows = append(rows, m.coverage()...)
	return append(rows, m.misses()...)
}

// asSent is what the model was told of what a person sees, in figures, and one by one where that was requested; nothing
// for a turn without a request that lists the page.
func (m *Model) asSent() []core.Row {
	s := m.Sent
	if s == nil {
		return nil
	}
	g := Group{Rule: "as sent"}
	card := core.Row{Kind: core.RowCard, Tone: core.ToneGood, Title: "The model was told " + s.Percent() +
		" of what a person sees"}
	body := fmt.Sprintf("%d of %s: controls %s, characters %s, pictures %s.", s.Told,
		text.Count(s.Seen, "element", "elements"), coverShare(s.Controls), coverShare(s.InView), coverShare(s.Pictures))
	if s.Missed > 0 {
		card.Tone = core.ToneWarn
		body += fmt.Sprintf("\n%s not told: hatched on the picture.", text.Thousands(s.Missed))
	}
	if n := len(s.Unseen); n > 0 {
		body += fmt.Sprintf("\n%s told, and nobody sees.", text.Count(n, "line", "lines"))
	}
	card.Body = body
	if s.Missed+len(s.Unseen) > 0 {
		card.Action, card.Do = "Show", opened{g}
	}
	if !m.isOpen(g) {
		return []core.Row{card}
	}
	card.Action = "Hide"
	rows := []core.Row{card}
	for _, miss := range s.Missing {
		title := miss.Kind
		if miss.Text != "" {
			title += " “" + text.Cut(text.EscapeOnce(miss.Text), 120) + "”"
		}
		rows = append(rows, core.Row{Level: 1, Lead: "not told", Tone: core.ToneWarn, Ref: miss.Ref,
			Node:  miss.Node + 1,
			Title: title, Body: text.Capital(text.EscapeOnce(miss.Explanation)) + ".\n" +
				text.Capital(miss.Tellers()) + ".",
			Pick: core.PickOf(miss.Node, miss.Ref)})
	}
	if more := s.Missed - len(s.Missing); more > 0 {
		rows = append(rows, core.Row{Level: 1, Tone: core.ToneMuted, Title: text.Thousands(more) + " more not told"})
	}
	for _, u := range s.Unseen {
		title := u.Role
		if u.Name != "" {
			title += " “" + text.Cut(text.EscapeOnce(u.Name), 120) + "”"
		}
		rows = append(rows, core.Row{Level: 1, Lead: "not seen", Ref: u.ElementRef, Node: u.Node + 1, Title: title,
			Body: fmt.Sprintf("Line %d: %s.", u.Line, text.EscapeOnce(u.Explanation)),
			Pick: core.PickOf(u.Node, u.ElementRef)})
	}
	return rows
}

// nothing is the sentence for a filter that leaves no finding.
func (m *Model) nothing() string {
	if errors, warnings, notes := m.counts(); errors+warnings+notes == 0 {
		return "No findings"
	}
	if m.Filter == ErrorsOnly {
		return "No errors"
	}
	return "No errors and no warnings"
}

func toneOf(s audit.Severity) core.Tone {
	switch s {
	case audit.Error:
		return core.ToneBad
	case audit.Warning:
		return core.ToneWarn
	}
	return core.ToneNormal
}

// overlay is what covers the page and how to get rid of it, nil where nothing does.
func (m *Model) overlay() []core.Row {
	c := m.Turn.Capture
	o, ok := why.Overlay(c)
	if !ok {
		return nil
	}
	card := core.Row{Kind: core.RowCard, Tone: core.ToneWarn, Title: o.Text, Body: o.Advice, Node: o.Node + 1}
	if m.Request != nil && len(m.Request.Texts) > 0 { // by the number that the agent knows it by
		if own := m.Request.Texts[len(m.Request.Texts)-1].RefOf(o.Press); own != "" {
			card.Body = o.Advise(text.Cut(text.Line(own), 24))
		}
	}
	for i, node := range append([]int{o.Press, o.Node}, o.Controls...) {
		n := c.Node(node)
		if n == nil {
			continue
		}
		if len(card.Chips) == maxChips {
			card.Chips = append(card.Chips,
				core.RowChip{Text: text.Count(len(o.Controls)+2-i, "more control", "more controls")})
			break
		}
		chip := core.RowChip{Ref: n.Ref, Msg: core.PickOf(node, n.Ref)}
		if node == o.Press || node == o.Node {
			chip.Text = why.Called(m.Turn.Tree, n)
		}
		card.Chips = append(card.Chips, chip)
	}
	return []core.Row{card}
}

// changeRows are what appeared and went away since the turn before, as far as it is listed.
func (m *Model) changeRows() []core.Row {
	if m.Changes == nil {
		return nil
	}
	listed := func(all []audit.Finding) []audit.Finding {
		return slices.DeleteFunc(slices.Clone(all), func(f audit.Finding) bool { return !m.Filter.has(f.Severity) })
	}
	c := audit.Changes{Appeared: listed(m.Changes.Appeared), Gone: listed(m.Changes.Gone)}
	if c.Empty() {
		return nil
	}
	rows := []core.Row{{Kind: core.RowHead, Title: fmt.Sprintf("Since turn %d: %s appeared, %d gone", m.From,
		text.Count(len(c.Appeared), "finding", "findings"), len(c.Gone))}}
	for _, f := range c.Appeared {
		rows = append(rows, m.line("+", toneOf(f.Severity), &f, core.PickOf(f.Node, f.Ref)))
	}
	for _, f := range c.Gone {
		rows = append(rows, m.line("–", core.ToneGood, &f, core.PickOf(-1, f.Ref)))
	}
	return rows
}

func (m *Model) line(lead string, tone core.Tone, f *audit.Finding, pick core.Msg) core.Row {
	return core.Row{Lead: lead, Tone: tone, Ref: f.Ref, Node: f.Node + 1, Title: text.EscapeOnce(f.Sentence),
		Pick: pick}
}

// cards are those of one weight: a card for each rule, with the findings one by one below it
// where that was requested.
func (m *Model) cards(severity audit.Severity, all []audit.Finding) []core.Row {
	groups := map[string][]*audit.Finding{}
	var order []string
	for i := range all {
		f := &all[i]
		if f.Severity != severity {
			continue
		}
		if groups[f.Rule] == nil {
			order = append(order, f.Rule)
		}
		groups[f.Rule] = append(groups[f.Rule], f)
	}
	var rows []core.Row
	for _, rule := range order {
		rows = append(rows, m.card(Group{rule, severity}, groups[rule])...)
	}
	return rows
}

func (m *Model) card(g Group, list []*audit.Finding) []core.Row {
	about := ruleOf(g.Rule)
	open := m.isOpen(g)
	card := core.Row{Kind: core.RowCard, Tone: toneOf(g.Severity), Title: about.Title, Action: "Why", Do: opened{g},
		Node: list[0].Node + 1}
	var body []string
	if len(list) == 1 {
		body = append(body, strings.TrimSuffix(text.EscapeOnce(list[0].Sentence), ".")+".")
		if e := list[0].More(); e != "" {
			body = append(body, "“"+text.Cut(text.EscapeOnce(e), 240)+"”")
		}
	} else {
		card.Title = fmt.Sprintf("%s · %s", about.Title, text.Thousands(len(list)))
		body = append(body, about.Why)
	}
	if open {
		card.Action = "Less"
		if len(list) == 1 && about.Why != "" {
			body = append(body, about.Why)
		}
		if a := list[0].Action; a != "" {
			body = append(body, "What to do: "+a)
		}
		if about.Source != "" {
			body = append(body, "Rule: "+about.Source)
		}
	}
	card.Body = strings.Join(body, "\n")
	card.Chips = m.chips(g, list)
	rows := []core.Row{card}
	if !open || len(list) == 1 {
		return rows
	}
	for _, f := range list[:min(len(list), maxEach)] {
		r := m.line("", core.ToneNormal, f, core.PickOf(f.Node, f.Ref))
		r.Level = 1
		if e := f.More(); e != "" {
			r.Body = "“" + text.Cut(text.EscapeOnce(e), 240) + "”"
		}
		rows = append(rows, r)
	}
	if more := len(list) - maxEach; more > 0 {
		rows = append(rows, core.Row{Level: 1, Tone: core.ToneMuted,
			Title: text.Count(more, "more finding of this rule", "more findings of this rule")})
	}
	return rows
}

// ruleOf is a rule of the audit, or of the doctor.
func ruleOf(id string) audit.Rule {
	if rule, ok := audit.RuleByID(id); ok {
		return rule
	}
	for _, rule := range doctor.Rules() {
		if rule.ID == id {
			return rule
		}
	}
	return audit.Rule{Title: id}
}

func (m *Model) isOpen(g Group) bool {
	for _, o := range m.Open {
		if o == g {
			return true
		}
	}
	return false
}

// chips are the elements that findings are about, each once; with a name where there are few.
func (m *Model) chips(g Group, list []*audit.Finding) []core.RowChip {
	c := m.Turn.Capture
	var chips []core.RowChip
	seen := map[int]bool{}
	more := 0
	add := func(node int) {
		n := c.Node(node)
		if n == nil || seen[node] {
			return
		}
		seen[node] = true
		if len(chips) == maxChips {
			more++
			return
		}
		chip := core.RowChip{Ref: n.Ref, Msg: core.PickOf(node, n.Ref)}
		if len(list) == 1 && len(chips) == 0 || n.Ref == 0 {
			chip.Text = why.Describe(n)
		}
		chips = append(chips, chip)
	}
	for _, f := range list {
		add(f.Node)
	}
	for _, f := range list {
		for _, o := range f.Others {
			add(o)
		}
	}
	if more > 0 && !m.isOpen(g) {
		chips = append(chips, core.RowChip{Text: text.Thousands(more) + " more", Msg: opened{g}})
	}
	return chips
}

// coverage is what each format has of what a person sees.
func (m *Model) coverage() []core.Row {
	seen := func(c audit.Coverage) bool { return c.Page.Seen+c.Controls.Seen+c.Pictures.Seen > 0 }
	if !slices.ContainsFunc(m.Report.Coverage, seen) { // no page belongs to the turn, or nothing is on it
		return nil
	}
	rows := []core.Row{{Kind: core.RowHead, Title: "Coverage by format"},
		{Kind: core.RowColumns, Title: "Format", Cells: []string{"Text", "Controls", "Pictures", "Whole page"}}}
	for _, c := range m.Report.Coverage {
		r := core.Row{Title: string(c.Format), Cells: []string{coverShare(c.Text), coverShare(c.Controls),
			coverShare(c.Pictures), coverShare(c.Page)}}
		if c.Unexplained > 0 {
			r.Tone = core.ToneWarn
			r.Body = text.Count(c.Unexplained, "part is missing without a reason", "parts are missing without a reason")
		}
		rows = append(rows, r)
	}
	return rows
}

// coverShare is a share in a cell: "98.2 % of 1,204".
func coverShare(s audit.Share) string {
	switch {
	case s.Seen == 0:
		return "none"
	case s.Has == s.Seen:
		return "all " + text.Thousands(s.Seen)
	}
	return fmt.Sprintf("%.1f %% of %s", 100*float64(s.Has)/float64(s.Seen), text.Thousands(s.Seen))
}

// misses are what is in view and not in a format.
func (m *Model) misses() []core.Row {
	var rows []core.Row
	for _, c := range m.Report.Coverage {
		if len(c.Misses) == 0 {
			continue
		}
		g := Group{Rule: "misses " + string(c.Format)}
		head := core.Row{Kind: core.RowHead, Title: fmt.Sprintf("In view but not in %s: %s", c.Format,
			text.Thousands(c.Missed)), Action: "Show", Do: opened{g}}
		open := m.isOpen(g)
		if open {
			head.Action = "Hide"
		}
		if rows = append(rows, head); !open {
			continue
		}
		for _, miss := range c.Misses {
			r := core.Row{Level: 1, Lead: miss.Kind, Ref: miss.Ref, Node: miss.Node + 1,
				Title: "“" + text.Cut(text.EscapeOnce(miss.Text), 120) + "”", Body: text.EscapeOnce(miss.Explanation),
				Pick: core.PickOf(miss.Node, miss.Ref)}
			if miss.Reason == "" {
				r.Tone = core.ToneWarn
			}
			rows = append(rows, r)
		}
	}
	return rows
}

package text

import (
	"slices"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/find"
	"github.com/refscope/refscope/snapshot/dump"
)

// Folding of the sections of a text. What a person goes to is unfolded.

type (
	// foldToggled folds or unfolds the section of a line; below 0 that of the selected element.
	foldToggled struct{ Line int }
	// foldedAll folds all sections of the text in view, or unfolds them.
	foldedAll struct{ Fold bool }
)

// cmdFold folds or unfolds the section of the selected element.
const cmdFold = "fold"

func (m foldToggled) Apply(s core.State) (core.State, []core.Effect) {
	f := foldsOf(s)
	if f == nil {
		return s, nil
	}
	if m.Line < 0 {
		m.Line = f.Head(f.Line(f.Row(selectedLine(s))))
	}
	return setFolds(s, f.Toggle(m.Line)), nil
}

func (m foldedAll) Apply(s core.State) (core.State, []core.Effect) {
	if f := foldsOf(s); f != nil {
		s = setFolds(s, f.All(m.Fold))
	}
	return s, nil
}

// foldsOf are the sections of the text in view, nil where there is none.
func foldsOf(s core.State) *core.Folds {
	d := docInView(s)
	if s.Current == nil || d == nil || d.Doc == nil {
		return nil
	}
	list := modelOf(s).Folds
	if i := slices.IndexFunc(list, func(f *core.Folds) bool { return f.Doc == d.Doc }); i >= 0 {
		return list[i]
	}
	return nil
}

// setFolds takes folds in the place of those of the same text. Those of texts that are gone
// are given up.
func setFolds(s core.State, now *core.Folds) core.State {
	list := []*core.Folds{now}
	for _, f := range modelOf(s).Folds {
		there := slices.ContainsFunc(s.Docs, func(d core.Doc) bool { return d.Doc == f.Doc })
		if d := sentDoc(s); d != nil {
			there = there || d.Doc == f.Doc
		}
		if f.Doc != now.Doc && there {
			list = append(list, f)
		}
	}
	edit(&s).Folds = list
	return s
}

// selectedLine is the line of the selected element, -1 for none.
func selectedLine(s core.State) int {
	d := docInView(s)
	t, n := s.Subject()
	if n == nil || t != s.Current || d == nil || d.Doc == nil {
		return -1
	}
	return d.Doc.LineOf(n.I)
}

// foundLine is the line of the current match in a text, -1 for none.
func foundLine(s core.State, d *dump.Document) int {
	f := find.Of(s)
	if !f.Open || f.Found == nil || f.Found.Text.Source != d || f.At < 0 || f.At >= len(f.Found.Text.Line) {
		return -1
	}
	return f.Found.Text.Line[f.At]
}

// unfold finds the sections of a text that came into view, and unfolds what was gone to
// since: the selected element, the current match.
func unfold(s core.State) (core.State, []core.Effect) {
	d := docInView(s)
	if s.Current == nil || d == nil || d.Doc == nil {
		return s, nil
	}
	f := foldsOf(s)
	if f == nil {
		f = core.NewFolds(d.Doc)
		s = setFolds(s, f)
	}
	now, last := place{s.Selected, foundLine(s, d.Doc), d.Doc}, modelOf(s).At
	if now == last {
		return s, nil
	}
	edit(&s).At = now
	if now.selected != last.selected || now.doc != last.doc {
		f = f.Reveal(selectedLine(s))
	}
	if now.match != last.match {
		f = f.Reveal(now.match)
	}
	if f != foldsOf(s) {
		s = setFolds(s, f)
	}
	return s, nil
}

// place is what a person went to last.
type place struct {
	selected core.Selection
	match    int // line of the current match, -1 for none
	doc      *dump.Document
}

// foldCommands are the commands of sections.
func foldCommands() []core.Command {
	text := func(s core.State) bool { return s.Current != nil && s.Side == core.SideText }
	return []core.Command{
		{ID: cmdFold, Title: "Fold or unfold the section", Menu: "Text", Key: "Shift+C", Gap: true,
			Enabled: func(s core.State) bool { return text(s) && s.Selected.Some() }, Msg: core.Send(foldToggled{-1})},
		{ID: "foldall", Title: "Fold all", Menu: "Text", Enabled: text, Msg: core.Send(foldedAll{true})},
		{ID: "unfoldall", Title: "Unfold all", Menu: "Text", Enabled: text, Msg: core.Send(foldedAll{})},
	}
}

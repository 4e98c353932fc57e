package core

import (
	"slices"

	"github.com/refscope/refscope/snapshot/dump"
)

// Finding things in the text in view: what was found is lit in the text and on the
// picture together. The looking itself is an effect ([Find]), as a text may be large.

// FindQuery says what to look for in a text.
type FindQuery struct {
	// Text is what was typed: a part of a line, or role=…, css=… or #12, which look for
	// elements.
	Text string
	// Case: upper and lower case differ. Regexp: Text is an RE2 expression.
	Case, Regexp bool
}

// FindPane is the state of the bar that looks for things.
type FindPane struct {
	Open  bool
	Query FindQuery
	// Filter leaves only the lines of matches, with those around them.
	Filter bool
	// Doc is the text that was looked through last, Asked what for, Seq the number of
	// that.
	Doc   *dump.Document
	Asked FindQuery
	Seq   int
	// Found is nil until the answer is there; At is the place of the current match, -1
	// for none. Problem is why there is no answer.
	Found   *Found
	At      int
	Problem *Problem
	// Version grows whenever the entry must take Query over, or the keyboard goes there.
	Version int
}

type (
	// FindAsked opens the bar, or brings the keyboard back to it.
	FindAsked struct{}
	// FindClosed puts the bar and what it lights away. Place and selection stay.
	FindClosed struct{}
	// FindTyped changes what is looked for.
	FindTyped struct{ Query FindQuery }
	// FindStepped goes By matches on, round and round.
	FindStepped struct{ By int }
	// FindFiltered switches between the whole text and the lines of matches.
	FindFiltered struct{}
	// Searched answers [Find].
	Searched struct {
		Seq     int
		Found   *Found
		Problem *Problem
	}
)

// Find looks through a text. Doc is of Turn, whose elements role=, css= and #12 name.
type Find struct {
	Seq   int
	Turn  *Turn
	Doc   *dump.Document
	Tones *LineTones
	Query FindQuery
}

// FocusFind moves the keyboard to the bar that looks for things.
type FocusFind struct{}

func (FindAsked) Apply(s State) (State, []Effect) {
	s.Find.Open = true
	s.Find.Version++
	return s, []Effect{FocusFind{}}
}

func (FindClosed) Apply(s State) (State, []Effect) { return s.closeFind(), nil }

// closeFind puts the bar away; what was typed is there when it is opened again.
func (s State) closeFind() State {
	f := s.Find
	s.Find = FindPane{Query: f.Query, Seq: f.Seq, Version: f.Version, At: -1}
	return s
}

func (m FindTyped) Apply(s State) (State, []Effect) {
	s.Find.Query = m.Query
	return s, nil
}

func (m FindStepped) Apply(s State) (State, []Effect) {
	if !s.Find.Open {
		return FindAsked{}.Apply(s)
	}
	if f := s.Find.Found; f != nil && len(f.Matches) > 0 {
		n := len(f.Matches)
		at := s.Find.At
		if at < 0 && m.By < 0 {
			at = 0
		}
		s.Find.At = ((at+m.By)%n + n) % n
	}
	return s, nil
}

func (FindFiltered) Apply(s State) (State, []Effect) {
	s.Find.Filter = !s.Find.Filter
	return s, nil
}

func (m Searched) Apply(s State) (State, []Effect) {
	f := &s.Find
	if m.Seq != f.Seq || !f.Open {
		return s, nil
	}
	f.Found, f.Problem, f.At = m.Found, m.Problem, -1
	if m.Found == nil || len(m.Found.Matches) == 0 {
		return s, nil
	}
	from := 0
	if t, n := s.subject(); n != nil && t == s.Shown && f.Doc != nil {
		from = max(0, f.Doc.LineOf(n.I))
	}
	f.At = 0
	if i := slices.IndexFunc(m.Found.Matches, func(x FoundMatch) bool { return x.Line >= from }); i > 0 {
		f.At = i // from where the eye is
	}
	return s, nil
}

// find asks for the matches in the text in view where it or the question is another
// one. [Update] does so after every message.
func (s State) find() (State, []Effect) {
	f := &s.Find
	if !f.Open {
		return s, nil
	}
	doc, tones := s.TextInView()
	if f.Doc == doc && f.Asked == f.Query {
		return s, nil
	}
	f.Doc, f.Asked = doc, f.Query
	f.Seq++
	if doc == nil || f.Query.Text == "" {
		f.Found, f.At, f.Problem = nil, -1, nil
		return s, nil
	}
	if f.Found != nil && f.Found.Text.Source != doc {
		f.Found, f.At = nil, -1 // of another text; else it stays lit until the answer is there
	}
	return s, []Effect{Find{Seq: f.Seq, Turn: s.Shown, Doc: doc, Tones: tones, Query: f.Query}}
}

// lit is a text with what was found in it, reduced to the matches where that is wanted.
func (s State) lit(v DumpVM) DumpVM {
	v.FindAt = -1
	f := s.Find
	if !f.Open || f.Found == nil || v.Doc == nil || f.Found.Text.Source != v.Doc {
		return v
	}
	v.Find, v.FindAt = f.Found.Text, f.At
	if f.Filter {
		v.Doc, v.Tones, v.Find = f.Found.Doc, f.Found.Tones, f.Found.Filtered
		if len(v.Doc.Lines) == 0 {
			v.Empty = "No line of the text matches. Esc shows all of it again."
		}
	}
	return v
}

// FindVM is what the bar shows.
type FindVM struct {
	Open    bool
	Query   FindQuery
	Filter  bool
	Version int
	// Count is how many there are and which is the current one, in words.
	Count string
	Tone  Tone
	Can   bool // there is something to step through
}

// FindView is what the bar shows.
func (s State) FindView() FindVM {
	f := s.Find
	v := FindVM{Open: f.Open, Query: f.Query, Filter: f.Filter, Version: f.Version, Tone: ToneMuted}
	doc, _ := s.TextInView()
	switch {
	case !f.Open:
	case f.Problem != nil:
		v.Count, v.Tone = f.Problem.Sentence, ToneBad
	case f.Query.Text == "":
		v.Count = "a text, /regexp/ with .*, role=button, css=form a, #12"
	case doc == nil:
		v.Count = "there is no text in view"
	case f.Found == nil:
		v.Count = "looking…"
	case len(f.Found.Matches) == 0:
		v.Count, v.Tone = "no match", ToneWarn
	default:
		v.Can = true
		v.Count, v.Tone = f.Found.say(f.At), ToneNormal
	}
	return v
}

func findCommands(State) []Command {
	const m = "Edit"
	return []Command{
		{ID: CmdFind, Title: "Find in the text", Menu: m, Key: "Ctrl+F", Gap: true, Enabled: shown, Msg: send(FindAsked{})},
		{ID: "find.next", Title: "Next match", Menu: m, Key: "F3", Enabled: shown, Msg: send(FindStepped{1})},
		{ID: "find.previous", Title: "Previous match", Menu: m, Key: "Shift+F3", Enabled: shown, Msg: send(FindStepped{-1})},
		{ID: CmdFindFilter, Title: "Only lines with matches", Menu: m, Enabled: func(s State) bool { return s.Find.Open },
			Checked: func(s State) bool { return s.Find.Filter }, Msg: send(FindFiltered{})},
	}
}

// Ids of commands that are used outside of the table.
const (
	CmdFind       = "find"
	CmdFindFilter = "find.filter"
)

// findRoom is the bar that looks for things in the text in view.
func findRoom() Room {
	return Room{Name: "find", Commands: findCommands, Fill: State.find, Escape: func(s State) (State, bool) {
		if !s.Find.Open {
			return s, false
		}
		return s.closeFind(), true
	}}
}

package find

import (
	"slices"
	"strings"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/css"
	"github.com/refscope/refscope/snapshot/dump"
)

// Finding things in the text in view: what was found is lit in the text and on the
// picture together. The looking itself is an effect ([Find]), as a text may be large.

// Query describes what to look for in a text.
type Query struct {
	// Text is what was typed: a part of a line, or role=…, css=… or #12, which look for
	// elements.
	Text string
	// Case: upper and lower case differ. Regexp: Text is an RE2 expression.
	Case, Regexp bool
}

// Model is the state of the bar that looks for things.
type Model struct {
	Open  bool
	Query Query
	// Filter leaves only the lines of matches, with those around them.
	Filter bool
	// Doc is the text that was looked through last, Asked what for, Seq the number of
	// that.
	Doc   *dump.Document
	Asked Query
	Seq   int
	// Found is nil until the answer is there; At is the place of the current match, -1
	// for none. Problem is why there is no answer.
	Found   *core.Found
	At      int
	Problem *core.Problem
	// Version grows whenever the entry must take Query over, or the keyboard goes there.
	Version int
}

type (
	// closed puts the bar and what it lights away. Place and selection stay.
	closed struct{}
	// Typed changes what is looked for.
	Typed struct{ Query Query }
	// stepped goes By matches on, round and round.
	stepped struct{ By int }
	// Searched answers [Find].
	Searched struct {
		Seq     int
		Found   *core.Found
		Problem *core.Problem
	}
)

// Find looks through a text. Doc is of Turn, whose elements role=, css= and #12 name.
type Find struct {
	Seq   int
	Turn  *core.Turn
	Doc   *dump.Document
	Tones *core.LineTones
	// Numbers are those that the text shows, nil where it shows refs.
	Numbers *core.Numbers
	Query   Query
}

// focus moves the keyboard to the bar that looks for things.
type focus struct{}

// Asked opens the bar, or brings the keyboard back to it.
func Asked() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		edit(&s).Open = true
		edit(&s).Version++
		return s, []core.Effect{focus{}}
	})
}

func (closed) Apply(s core.State) (core.State, []core.Effect) { return closeBar(s), nil }

// closeBar puts the bar away; what was typed is there when it is opened again.
func closeBar(s core.State) core.State {
	f := Of(s)
	*edit(&s) = Model{Query: f.Query, Seq: f.Seq, Version: f.Version, At: -1}
	return s
}

func (m Typed) Apply(s core.State) (core.State, []core.Effect) {
	edit(&s).Query = m.Query
	return s, nil
}

func (m stepped) Apply(s core.State) (core.State, []core.Effect) {
	if !Of(s).Open {
		return Asked().Apply(s)
	}
	if f := Of(s).Found; f != nil && len(f.Matches) > 0 {
		n := len(f.Matches)
		at := Of(s).At
		if at < 0 && m.By < 0 {
			at = 0
		}
		edit(&s).At = ((at+m.By)%n + n) % n
		return showAbsent(s)
	}
	return s, nil
}

// showAbsent selects the current match where it has no line in the text: its box, its place in the page and the reason
// are what there is of it.
func showAbsent(s core.State) (core.State, []core.Effect) {
	f := Of(s)
	if f.Found == nil || f.At < 0 || f.At >= len(f.Found.Matches) {
		return s, nil
	}
	if m := f.Found.Matches[f.At]; m.Line < 0 && m.Node >= 0 {
		return core.NodePicked{Node: m.Node, Source: core.PanePicture}.Apply(s)
	}
	return s, nil
}

// filtered switches between the whole text and the lines of matches.
func filtered() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		edit(&s).Filter = !Of(s).Filter
		return s, nil
	})
}

func (m Searched) Apply(s core.State) (core.State, []core.Effect) {
	f := edit(&s)
	if m.Seq != f.Seq || !f.Open {
		return s, nil
	}
	f.Found, f.Problem, f.At = m.Found, m.Problem, -1
	if m.Found == nil || len(m.Found.Matches) == 0 {
		return s, nil
	}
	from := 0
	if t, n := s.Subject(); n != nil && t == s.Current && f.Doc != nil {
		from = max(0, f.Doc.LineOf(n.I))
	}
	f.At = 0
	if f.Found.Lines == 0 {
		return showAbsent(s)
	}
	if i := slices.IndexFunc(m.Found.Matches, func(x core.FoundMatch) bool { return x.Line >= from }); i > 0 {
		f.At = i // from where the eye is
	}
	return s, nil
}

// find asks for the matches in the text in view where it or the question is another
// one. [core.Update] does so after every message.
func fill(s core.State) (core.State, []core.Effect) {
	now := Of(s)
	if !now.Open {
		return s, nil
	}
	doc, tones := s.TextInView()
	if now.Doc == doc && now.Asked == now.Query {
		return s, nil
	}
	f := edit(&s)
	f.Doc, f.Asked = doc, f.Query
	f.Seq++
	if doc == nil || f.Query.Text == "" {
		f.Found, f.At, f.Problem = nil, -1, nil
		return s, nil
	}
	if f.Found != nil && f.Found.Text.Source != doc {
		f.Found, f.At = nil, -1 // of another text; else it stays lit until the answer is there
	}
	return s, []core.Effect{Find{Seq: f.Seq, Turn: s.Current, Doc: doc, Tones: tones, Numbers: s.Numbers(),
		Query: f.Query}}
}

// Lit is a text with what was found in it, reduced to the matches where that is wanted.
func Lit(s core.State, v core.DumpVM) core.DumpVM {
	v.FindAt = -1
	f := Of(s)
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

// LitRows is a list with what was found in it.
func LitRows(s core.State, v core.ListVM) core.ListVM {
	v.FindAt = -1
	if f := Of(s); f.Open && f.Found != nil && v.Rows != nil && f.Found.Text.Source == v.Rows.Doc {
		v.Find, v.FindAt = f.Found.Text, f.At
	}
	return v
}

// VM is the content of the bar.
type VM struct {
	Open    bool
	Query   Query
	Filter  bool
	Version int
	// Count is how many there are and which is the current one, in words.
	Count string
	Tone  core.Tone
	Can   bool // there is something to step through
}

// ViewOf is what the bar shows.
func ViewOf(s core.State) VM {
	f := Of(s)
	v := VM{Open: f.Open, Query: f.Query, Filter: f.Filter, Version: f.Version, Tone: core.ToneMuted}
	doc, _ := s.TextInView()
	switch {
	case !f.Open:
	case f.Problem != nil:
		v.Count, v.Tone = f.Problem.Sentence, core.ToneBad
	case f.Query.Text == "":
		v.Count = queryForms(f.Query)
	case doc == nil:
		v.Count = "there is no text in view"
	case f.Found == nil:
		v.Count = "looking…"
	case len(f.Found.Matches) == 0:
		v.Count, v.Tone = "no match on the page · "+queryForms(f.Query), core.ToneWarn
	default:
		v.Can = true
		v.Count, v.Tone = f.Found.Say(f.At), core.ToneNormal
	}
	return v
}

// queryForms is what can be typed, or what is typed is read as.
func queryForms(q Query) string {
	t := strings.TrimSpace(q.Text)
	switch {
	case t == "":
		return "words, #id, .class, //XPath, role=button Shop, css=form a, #12 or an agent's e12; .* for a regular " +
			"expression"
	case q.Regexp:
		return "a regular expression (RE2)"
	case strings.HasPrefix(t, "role="):
		return "elements by role, and by words in the name after it: role=button Shop"
	case strings.HasPrefix(t, "css="):
		return "elements by CSS selector"
	case css.IsXPath(t):
		return "elements by XPath: tags, places and attributes"
	case selector.MatchString(t):
		return "elements by CSS selector, else the words"
	case strings.HasPrefix(t, "#"):
		return "the element with a number"
	}
	return "words in the text and on the whole page"
}

func commands(core.State) []core.Command {
	const m = "Edit"
	return []core.Command{
		{ID: CmdFind, Title: "Find in the text", Menu: m, Key: "Ctrl+F", Gap: true, Enabled: core.Shown,
			Msg: core.Send(Asked())},
		{ID: "find.next", Title: "Next match", Menu: m, Key: "F3", Enabled: core.Shown, Msg: core.Send(stepped{1})},
		{ID: "find.previous", Title: "Previous match", Menu: m, Key: "Shift+F3", Enabled: core.Shown,
			Msg: core.Send(stepped{-1})},
		{ID: CmdFilter, Title: "Show only lines with matches", Menu: m, Enabled: func(s core.State) bool {
			return Of(s).Open
		},
			Checked: func(s core.State) bool { return Of(s).Filter }, Msg: core.Send(filtered())},
	}
}

// Ids of commands that are used outside of the table.
const (
	CmdFind   = "find"
	CmdFilter = "find.filter"
)

// Room is the bar that looks for things in the text in view.
func Room() core.Room {
	return core.Room{Name: "find", Commands: commands, AfterUpdate: fill,
		Escape: func(s core.State) (core.State, bool) {
			if !Of(s).Open {
				return s, false
			}
			return closeBar(s), true
		}}
}

// Of is the model of the room.
func Of(s core.State) Model { return core.Of[Model](s) }

func edit(s *core.State) *Model { return core.Edit[Model](s) }

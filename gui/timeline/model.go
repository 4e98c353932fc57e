package timeline

import (
	"slices"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/sentrequest"
	"github.com/refscope/refscope/snapshot/text"
)

// Model is the state of the list of turns beyond the turns themselves.
type Model struct {
	// Filter is what was typed to narrow the list, see turnFilter.
	Filter string
	// Seek is a search for the next turn of a kind that waits for turns that were not looked
	// at yet, "" for none.
	Seek Kind
	// Sought are the rows that were searched last.
	Sought []core.TurnRow
	// Scanning counts the turns that are still to be looked at.
	Scanning int
	// Words are those of the filter that are looked for in texts, Hits what was found, Reading how many turns are still
	// to be read for it. HitsVersion grows with each answer.
	Words       []string
	Hits        Hits
	Reading     int
	HitsVersion int
	ahead       view // where texts were asked for ahead
}

type (
	// FilterTyped narrows the list of turns.
	FilterTyped struct{ Text string }
	// focusFilter moves the keyboard to the filter of the list of turns.
	focusFilter struct{}
	// scanTurns looks at turns, in this order, for what filters and searches ask of
	// them. The answers are [turnsScanned], some turns at a time.
	// Cancel names Watch.
	scanTurns struct {
		Watch, Session int
		Turns          []core.SurveyAsk
	}
	// scannedTurn is what one turn shows of itself. Change is nil for the first turn and
	// for one that cannot be compared.
	scannedTurn struct {
		N, Errors, Wrong int // see [core.TurnRow]
		Change           *core.TurnChange
	}
)

func (m FilterTyped) Apply(s core.State) (core.State, []core.Effect) {
	edit(&s).Filter = m.Text
	f := ParseTurnFilter(m.Text)
	s, effects := search(s, f)
	if f.Scans() {
		var more []core.Effect
		s, more = scan(s)
		effects = append(effects, more...)
	}
	return s, effects
}

// Compared compares the turn in view with turn N, with what changed in view.
func Compared(n int) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		s, effects := core.BaseChosen{Base: core.Base{N: n}}.Apply(s)
		s, more := s.ChooseSide("changes")
		return s, append(effects, more...)
	})
}

// Paired compares two turns, with what changed in view: the later of them comes into view.
type Paired struct{ A, B int }

// Apply implements [core.Msg].
func (m Paired) Apply(s core.State) (core.State, []core.Effect) {
	first, last := min(m.A, m.B), max(m.A, m.B)
	if s.Current == nil || first <= 0 || first == last {
		return s, nil
	}
	if s.Current.N == last {
		return Compared(first).Apply(s)
	}
	s.Base = core.Base{N: first} // what comes into view is compared with it
	s, effects := core.TurnChosen{N: last}.Apply(s)
	s, more := s.ChooseSide("changes")
	return s, append(effects, more...)
}

// Kind is what a person looks for among the turns.
type Kind string

const (
	Failed  Kind = "failed"  // with an error of the page, of its findings or of a step
	Changed Kind = "changed" // that differ from the one before
)

// Sought goes to the next turn of a kind; after the last comes the first.
func Sought(kind Kind) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		edit(&s).Seek = ""
		return seek(s, kind)
	})
}

// is reports whether a turn is of the kind, if that is known.
func (k Kind) is(r core.TurnRow) bool {
	return k == Failed && r.Failed() || k == Changed && r.Changed()
}

// seek goes to the next turn of the list that is of a kind, round and round. It waits at the
// first turn that was not looked at yet.
func seek(s core.State, kind Kind) (core.State, []core.Effect) {
	n := len(s.Session.Turns)
	if kind == "" || n == 0 {
		return s, nil
	}
	f := ParseTurnFilter(Of(s).Filter)
	for by := 1; by < n; by++ {
		r := s.Session.Turns[(s.Cursor()+by+n)%n]
		if !f.Match(r, s.Session.Remarks[r.N], Of(s).Hits) {
			continue
		}
		if kind.is(r) {
			return s.ByHand(r.N)
		}
		if !r.Known || kind == Failed && pending(s, r) {
			edit(&s).Seek, edit(&s).Sought = kind, s.Session.Turns
			return scan(s)
		}
	}
	what := map[Kind]string{Failed: "failed", Changed: "differs from the one before"}[kind]
	s.Notice = &core.Notice{Text: "No other turn " + what + ".", Source: core.TaskSession}
	if f.Some() {
		s.Notice.Text = "No other turn that fits the filter " + what + "."
	}
	return s, nil
}

// pending reports whether it is about to be known what an agent wanted at a turn.
func pending(s core.State, r core.TurnRow) bool {
	return r.Stored > 0 && r.Story == nil && sentrequest.Telling(s)
}

// seekOn goes on with a search that waits, once more is known of the turns.
func seekOn(s core.State) (core.State, []core.Effect) {
	m := Of(s)
	if m.Seek == "" || core.Same(m.Sought, s.Session.Turns) {
		return s, nil
	}
	edit(&s).Seek = ""
	return seek(s, m.Seek)
}

// scan asks for what is not yet known of turns, from the one in view on and then those
// before it, unless that was requested already.
func scan(s core.State) (core.State, []core.Effect) {
	if Of(s).Scanning > 0 {
		return s, nil
	}
	var later, earlier []core.SurveyAsk
	at, from := s.Cursor(), 0
	for i, r := range s.Session.Turns {
		if !r.Known {
			if i >= at {
				later = append(later, core.SurveyAsk{N: r.N, From: from})
			} else {
				earlier = append(earlier, core.SurveyAsk{N: r.N, From: from})
			}
		}
		from = r.N
	}
	asks := append(later, earlier...)
	if len(asks) == 0 {
		return s, nil
	}
	edit(&s).Scanning = len(asks)
	return s, []core.Effect{scanTurns{ScanWatch(s.Session.Opened), s.Session.Opened, asks}}
}

// ScanWatch is the number under which the turns of a session are looked at.
func ScanWatch(opened int) int { return -opened*core.NotesWatch - 1 }

// turnsScanned answers [scanTurns]. Left is how many are still to come.
func turnsScanned(session, left int, r []scannedTurn) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if session != s.Session.Opened {
			return s, nil // of a session that was left
		}
		rows := slices.Clone(s.Session.Turns)
		for _, t := range r {
			if i, ok := slices.BinarySearchFunc(rows, t.N, core.ByNumber); ok {
				rows[i].Errors, rows[i].Wrong, rows[i].Known = t.Errors, t.Wrong, true
				if t.Change != nil {
					rows[i].Change = t.Change
				}
			}
		}
		if left == 0 { // one that cannot be read is not requested again: opening it shows why
			for i := range rows {
				rows[i].Known = true
			}
		}
		s.Session.Turns, edit(&s).Scanning = rows, left
		return s, nil
	})
}

// stepTurn goes to a neighbour, in the list as it is filtered, of the turn that is in
// view or about to be.
func stepTurn(s core.State, by int) (core.State, []core.Effect) {
	f := ParseTurnFilter(Of(s).Filter)
	for i := s.Cursor() + by; i >= 0 && i < len(s.Session.Turns); i += by {
		if r := s.Session.Turns[i]; f.Match(r, s.Session.Remarks[r.N], Of(s).Hits) {
			return goTo(s, r.N)
		}
	}
	return s, nil
}

// goTo brings a turn into view by a key that may be held down: a turn that is being opened comes into
// view first, and then the last that was requested meanwhile. Giving each up for the
// next would show none of them.
func goTo(s core.State, n int) (core.State, []core.Effect) {
	for _, t := range s.Tasks {
		if t.Kind == core.TaskLoad && !t.Stopping {
			s.PendingTurn = n
			return s, nil
		}
	}
	return s.ByHand(n)
}

// commands are those of the list of turns.
func commands(core.State) []core.Command {
	const m = "Turn"
	some := func(s core.State) bool { return len(s.Session.Turns) > 0 }
	return []core.Command{
		{ID: "turn.previous", Title: "Previous turn", Menu: m, Key: "K",
			Enabled: func(s core.State) bool { return s.TurnIndex() > 0 }, Msg: core.Send(TurnStepped{-1})},
		{ID: "turn.next", Title: "Next turn", Menu: m, Key: "J",
			Enabled: func(s core.State) bool { i := s.TurnIndex(); return i >= 0 && i+1 < len(s.Session.Turns) },
			Msg:     core.Send(TurnStepped{1})},
		{ID: core.CmdNewest, Title: "Newest turn", Menu: m, Key: "G",
			Enabled: func(s core.State) bool {
				return some(s) && (s.TurnIndex()+1 < len(s.Session.Turns) || s.Follow != core.FollowOn)
			}, Msg: core.Send(core.NewestAsked{})},
		{ID: core.CmdFollow, Title: "Follow new turns", Menu: m, Key: core.KeyFollow, Gap: true,
			Enabled: core.State.CanFollow,
			Checked: func(s core.State) bool { return s.Follow == core.FollowOn && s.CanFollow() },
			Msg:     core.Send(core.FollowToggled())},
		{ID: CmdNextFailed, Title: "Next failed turn", Menu: m, Key: "N", Enabled: some,
			Msg: core.Send(Sought(Failed))},
		{ID: "turn.changed.next", Title: "Next changed turn", Menu: m, Key: "Shift+N", Enabled: some,
			Msg: core.Send(Sought(Changed))},
		{ID: CmdFilter, Title: "Filter turns", Menu: m, Key: "/", Enabled: some,
			Msg: core.Send(core.Wanted(focusFilter{}))},
		{ID: "turn.filter.clear", Title: "Clear the turn filter", Menu: m,
			Enabled: func(s core.State) bool { return Of(s).Filter != "" }, Msg: core.Send(FilterTyped{})},
	}
}

// Ids of the commands of the list of turns, its notes and its pictures.
const (
	CmdNextFailed = "turn.failed.next"
	CmdFilter     = "turn.filter"
)

// Room is the list of turns.
func Room() core.Room {
	return core.Room{Name: "timeline", Commands: commands, AfterUpdate: afterUpdate,
		SessionClosed: func(s core.State) (core.State, []core.Effect) {
			*edit(&s) = Model{}
			if s.Session.Watch == 0 {
				return s, nil
			}
			return s, []core.Effect{core.Cancel{Task: ScanWatch(s.Session.Opened)}}
		}}
}

// TurnStepped goes By turns on, or back where By is negative.
type TurnStepped struct{ By int }

func (m TurnStepped) Apply(s core.State) (core.State, []core.Effect) { return stepTurn(s, m.By) }

// VM is the list of turns. Compare with [VM.Equal].
type VM struct {
	Rows    []core.TurnRow
	Damaged []core.Damage
	// Remarks are the comments on turns, Said identifies their state.
	Remarks map[int]core.Remarks
	Said    int
	// Hits are how often the words of the filter stand in the texts of turns, Searched identifies their state.
	Hits     Hits
	Searched int
	// Filter narrows the rows; the list does it, for it keeps what it found.
	Filter string
	Shown  int // number of the turn in view, 0 for none
	// Going is the turn that comes into view next, 0 for none.
	Going int
	// Note describes work in progress, such as turns being read; "" else.
	Note string
	// Telling: what agents wanted at some turns is about to be known.
	Telling bool
	Empty   string
}

// Equal reports whether both show the same. Rows are replaced, never changed, so
// the first element's address identifies the list.
func (v VM) Equal(o VM) bool {
	return core.Same(v.Rows, o.Rows) && core.Same(v.Damaged, o.Damaged) && v.Shown == o.Shown && v.Empty == o.Empty &&
		v.Said == o.Said && v.Filter == o.Filter && v.Going == o.Going && v.Note == o.Note && v.Telling == o.Telling &&
		v.Searched == o.Searched
}

// ViewOf is what the list of turns shows.
func ViewOf(s core.State) VM {
	v := VM{Rows: s.Session.Turns, Damaged: s.Session.Damaged, Remarks: s.Session.Remarks, Said: s.Session.NotesVersion,
		Filter: Of(s).Filter, Going: s.PendingTurn, Telling: sentrequest.Telling(s)}
	v.Hits, v.Searched = Of(s).Hits, Of(s).HitsVersion
	if n := max(Of(s).Scanning, Of(s).Reading); n > 0 {
		v.Note = "Reading " + text.Count(n, "turn", "turns") + "…"
	}
	if s.Current != nil {
		v.Shown = s.Current.N
	}
	switch {
	case len(v.Rows)+len(v.Damaged) > 0:
	case s.Session.Phase == core.PhaseStarting:
		v.Empty = "Opening the session…"
	case s.Session.ReadOnly:
		v.Empty = "This session has no turns yet."
	default:
		v.Empty = "Each capture becomes a turn here."
	}
	return v
}

// Of is the model of the room.
func Of(s core.State) Model { return core.Of[Model](s) }

func edit(s *core.State) *Model { return core.Edit[Model](s) }

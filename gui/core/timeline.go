package core

import (
	"slices"
)

// TimelinePane is the state of the list of turns beyond the turns themselves.
type TimelinePane struct {
	// Filter is what was typed to narrow the list, see [TurnFilter].
	Filter string
	// Seek is the direction of a search for the next turn with an error or a change that
	// waits for turns that were not looked at yet, 0 for none.
	Seek int
	// Scanning counts the turns that are still to be looked at.
	Scanning int
}

type (
	// FilterTyped narrows the list of turns.
	FilterTyped struct{ Text string }
	// NewsStepped goes By (1 or -1) to the next turn with an error or a change.
	NewsStepped struct{ By int }
	// FocusFilter moves the keyboard to the filter of the list of turns.
	FocusFilter struct{}
	// ScanTurns looks at turns, in this order, for what filters and searches ask of
	// them. The answers are [TurnsScanned], some turns at a time.
	// Cancel names Watch.
	ScanTurns struct {
		Watch, Session int
		Turns          []SurveyAsk
	}
	// SurveyLeft: a turn was not looked at, because its row went out of view before its
	// turn came.
	SurveyLeft struct{ Session, N int }
	// TurnsScanned answers [ScanTurns]. Left is how many are still to come.
	TurnsScanned struct {
		Session, Left int
		Rows          []ScannedTurn
	}
	// ScannedTurn is what one turn shows of itself. Change is nil for the first turn and
	// for one that cannot be compared.
	ScannedTurn struct {
		N, Errors int
		Change    *TurnChange
	}
)

func (m FilterTyped) Apply(s State) (State, []Effect) {
	s.Timeline.Filter = m.Text
	if ParseTurnFilter(m.Text).Scans() {
		return s.scan()
	}
	return s, nil
}

func (m NewsStepped) Apply(s State) (State, []Effect) {
	s.Timeline.Seek = 0
	return s.seek(m.By)
}

// news reports whether a turn has an error or differs from the one before, as far as is
// known.
func (r TurnRow) news() bool {
	return r.Errors > 0 || r.changed()
}

// seek goes to the next turn of the list, in a direction, that has news. It waits at the
// first turn that was not looked at yet.
func (s State) seek(by int) (State, []Effect) {
	if by == 0 || len(s.Session.Turns) == 0 {
		return s, nil
	}
	f := ParseTurnFilter(s.Timeline.Filter)
	for i := s.cursor() + by; i >= 0 && i < len(s.Session.Turns); i += by {
		r := s.Session.Turns[i]
		if !f.Match(r, s.Session.Remarks[r.N]) {
			continue
		}
		if r.news() {
			return s.byHand(r.N)
		}
		if !r.Known {
			s.Timeline.Seek = by
			return s.scan()
		}
	}
	which := "later"
	if by < 0 {
		which = "earlier"
	}
	s.Notice = &Notice{Text: "No " + which + " turn has an error or a change.", Source: TaskSession}
	if f.Some() {
		s.Notice.Text = "No " + which + " turn that fits the filter has an error or a change."
	}
	return s, nil
}

// scan asks for what is not known of turns yet, from the one in view on and then those
// before it, unless that was asked for already.
func (s State) scan() (State, []Effect) {
	if s.Timeline.Scanning > 0 {
		return s, nil
	}
	var later, earlier []SurveyAsk
	at, from := s.cursor(), 0
	for i, r := range s.Session.Turns {
		if !r.Known {
			if i >= at {
				later = append(later, SurveyAsk{r.N, from})
			} else {
				earlier = append(earlier, SurveyAsk{r.N, from})
			}
		}
		from = r.N
	}
	if s.Timeline.Seek < 0 {
		slices.Reverse(earlier)
		later, earlier = earlier, later
	}
	asks := append(later, earlier...)
	if len(asks) == 0 {
		return s, nil
	}
	s.Timeline.Scanning = len(asks)
	return s, []Effect{ScanTurns{scanWatch(s.Session.Opened), s.Session.Opened, asks}}
}

// scanWatch is the number under which the turns of a session are looked at.
func scanWatch(opened int) int { return -opened*notesWatch - 1 }

func (m SurveyLeft) Apply(s State) (State, []Effect) {
	if m.Session == s.Session.Opened {
		s.survey(m.N, func(r *TurnRow) { r.Asked = r.Thumb != nil })
	}
	return s, nil
}

func (m TurnsScanned) Apply(s State) (State, []Effect) {
	if m.Session != s.Session.Opened {
		return s, nil // of a session that was left
	}
	rows := slices.Clone(s.Session.Turns)
	for _, t := range m.Rows {
		if i, ok := slices.BinarySearchFunc(rows, t.N, byNumber); ok {
			rows[i].Errors, rows[i].Known = t.Errors, true
			if t.Change != nil {
				rows[i].Change = t.Change
			}
		}
	}
	if m.Left == 0 { // one that cannot be read is not asked for again: opening it says why
		for i := range rows {
			rows[i].Known = true
		}
	}
	s.Session.Turns, s.Timeline.Scanning = rows, m.Left
	if by := s.Timeline.Seek; by != 0 {
		s.Timeline.Seek = 0
		return s.seek(by)
	}
	return s, nil
}

// stepTurn goes to a neighbour, in the list as it is filtered, of the turn that is in
// view or about to be.
func (s State) stepTurn(by int) (State, []Effect) {
	f := ParseTurnFilter(s.Timeline.Filter)
	for i := s.cursor() + by; i >= 0 && i < len(s.Session.Turns); i += by {
		if r := s.Session.Turns[i]; f.Match(r, s.Session.Remarks[r.N]) {
			return s.goTo(r.N)
		}
	}
	return s, nil
}

// goTo is byHand for a key that may be held down: a turn that is being opened comes into
// view first, and then the last that was asked for meanwhile. Giving each up for the
// next would show none of them.
func (s State) goTo(n int) (State, []Effect) {
	for _, t := range s.Tasks {
		if t.Kind == TaskLoad && !t.Stopping {
			s.Going = n
			return s, nil
		}
	}
	return s.byHand(n)
}

// timelineCommands are those of the list of turns.
func timelineCommands(State) []Command {
	const m = "Turn"
	some := func(s State) bool { return len(s.Session.Turns) > 0 }
	return []Command{
		{ID: "turn.previous", Title: "Previous turn", Menu: m, Key: "K",
			Enabled: func(s State) bool { return s.turnIndex() > 0 }, Msg: send(TurnStepped{-1})},
		{ID: "turn.next", Title: "Next turn", Menu: m, Key: "J",
			Enabled: func(s State) bool { i := s.turnIndex(); return i >= 0 && i+1 < len(s.Session.Turns) }, Msg: send(TurnStepped{1})},
		{ID: CmdNewest, Title: "Newest turn", Menu: m, Key: "G",
			Enabled: func(s State) bool { return len(s.Session.Turns) > 0 }, Msg: send(NewestAsked{})},
		{ID: CmdFollow, Title: "Follow new turns", Menu: m, Key: keyFollow, Gap: true, Enabled: State.canFollow,
			Checked: func(s State) bool { return s.Follow == FollowOn && s.canFollow() }, Msg: send(FollowToggled{})},
		{ID: CmdNewsNext, Title: "Next turn with an error or a change", Menu: m, Key: "N", Enabled: some, Msg: send(NewsStepped{1})},
		{ID: "turn.news.previous", Title: "Previous turn with an error or a change", Menu: m, Key: "Shift+N", Enabled: some, Msg: send(NewsStepped{-1})},
		{ID: CmdFilter, Title: "Filter the turns", Menu: m, Key: "/", Enabled: some, Msg: send(Wanted{FocusFilter{}})},
		{ID: "turn.filter.clear", Title: "Clear the filter of the turns", Menu: m,
			Enabled: func(s State) bool { return s.Timeline.Filter != "" }, Msg: send(FilterTyped{})},
	}
}

// Ids of the commands of the list of turns, its notes and its pictures.
const (
	CmdNewsNext = "turn.news.next"
	CmdFilter   = "turn.filter"
)

// timelineRoom is the list of turns.
func timelineRoom() Room {
	return Room{Name: "timeline", Commands: timelineCommands, Left: func(s State) (State, []Effect) {
		s.Timeline = TimelinePane{}
		if s.Session.Watch == 0 {
			return s, nil
		}
		return s, []Effect{Cancel{scanWatch(s.Session.Opened)}}
	}}
}

// TurnStepped goes By turns on, or back where By is negative.
type TurnStepped struct{ By int }

func (m TurnStepped) Apply(s State) (State, []Effect) { return s.stepTurn(m.By) }

// TurnsVM is the list of turns. Compare with [TurnsVM.Equal].
type TurnsVM struct {
	Rows    []TurnRow
	Damaged []Damage
	// Remarks are what was said about turns, Said tells one state of them from another.
	Remarks map[int]Remarks
	Said    int
	// Filter narrows the rows; the list does it, for it keeps what it found.
	Filter string
	Shown  int // number of the turn in view, 0 for none
	// Going is the turn that comes into view next, 0 for none.
	Going int
	// Note says what is under way, such as turns that are looked at; "" else.
	Note  string
	Empty string
}

// Equal reports whether both show the same. Rows are replaced, never changed, so
// the first element's address stands for the list.
func (v TurnsVM) Equal(o TurnsVM) bool {
	return same(v.Rows, o.Rows) && same(v.Damaged, o.Damaged) && v.Shown == o.Shown && v.Empty == o.Empty &&
		v.Said == o.Said && v.Filter == o.Filter && v.Going == o.Going && v.Note == o.Note
}

// Turns is what the list of turns shows.
func (s State) Turns() TurnsVM {
	v := TurnsVM{Rows: s.Session.Turns, Damaged: s.Session.Damaged, Remarks: s.Session.Remarks, Said: s.Session.Said,
		Filter: s.Timeline.Filter, Going: s.Going}
	if n := s.Timeline.Scanning; n > 0 {
		v.Note = "looking at " + Plural(n, "turn", "turns") + "…"
	}
	if s.Shown != nil {
		v.Shown = s.Shown.N
	}
	if len(v.Rows) == 0 && len(v.Damaged) == 0 {
		v.Empty = "Each capture becomes a turn here."
	}
	return v
}

package state

import "slices"

// maxThumbs bounds the small pictures that are made when a session is opened.
const maxThumbs = 40

func (s State) sessionOpened(m SessionOpened) (State, []Effect) {
	s.finish(m.Task)
	s.Session = m.Session
	s.Session.Phase = PhaseReady
	if m.Problem != nil {
		s.Session.Phase = PhaseFailed
		s.complain(TaskSession, m.Problem)
	} else if n := len(m.Session.Damaged); n > 0 {
		s.Notice = &Notice{Tone: ToneWarn, Source: TaskSession,
			Text: Plural(n, "turn of this session is damaged", "turns of this session are damaged") + "; the list says why.",
			Hint: "The others are whole."}
	}
	var effects []Effect
	if n := len(s.Session.Turns); n > 0 {
		s, effects = s.chooseTurn(s.Session.Turns[n-1].N)
		var order []int
		for i := n - 1; i >= 0 && len(order) < maxThumbs; i-- {
			order = append(order, s.Session.Turns[i].N)
		}
		effects = append(effects, LoadThumbs{order})
	}
	s, more := s.firstPage()
	return s, append(effects, more...)
}

// chooseTurn loads a turn; one that is still loading is given up.
func (s State) chooseTurn(n int) (State, []Effect) {
	if !slices.ContainsFunc(s.Session.Turns, func(r TurnRow) bool { return r.N == n }) {
		return s, nil
	}
	var effects []Effect
	for _, t := range s.Tasks {
		if t.Kind == TaskLoad {
			var more []Effect
			s, more = s.cancel(t.ID)
			effects = append(effects, more...)
		}
	}
	if s.Shown != nil && s.Shown.N == n {
		return s, effects
	}
	id := s.start(TaskLoad, "Opening turn "+Thousands(n))
	return s, append(effects, LoadTurn{id, n})
}

// explainDamage says why a turn cannot be shown.
func (s State) explainDamage(i int) State {
	if i < 0 || i >= len(s.Session.Damaged) {
		return s
	}
	d := s.Session.Damaged[i]
	text := "A turn is damaged: " + Plain(d.Why, 200)
	if d.N > 0 {
		text = "Turn " + Thousands(d.N) + " is damaged: " + Plain(d.Why, 200)
	}
	s.Notice = &Notice{Tone: ToneWarn, Text: text, Hint: "The other turns are whole.", Source: TaskSession}
	return s
}

// stepTurn goes to a neighbour of the shown turn in the list.
func (s State) stepTurn(by int) (State, []Effect) {
	i := s.turnIndex() + by
	if i < 0 || i >= len(s.Session.Turns) {
		return s, nil
	}
	return s.chooseTurn(s.Session.Turns[i].N)
}

// turnIndex is the place of the shown turn in the list, -1 where it is not in it.
func (s State) turnIndex() int {
	if s.Shown == nil {
		return -1
	}
	return slices.IndexFunc(s.Session.Turns, func(r TurnRow) bool { return r.N == s.Shown.N })
}

func (s State) turnLoaded(m TurnLoaded) (State, []Effect) {
	t, ok := s.finish(m.Task)
	if !ok || t.Stopping {
		return s, nil
	}
	if m.Problem != nil {
		s.complain(TaskLoad, m.Problem)
		return s, nil
	}
	s.Session.Turns = slices.Clone(s.Session.Turns)
	for i := range s.Session.Turns {
		if s.Session.Turns[i].N == m.N { // now it is known what is in it
			s.Session.Turns[i].Refs, s.Session.Turns[i].Covered = m.Turn.Counts.Refs, m.Turn.Counts.Covered
		}
	}
	return s.show(m.Turn)
}

// show puts a turn in view. The selection follows its element, by number.
func (s State) show(t *Turn) (State, []Effect) {
	s.Shown, s.Docs, s.Hover = t, nil, Selection{}
	if s.Selected.Some() {
		s.Selected = s.selection(s.Selected.Ref, PaneTurn)
	}
	return s, s.render()
}

// capture takes a turn of the tab in use.
func (s State) capture(action string) (State, []Effect) {
	s, effects, ok := s.free()
	if !ok {
		return s, effects
	}
	id := s.start(TaskCapture, "Capturing the page")
	return s, append(effects, Capture{id, action})
}

func (s State) captured(m Captured) (State, []Effect) {
	if _, ok := s.finish(m.Task); !ok {
		return s, nil
	}
	if m.Tabs != nil {
		s.Browser.Tabs = m.Tabs
	}
	if m.Problem != nil {
		s.complain(TaskCapture, m.Problem)
		return s, nil
	}
	row := m.Turn.Row()
	row.Thumb = m.Thumb
	rows := slices.DeleteFunc(slices.Clone(s.Session.Turns), func(r TurnRow) bool { return r.N == row.N })
	s.Session.Turns = append(rows, row)
	if t, ok := s.CurrentTab(); ok && m.Tabs != nil && showURL(t.URL) != s.Address.Text {
		s.Address = s.Address.set(showURL(t.URL)) // the page went elsewhere by itself
	}
	return s.show(m.Turn)
}

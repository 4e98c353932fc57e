package core

import (
	"slices"

	"github.com/refscope/refscope/snapshot/dump"
)

// Room is what one part of the window adds to it. The table of all rooms is made in
// package app and given to [New]; nothing else knows more than one. All fields but Name
// may be nil.
type Room struct {
	Name string
	// Start sets its model up where the zero value is not the first one.
	Start func(*State)
	// Commands are what a person can ask of it. They may differ with the formats and
	// dialects of the state, and with nothing else.
	Commands func(State) []Command
	// Side is what it shows on the right side.
	Side *SideRow
	// AfterUpdate is called after every message and asks for what the room lacks by now, so that no
	// way to change a selection or a turn can be forgotten.
	AfterUpdate func(State) (State, []Effect)
	// Shown is called when another turn came into view; the one before may be nil.
	Shown func(s State, before *Turn) State
	// Selected is called when a person chose an element.
	Selected func(State) State
	// Compared is called when the shown turn was compared with the one before it.
	Compared func(State) (State, []Effect)
	// SessionClosed is called when another session takes the place of the one in view, BrowserChanged when
	// another browser does.
	SessionClosed, BrowserChanged func(State) (State, []Effect)
	// Closing is what a person or another program loses when the window closes, in a sentence; "" for nothing.
	Closing func(State) string
	// Escape leaves what is foremost of the room; false where nothing is.
	Escape func(State) (State, bool)
}

// Of is a room's model, by its type; the zero value where the room has set none yet.
func Of[M any](s State) M {
	for _, m := range s.models {
		if p, ok := m.(*M); ok {
			return *p
		}
	}
	var zero M
	return zero
}

// Edit is a room's model to be changed: a copy that s owns, so that an older state stays
// what it was. Within one [Update] a model is copied once, so that two calls change the
// same copy; elsewhere each call copies. Slices and maps in a model are replaced, never
// changed in place.
func Edit[M any](s *State) *M {
	own := new(M)
	at := slices.IndexFunc(s.models, func(m any) bool { _, ok := m.(*M); return ok })
	if at < 0 {
		s.models = append(slices.Clip(s.models), own)
	} else {
		p := s.models[at].(*M)
		if s.owned[p] {
			return p
		}
		*own = *p
		s.models = slices.Clone(s.models)
		s.models[at] = own
	}
	if s.owned != nil {
		s.owned[own] = true
	}
	return own
}

// Each calls the hook of every room that has one, with the state of the one before.
func (s State) Each(hook func(Room) func(State) (State, []Effect)) (State, []Effect) {
	var effects []Effect
	for _, r := range s.rooms {
		if f := hook(r); f != nil {
			var more []Effect
			s, more = f(s)
			effects = append(effects, more...)
		}
	}
	return s, effects
}

// Sides are all sides of the right side, in the order of their tabs.
func (s State) Sides() []SideRow {
	var rows []SideRow
	for _, r := range s.rooms {
		if r.Side != nil {
			rows = append(rows, *r.Side)
		}
	}
	slices.SortStableFunc(rows, func(a, b SideRow) int { return a.Place - b.Place })
	return rows
}

// TextInView is the text on the right side, nil where that is none.
func (s State) TextInView() (*dump.Document, *LineTones) {
	if r, ok := s.sideRow(s.Side); ok && r.Text != nil && s.Current != nil {
		return r.Text(s)
	}
	return nil, nil
}

// Commands is the table of all commands.
func (s State) Commands() []Command {
	var list []Command
	for _, r := range s.rooms {
		if r.Commands != nil {
			list = append(list, r.Commands(s)...)
		}
	}
	return list
}

package core

import (
	"slices"

	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// Side is the content of the right side of the window.
type Side string

// SideText shows a text format; the other sides are named by their rooms.
const SideText Side = ""

// SideRow is a side: tabs, commands and the window read it.
type SideRow struct {
	Side Side
	// Title is its tab. Command is the id of the command that shows it, whose title is that of
	// the tab and what the side Does; Key is that one's key.
	Title, Command, Does, Key string
	// Place orders the tabs.
	Place int
	// Whole: it takes the whole height; else the details of the selection are below it.
	Whole bool
	// Badges are the counts that its tab shows behind the title, none where nil.
	Badges func(State) []StatusItem
	// AfterUpdate asks for what it shows of the turn in view, where that is not there yet. It is
	// called when the side or another turn comes into view; nil where nothing is made.
	AfterUpdate func(State) (State, []Effect)
	// Text is the text in it that can be looked through; nil where it shows none.
	Text func(State) (*dump.Document, *LineTones)
}

// sideRow is the line of a side.
func (s State) sideRow(side Side) (SideRow, bool) {
	rows := s.Sides()
	i := slices.IndexFunc(rows, func(r SideRow) bool { return r.Side == side })
	if i < 0 {
		return SideRow{}, false
	}
	return rows[i], true
}

// ChooseSide changes what the right side shows.
func (s State) ChooseSide(side Side) (State, []Effect) {
	if _, ok := s.sideRow(side); !ok {
		return s, nil
	}
	if s.Side != side && s.Hover.Source == PaneDump {
		s.Hover = Selection{} // what the pointer was over has gone with its side
	}
	s.Side = side
	return s.fill()
}

// fill asks for what the side in view shows of the turn in view.
func (s State) fill() (State, []Effect) {
	if r, ok := s.sideRow(s.Side); ok && r.AfterUpdate != nil {
		return r.AfterUpdate(s)
	}
	return s, nil
}

// SidesRoom has the commands that change sides.
func SidesRoom() Room { return Room{Name: "sides", Commands: sideCommands} }

func sideCommands(s State) []Command {
	var list []Command
	for i, r := range s.Sides() {
		list = append(list, Command{ID: r.Command, Title: r.Title + ": " + r.Does, Menu: "View",
			Key: r.Key, Gap: i == 0,
			Enabled: Always,
			Checked: func(s State) bool { return s.Side == r.Side }, Msg: Send(SideChosen(r.Side))})
	}
	return list
}

// SideTab is one tab of the right side.
type SideTab struct {
	Side   Side
	Title  string
	Badges []StatusItem
	On     bool
}

// Text is the title with what the badges count.
func (t SideTab) Text() string {
	text := t.Title
	for _, b := range t.Badges {
		text += " " + b.Text
	}
	return text
}

// Badge is one count for [SideRow.Badges], none where it is 0.
func Badge(n int, tone Tone) []StatusItem {
	if n == 0 {
		return nil
	}
	return []StatusItem{{text.Thousands(n), tone}}
}

// SideTabs are the tabs of the right side.
func (s State) SideTabs() []SideTab {
	var tabs []SideTab
	for _, r := range s.Sides() {
		t := SideTab{Side: r.Side, Title: r.Title, On: r.Side == s.Side}
		if r.Badges != nil {
			t.Badges = r.Badges(s)
		}
		tabs = append(tabs, t)
	}
	return tabs
}

// SidesVM are the tabs over the right side, and the side in view. Compare with [SidesVM.Equal].
type SidesVM struct {
	Sides []SideTab
	Side  Side
}

// Equal reports whether both show the same.
func (v SidesVM) Equal(o SidesVM) bool {
	return v.Side == o.Side && slices.EqualFunc(v.Sides, o.Sides, func(a, b SideTab) bool {
		return a.Side == b.Side && a.On == b.On && slices.Equal(a.Badges, b.Badges)
	})
}

// SidesInView is what the tabs over the right side show.
func (s State) SidesInView() SidesVM { return SidesVM{Sides: s.SideTabs(), Side: s.Side} }

// Drawer is what is drawn out below the picture.
type Drawer string

// DrawerNone: the picture has all the room.
const DrawerNone Drawer = ""

// DrawerToggled draws one out, or puts it away where it is out.
func DrawerToggled(drawer Drawer) Msg {
	return Does(func(s State) (State, []Effect) {
		if s.Drawer == drawer {
			s.Drawer = DrawerNone
		} else {
			s.Drawer = drawer
		}
		return s, nil
	})
}

// Dialog is what lies over the window and has the keyboard to itself. There is at most
// one, so opening one closes another.
type Dialog string

const (
	DialogNone     Dialog = ""
	DialogHelp     Dialog = "help"     // the list of commands
	DialogSessions Dialog = "sessions" // the list of sessions, see package sessions
	DialogMarking  Dialog = "marking"  // the choices of a marked picture, see package export
	DialogUnsaved  Dialog = "unsaved"  // the question before the window closes with work unsaved or unfinished
)

// CloseDialog closes a dialog where it is the open one.
func (s *State) CloseDialog(d Dialog) {
	if s.Dialog == d {
		s.Dialog = DialogNone
	}
}

package core

import "slices"

// Side is what the right side of the window shows.
type Side int

const (
	SideText    Side = iota // a text format
	SideChanges             // what changed since the turn before
	SidePayload             // what a model receives
	SideTurn                // what was done, and how the turn was taken (gui.md 1.3, rows 45 to 49 and 57)
	SideProfile             // what is known of the site
	SideWhatIf              // the text with other settings
	SideAudit               // where the agent's view and a person's differ (rows N-3, N-8, N-10)
)

// SideRow is one line of the table of sides: tabs, commands and the shell read it.
type SideRow struct {
	Side Side
	// Title is its tab, Command the id and Does the title of the command that shows it,
	// Key that one's key.
	Title, Command, Does, Key string
	// Whole: it takes the whole height; else the details of the selection are below it.
	Whole bool
	// Tag is what its tab says behind the title, "" for nothing; nil says nothing.
	Tag func(State) string
	// Fill asks for what it shows of the turn in view, where that is not there yet. It is
	// called when the side or another turn comes into view; nil where nothing is made.
	Fill func(State) (State, []Effect)
}

// Sides are all sides, in the order of their tabs.
func Sides() []SideRow {
	return []SideRow{
		{Side: SideText, Title: "Text", Command: "side.text", Does: "The text that an agent reads", Key: "T", Fill: State.fillText},
		{Side: SideChanges, Title: "Changes", Command: CmdChanges, Does: "What changed since the turn before", Key: "D", Tag: State.changesTag, Fill: State.fillChanges},
		{Side: SidePayload, Title: "Payload", Command: CmdPayload, Does: "What a model receives", Key: "Y", Whole: true, Tag: State.payloadTag, Fill: State.payload},
		{Side: SideTurn, Title: "Turn", Command: CmdTurn, Does: "What was done, and how the turn was taken", Key: "I", Whole: true, Tag: State.turnTag},
		{Side: SideProfile, Title: "Profile", Command: CmdProfile, Does: "The profile of the page's site", Key: "E", Whole: true, Tag: State.profileTag, Fill: State.fillProfile},
		{Side: SideWhatIf, Title: "What-if", Command: CmdWhatIf, Does: "The text with other settings", Key: "W", Whole: true, Fill: State.whatIf},
		{Side: SideAudit, Title: "Audit", Command: "side.audit", Does: "Where an agent's view and a person's differ", Key: "A", Tag: State.auditTag, Fill: State.fillAudit},
	}
}

// sideRow is the line of a side.
func sideRow(side Side) (SideRow, bool) {
	rows := Sides()
	i := slices.IndexFunc(rows, func(r SideRow) bool { return r.Side == side })
	if i < 0 {
		return SideRow{}, false
	}
	return rows[i], true
}

// chooseSide changes what the right side shows.
func (s State) chooseSide(side Side) (State, []Effect) {
	if _, ok := sideRow(side); !ok {
		return s, nil
	}
	s.Side = side
	return s.fill()
}

// fill asks for what the side in view shows of the turn in view.
func (s State) fill() (State, []Effect) {
	if r, ok := sideRow(s.Side); ok && r.Fill != nil {
		return r.Fill(s)
	}
	return s, nil
}

func (s State) fillText() (State, []Effect) { return s, s.render() }

func sideCommands() []Command {
	var list []Command
	for i, r := range Sides() {
		list = append(list, Command{ID: r.Command, Title: r.Does, Menu: "View", Key: r.Key, Gap: i == 0, Enabled: always,
			Checked: func(s State) bool { return s.Side == r.Side }, Msg: send(SideChosen{r.Side})})
	}
	return list
}

// SideText is what the tab of a side says, "" where there is no such side.
func (s State) SideText(side Side) string {
	for _, t := range s.SideTabs() {
		if t.Side == side {
			return t.Text
		}
	}
	return ""
}

// SideTab is one tab of the right side.
type SideTab struct {
	Side Side
	Text string
	On   bool
}

// SideTabs are the tabs of the right side.
func (s State) SideTabs() []SideTab {
	var tabs []SideTab
	for _, r := range Sides() {
		t := SideTab{r.Side, r.Title, r.Side == s.Side}
		if r.Tag != nil {
			if tag := r.Tag(s); tag != "" {
				t.Text += " " + tag
			}
		}
		tabs = append(tabs, t)
	}
	return tabs
}

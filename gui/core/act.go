package core

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
)

// DialogAct asks for what a field is to be given, see [ActPane].
const DialogAct Dialog = "act"

// Commands of acting.
const (
	CmdAct         = "act.mode"
	CmdActSelected = "act.selected"
)

const keyAct = "C"

// ActPane is the mode in which a click on the picture does something in the page.
type ActPane struct {
	On bool
	// Ask is what is asked for before it can be done; its Ref is 0 for nothing.
	Ask ActAsk
	// Last is where the mouse was last.
	Last ActPoint
}

// ActAsk asks for a text, or for one of some options.
type ActAsk struct {
	Ref   int
	Label string // of the element
	// Masked: what is typed is a secret, or may be one.
	Masked bool
	// Options are what a list box offers, nil for a field.
	Options []string
	// Holds is what is in it now, "" for nothing that may be shown.
	Holds string
}

// ActPoint is a place that was clicked, in px of the pictures of the turns Turn, before,
// and After, 0 for none.
type ActPoint struct {
	Turn, After int
	X, Y        float64
}

// ActDeed is what is done with an element.
type ActDeed string

const (
	ActClick  ActDeed = "click"
	ActDouble ActDeed = "double"
	ActHover  ActDeed = "hover"
	ActScroll ActDeed = "scroll"
	ActFill   ActDeed = "fill"
	ActChoose ActDeed = "choose" // an option
	ActPress  ActDeed = "press"
)

// ActDeeds is what can be done with an element, in the order of a menu.
type ActDeeds struct {
	Deed  ActDeed
	Title string
	// Key is what is pressed, for [ActPress].
	Key string
}

// ActToggled switches the mode.
type ActToggled struct{}

// Acted does something with an element of the turn in view.
type Acted struct {
	Ref  int
	Deed ActDeed
	Key  string
}

// ActConfirmed gives what [ActPane.Ask] asked for. It is not kept in the state.
type ActConfirmed struct {
	Text  string
	Enter bool // press Enter afterwards
}

func actCommands(State) []Command {
	const m = "Tools"
	return []Command{
		{ID: CmdAct, Title: "Act: clicks on the picture go to the page", Menu: m, Key: keyAct, Gap: true, Enabled: func(s State) bool { return s.Act.On || !s.Session.ReadOnly },
			Checked: func(s State) bool { return s.Act.On }, Msg: send(ActToggled{})},
		{ID: CmdActSelected, Title: "Click or fill the selection", Menu: m, Key: "Ctrl+Shift+A", Enabled: func(s State) bool { return s.Selected.Ref > 0 && s.Shown != nil },
			Msg: func(s State) Msg { return Acted{Ref: s.Selected.Ref, Deed: s.deedOf(s.Selected.Ref)} }},
	}
}

func (ActToggled) Apply(s State) (State, []Effect) {
	s.Act.On = !s.Act.On
	if s.Act.On {
		if why := s.cannotAct(); why != nil {
			s.Notice = why
			s.Act.On = why.Command != CmdSessions // in a session that is read only it has no use at all
		}
	}
	return s, nil
}

// MarkAt is the smallest mark at a point of the picture in image px, 0 for none.
// Containers are under every point, so they count only where nothing else does.
func (s State) MarkAt(x, y float64) int {
	t := s.Shown
	if t == nil || t.Scene == nil {
		return 0
	}
	ref := 0
	for _, m := range t.Scene.At(x, y) {
		if m.Status != overlay.Container {
			return m.Ref
		}
		if ref == 0 {
			ref = m.Ref
		}
	}
	return ref
}

// actAt does in the page what a click on a point of the picture means.
func (s State) actAt(x, y float64) (State, []Effect) {
	ref := s.MarkAt(x, y)
	if ref == 0 {
		s.Notice = &Notice{Tone: ToneNormal, Text: "There is nothing with a number at that point.", Hint: keyAct + " ends acting; a step such as {\"click\":{\"x\":10,\"y\":20}} clicks any point.", Source: TaskSteps}
		return s, nil
	}
	s.Selected = s.selection(ref, PanePicture)
	return Acted{Ref: ref, Deed: s.deedOf(ref)}.Apply(s)
}

// deedOf is what a click on an element means.
func (s State) deedOf(ref int) ActDeed {
	if s.Shown == nil {
		return ActClick
	}
	switch n := s.Shown.Capture.ByRef(ref); {
	case n == nil:
	case n.Tag == "select":
		return ActChoose
	case isField(n):
		return ActFill
	}
	return ActClick
}

// Deeds are what can be done with an element of the turn in view; none where nothing can.
func (s State) Deeds(ref int) []ActDeeds {
	if s.Shown == nil || s.Session.ReadOnly {
		return nil
	}
	n := s.Shown.Capture.ByRef(ref)
	if n == nil {
		return nil
	}
	list := []ActDeeds{{Deed: ActClick, Title: "Click"}, {Deed: ActDouble, Title: "Double-click"}}
	switch {
	case n.Tag == "select":
		list = slices.Insert(list, 0, ActDeeds{Deed: ActChoose, Title: "Choose an option…"})
	case isField(n):
		list = slices.Insert(list, 0, ActDeeds{Deed: ActFill, Title: "Fill…"})
	}
	list = append(list, ActDeeds{Deed: ActHover, Title: "Hover"}, ActDeeds{Deed: ActScroll, Title: "Scroll to it"})
	for _, k := range []string{"Enter", "Escape", "Tab", "Space", "ArrowDown", "ArrowUp"} {
		list = append(list, ActDeeds{ActPress, "Press " + k, k})
	}
	return list
}

// isField reports whether an element takes a text.
func isField(n *snapshot.Node) bool {
	switch n.Tag {
	case "textarea":
		return true
	case "input":
		switch strings.ToLower(n.Attrs["type"]) {
		case "button", "submit", "reset", "image", "checkbox", "radio", "file", "hidden", "range", "color":
			return false
		}
		return true
	}
	return n.Role == "textbox" || n.Role == "searchbox" || slices.Contains(n.Interactive, "contenteditable")
}

// secretField reports whether what is typed into an element is a secret, or may be one.
func secretField(n *snapshot.Node) bool {
	if strings.EqualFold(n.Attrs["type"], "password") || len(n.Redacted) > 0 {
		return true
	}
	auto := strings.ToLower(n.Attrs["autocomplete"])
	return strings.Contains(auto, "password") || strings.Contains(auto, "one-time-code") || strings.HasPrefix(auto, "cc-")
}

// cannotAct is why nothing can be done with the elements of the turn in view, nil where
// something can.
func (s State) cannotAct() *Notice {
	no := func(text, hint, command string) *Notice {
		return &Notice{Tone: ToneWarn, Text: text, Hint: hint, Command: command, Source: TaskSteps}
	}
	switch {
	case s.Session.ReadOnly:
		return no("This session is read only: its page is not there any more to act on.", "Open another session first.", CmdSessions)
	case s.Shown == nil:
		return no("There is no turn to act on yet.", "Capture the page first.", CmdCapture)
	case !ready(s):
		return no("Chrome is not running, so there is no page to act on.", "Start it again.", CmdStartBrowser)
	}
	if rows := s.Session.Turns; len(rows) > 0 && rows[len(rows)-1].N != s.Shown.N {
		return no(fmt.Sprintf("Turn %d is not the newest: the page does not look like this any more.", s.Shown.N), "Act on the newest turn, or capture the page again.", CmdNewest)
	}
	if t, ok := s.CurrentTab(); ok && pageOf(t.URL) != pageOf(s.Shown.Capture.URL) {
		return no("The tab in use shows another page than this turn.", "Capture the page first.", CmdCapture)
	}
	return nil
}

// pageOf is an address without its fragment.
func pageOf(url string) string {
	page, _, _ := strings.Cut(url, "#")
	return page
}

func (m Acted) Apply(s State) (State, []Effect) {
	if why := s.cannotAct(); why != nil {
		s.Notice = why
		return s, nil
	}
	n := s.Shown.Capture.ByRef(m.Ref)
	if n == nil {
		return s, nil
	}
	switch m.Deed {
	case ActFill:
		s.Act.Ask = ActAsk{Ref: m.Ref, Label: s.Label(m.Ref), Masked: secretField(n)}
		if !s.Act.Ask.Masked {
			s.Act.Ask.Holds = n.Value
		}
		s.Dialog = DialogAct
		return s, nil
	case ActChoose:
		options := optionsOf(s.Shown, n)
		if len(options) == 0 {
			s.Notice = &Notice{Tone: ToneWarn, Text: Plain(s.Label(m.Ref), 60) + " has no options.", Source: TaskSteps}
			return s, nil
		}
		s.Act.Ask = ActAsk{Ref: m.Ref, Label: s.Label(m.Ref), Options: options, Holds: n.Value}
		s.Dialog = DialogAct
		return s, nil
	}
	return s.act(n, deedStep(m, m.Ref), false)
}

func (m ActConfirmed) Apply(s State) (State, []Effect) {
	ask := s.Act.Ask
	if s.Dialog != DialogAct || ask.Ref == 0 {
		return s, nil
	}
	s.close(DialogAct)
	s.Act.Ask = ActAsk{}
	if why := s.cannotAct(); why != nil {
		s.Notice = why
		return s, nil
	}
	n := s.Shown.Capture.ByRef(ask.Ref)
	if n == nil {
		return s, nil
	}
	steps := []string{fmt.Sprintf(`{"fill":{"ref":%s,"value":%s}}`, spelled(ask.Ref), jsonText(m.Text))}
	if ask.Options != nil {
		if !slices.Contains(ask.Options, m.Text) {
			return s, nil
		}
		steps[0] = fmt.Sprintf(`{"selectOption":{"ref":%s,"label":%s}}`, spelled(ask.Ref), jsonText(m.Text))
	} else if m.Enter {
		steps = append(steps, fmt.Sprintf(`{"press":{"key":"Enter","ref":%s}}`, spelled(ask.Ref)))
	}
	return s.act(n, "["+strings.Join(steps, ",")+"]", ask.Masked)
}

// deedStep is the step of a deed.
func deedStep(m Acted, ref int) string {
	switch r := spelled(ref); m.Deed {
	case ActDouble:
		return fmt.Sprintf(`{"click":{"ref":%s,"doubleClick":true}}`, r)
	case ActHover:
		return fmt.Sprintf(`{"hover":{"ref":%s}}`, r)
	case ActScroll:
		return fmt.Sprintf(`{"scroll":%s}`, r)
	case ActPress:
		return fmt.Sprintf(`{"press":{"key":%s,"ref":%s}}`, jsonText(m.Key), r)
	default:
		return fmt.Sprintf(`{"click":%s}`, r)
	}
}

// act runs a step, and notes where the mouse goes for it.
func (s State) act(n *snapshot.Node, text string, masked bool) (State, []Effect) {
	next, effects := s.runSteps(text, false, masked)
	if len(effects) == 0 {
		return next, effects
	}
	if x, y, ok := s.clickPoint(n); ok {
		next.Act.Last = ActPoint{Turn: s.Shown.N, X: x, Y: y}
	}
	return next, effects
}

// optionsOf are what a list box offers, as a person reads it.
func optionsOf(t *Turn, n *snapshot.Node) []string {
	var out []string
	for i := range t.Capture.Nodes {
		o := &t.Capture.Nodes[i]
		if o.Tag != "option" {
			continue
		}
		for p := t.Capture.Node(o.Parent); p != nil; p = t.Capture.Node(p.Parent) {
			if p.I != n.I {
				continue
			}
			label := o.Name
			if label == "" {
				label = o.Text
			}
			if label != "" && !slices.Contains(out, label) {
				out = append(out, label)
			}
			break
		}
	}
	return out
}

func spelled(ref int) string { return fmt.Sprintf(`"e%d"`, ref) }

func jsonText(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(b)
}

// actRoom is the mode in which a click on the picture does something in the page.
func actRoom() Room {
	return Room{Name: "act", Commands: actCommands,
		Fill: func(s State) (State, []Effect) {
			if s.Dialog != DialogAct && s.Act.Ask.Ref != 0 {
				s.Act.Ask = ActAsk{} // what was asked for is not given any more
			}
			return s, nil
		},
		Left: func(s State) (State, []Effect) {
			s.Act.Ask, s.Act.Last = ActAsk{}, ActPoint{}
			return s, nil
		},
		Escape: func(s State) (State, bool) {
			on := s.Act.On
			s.Act.On = false
			return s, on
		}}
}

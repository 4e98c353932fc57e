package steps

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/details"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// DialogAct asks for what a field is to be given, see [Model].
const DialogAct core.Dialog = "act"

// Commands of acting.
const (
	CmdAct         = "act.mode"
	CmdActSelected = "act.selected"
)

const KeyAct = "C"

// ActAsk asks for a text, or for one of some options.
type ActAsk struct {
	Ref   int
	Label string // of the element
	// Masked: what is typed is a secret, or may be one.
	Masked bool
	// Lines: it takes a text of several lines.
	Lines bool
	// Options are what a list box offers, nil for a field; of those that are Several more than
	// one can be chosen, and Chosen are.
	Options []string
	Several bool
	Chosen  []string
	// Shape describes what the field takes, such as "a date such as 2026-12-31", "" for any text.
	Shape string
	// Holds is what is in it now, "" for nothing that may be shown.
	Holds string
}

// ActPoint is a place that was clicked, in px of the pictures of the turns Turn, before,
// and After, 0 for none.
type ActPoint struct {
	Turn, After int
	X, Y        float64
}

// ActionKind is what is done with an element.
type ActionKind string

const (
	ActClick  ActionKind = "click"
	ActDouble ActionKind = "double"
	ActHover  ActionKind = "hover"
	ActScroll ActionKind = "scroll"
	ActFill   ActionKind = "fill"
	ActChoose ActionKind = "choose" // an option
	ActPress  ActionKind = "press"
	ActUpload ActionKind = "upload" // a file that is picked
)

// MenuAction is what can be done with an element, in the order of a menu.
type MenuAction struct {
	Deed  ActionKind
	Title string
	// Key is what is pressed, for [ActPress].
	Key string
}

// Acted does something with an element of the turn in view.
type Acted struct {
	Ref  int
	Deed ActionKind
	Key  string
}

// actConfirmed has what the mode asked for ([Model]). It is not kept in the state.
type actConfirmed struct {
	Text    string
	Options []string // of a list box of several; none where none stays chosen
	Enter   bool     // press Enter afterwards
}

func actCommands(core.State) []core.Command {
	const m = "Tools"
	return []core.Command{
		{ID: CmdAct, Title: "Act: clicks on the picture go to the page", Menu: m, Key: KeyAct, Gap: true,
			Enabled: func(s core.State) bool { return Of(s).Act.On || !s.Session.ReadOnly },
			Checked: func(s core.State) bool { return Of(s).Act.On }, Msg: core.Send(actToggled())},
		{ID: CmdActSelected, Title: "Click or fill the selection", Menu: m, Key: "Ctrl+Shift+A",
			Enabled: func(s core.State) bool { return s.Selected.Ref > 0 && s.Current != nil },
			Msg: func(s core.State) core.Msg {
				return Acted{Ref: s.Selected.Ref, Deed: deedOf(s, s.Selected.Ref)}
			}},
	}
}

// actToggled switches the mode.
func actToggled() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		edit(&s).Act.On = !Of(s).Act.On
		if Of(s).Act.On {
			if why := cannotAct(s); why != nil {
				s.Notice = why
				edit(&s).Act.On = why.Command != core.CmdSessions // in a session that is read only it has no use at all
			}
		}
		return s, nil
	})
}

// MarkAt is the number of what a click at a point of the picture in image px operates: the
// topmost element with one, 0 for none.
func MarkAt(s core.State, x, y float64) int {
	if s.Current == nil {
		return 0
	}
	for _, i := range s.Current.Under(x, y) {
		if n := s.Current.Capture.Node(i); n.Ref > 0 {
			return n.Ref
		}
	}
	return 0
}

// maxScroll bounds, in px of the page, what one turn of the wheel adds up to.
const maxScroll = 20_000

// wheelPause is how long the wheel rests between two gestures.
const wheelPause = 250 * time.Millisecond

type (
	// awaitWheel waits for the end of a gesture, [wheelRested] answers it.
	awaitWheel struct{}
)

// Pause implements [core.LatestWork].
func (awaitWheel) Pause() time.Duration { return wheelPause }

// Do implements [core.Work].
func (awaitWheel) Do(context.Context, *core.Worker) core.Msg { return wheelRested() }

// Apply implements [core.Msg]. What was added up is done after every message: see [ActRoom].
func wheelRested() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		edit(&s).Act.Rolling = false
		return s, nil
	})
}

// PageScrolled scrolls the page by DY CSS px. One gesture is one turn: it ends when the wheel rests for wheelPause.
// What comes while steps run is added up and done after them.
func PageScrolled(dy float64) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if !(math.Abs(dy) <= maxScroll) || !Of(s).Act.On {
			return s, nil
		}
		model := edit(&s)
		model.Act.Scroll, model.Act.Rolling = min(max(model.Act.Scroll+dy, -maxScroll), maxScroll), true
		return s, []core.Effect{awaitWheel{}}
	})
}

// scrollPage does what the wheel requested, unless steps run.
func scrollPage(s core.State) (core.State, []core.Effect) {
	dy := math.Round(Of(s).Act.Scroll)
	if dy == 0 || Of(s).Act.Rolling || slices.ContainsFunc(s.Tasks,
		func(t core.Task) bool { return t.Kind == core.TaskSteps }) {
		return s, nil
	}
	edit(&s).Act.Scroll = 0
	if why := cannotAct(s); why != nil {
		s.Notice = why
		return s, nil
	}
	return RunText(s, fmt.Sprintf(`{"scroll":{"deltaY":%.0f}}`, dy), false, false)
}

// ActAt does in the page what a click on a point of the picture means.
func ActAt(s core.State, x, y float64) (core.State, []core.Effect) {
	ref := MarkAt(s, x, y)
	if ref == 0 {
		s.Notice = &core.Notice{Tone: core.ToneNormal, Text: "No numbered element at this point.",
			Hint:   KeyAct + " ends acting; a step such as {\"click\":{\"x\":10,\"y\":20}} clicks any point.",
			Source: core.TaskSteps}
		return s, nil
	}
	s.Selected = s.SelectionOf(ref, core.PanePicture)
	return Acted{Ref: ref, Deed: deedOf(s, ref)}.Apply(s)
}

// deedOf is what a click on an element means.
func deedOf(s core.State, ref int) ActionKind {
	if s.Current == nil {
		return ActClick
	}
	switch n := s.Current.Capture.ByRef(ref); {
	case n == nil:
	case n.Tag == "select":
		return ActChoose
	case isFile(n):
		return ActUpload
	case isField(n):
		return ActFill
	}
	return ActClick
}

// Deeds are what can be done with an element of the turn in view; none where nothing can.
func Deeds(s core.State, ref int) []MenuAction {
	if s.Current == nil || s.Session.ReadOnly {
		return nil
	}
	n := s.Current.Capture.ByRef(ref)
	if n == nil {
		return nil
	}
	list := []MenuAction{{Deed: ActClick, Title: "Click"}, {Deed: ActDouble, Title: "Double-click"}}
	switch {
	case n.Tag == "select":
		list = slices.Insert(list, 0, MenuAction{Deed: ActChoose, Title: "Choose an option…"})
	case isFile(n):
		list = slices.Insert(list, 0, MenuAction{Deed: ActUpload, Title: "Upload a file…"})
	case isField(n):
		list = slices.Insert(list, 0, MenuAction{Deed: ActFill, Title: "Fill…"})
	}
	list = append(list, MenuAction{Deed: ActHover, Title: "Hover"}, MenuAction{Deed: ActScroll, Title: "Scroll to it"})
	if n.Tag == "label" || n.Role == "button" { // its input may be hidden
		list = append(list, MenuAction{Deed: ActUpload, Title: "Upload a file through it…"})
	}
	for _, k := range []string{"Enter", "Escape", "Tab", "Space", "ArrowDown", "ArrowUp"} {
		list = append(list, MenuAction{ActPress, "Press " + k, k})
	}
	return list
}

// isFile reports whether an element takes files.
func isFile(n *snapshot.Node) bool {
	return n.Tag == "input" && strings.EqualFold(n.Attrs["type"], "file")
}

// isField reports whether an element takes a text.
func isField(n *snapshot.Node) bool {
	switch n.Tag {
	case "textarea":
		return true
	case "input":
		switch strings.ToLower(n.Attrs["type"]) {
		case "button", "submit", "reset", "image", "checkbox", "radio", "file", "hidden":
			return false
		}
		return true
	}
	return n.Role == "textbox" || n.Role == "searchbox" || slices.Contains(n.Interactive, "contenteditable")
}

// shapeOf describes what an input with a picker of its own takes, "" for any text
// (HTML 4.10.5.1: the value sanitization of each type).
func shapeOf(n *snapshot.Node) string {
	switch strings.ToLower(n.Attrs["type"]) {
	case "date":
		return "a date such as 2026-12-31"
	case "time":
		return "a time such as 09:30"
	case "datetime-local":
		return "a date and time such as 2026-12-31T09:30"
	case "month":
		return "a month such as 2026-12"
	case "week":
		return "a week such as 2026-W51"
	case "color":
		return "a colour such as #2266aa"
	case "range":
		return numberShape(cmp.Or(n.Attrs["min"], "0"), cmp.Or(n.Attrs["max"], "100")) // its defaults
	case "number":
		return numberShape(n.Attrs["min"], n.Attrs["max"])
	}
	return ""
}

// numberShape describes a number between two limits, "" for none.
func numberShape(low, high string) string {
	limit := func(s string) string { return text.Cut(text.Line(s), 16) }
	switch {
	case low != "" && high != "":
		return "a number from " + limit(low) + " to " + limit(high)
	case low != "":
		return "a number from " + limit(low)
	case high != "":
		return "a number up to " + limit(high)
	}
	return "a number"
}

// secretField reports whether what is typed into an element is a secret, or may be one.
func secretField(n *snapshot.Node) bool {
	if strings.EqualFold(n.Attrs["type"], "password") || len(n.Redacted) > 0 {
		return true
	}
	auto := strings.ToLower(n.Attrs["autocomplete"])
	return strings.Contains(auto, "password") || strings.Contains(auto, "one-time-code") || strings.HasPrefix(auto,
		"cc-")
}

// cannotAct is why nothing can be done with the elements of the turn in view, nil where
// something can.
func cannotAct(s core.State) *core.Notice {
	no := func(text, hint, command string) *core.Notice {
		return &core.Notice{Tone: core.ToneWarn, Text: text, Hint: hint, Command: command, Source: core.TaskSteps}
	}
	switch {
	case s.Session.ReadOnly:
		return no("This session is read only: its page is gone.", "Open another session first.", core.CmdSessions)
	case s.Current == nil:
		return no("There is no turn to act on yet.", "Capture the page first.", core.CmdCapture)
	case !core.Ready(s):
		return no("Chrome is not running, so there is no page to act on.", "Start it.", core.CmdStartBrowser)
	}
	if rows := s.Session.Turns; len(rows) > 0 && rows[len(rows)-1].N != s.Current.N {
		return no(fmt.Sprintf("Turn %d is not the newest: the page has changed since.", s.Current.N),
			"Act on the newest turn, or capture the page again.", core.CmdNewest)
	}
	if s.TabLeft() {
		return no("The tab in use shows another page than this turn.", "Capture the page first.", core.CmdCapture)
	}
	return nil
}

func (m Acted) Apply(s core.State) (core.State, []core.Effect) {
	if why := cannotAct(s); why != nil {
		s.Notice = why
		return s, nil
	}
	n := s.Current.Capture.ByRef(m.Ref)
	if n == nil {
		return s, nil
	}
	switch m.Deed {
	case ActUpload:
		return s, []core.Effect{AskFile{Ref: m.Ref}}
	case ActFill:
		edit(&s).Act.Ask = ActAsk{Ref: m.Ref, Label: details.Label(s, m.Ref), Masked: secretField(n), Shape: shapeOf(n),
			Lines: n.Tag != "input" && !secretField(n)}
		if !Of(s).Act.Ask.Masked {
			edit(&s).Act.Ask.Holds = n.Value
		}
		s.Dialog = DialogAct
		return s, nil
	case ActChoose:
		options, chosen := optionsOf(s.Current, n)
		if len(options) == 0 {
			s.Notice = &core.Notice{Tone: core.ToneWarn, Text: text.Cut(text.Line(details.Label(s, m.Ref)), 60) +
				" has no options to choose.", Source: core.TaskSteps}
			return s, nil
		}
		edit(&s).Act.Ask = ActAsk{Ref: m.Ref, Label: details.Label(s, m.Ref), Options: options, Chosen: chosen,
			Several: n.States.Is("multiselectable"), Holds: n.Value}
		s.Dialog = DialogAct
		return s, nil
	}
	if m.Deed == ActClick || m.Deed == ActDouble {
		return clicked(s, n, deedStep(m, m.Ref))
	}
	return RunText(s, deedStep(m, m.Ref), false, false)
}

func (m actConfirmed) Apply(s core.State) (core.State, []core.Effect) {
	ask := Of(s).Act.Ask
	if s.Dialog != DialogAct || ask.Ref == 0 {
		return s, nil
	}
	s.CloseDialog(DialogAct)
	edit(&s).Act.Ask = ActAsk{}
	if why := cannotAct(s); why != nil {
		s.Notice = why
		return s, nil
	}
	if s.Current.Capture.ByRef(ask.Ref) == nil {
		return s, nil
	}
	steps := []string{fmt.Sprintf(`{"fill":{"ref":%s,"value":%s}}`, spelled(ask.Ref), JsonText(m.Text))}
	if ask.Several {
		labels, err := json.Marshal(append([]string{}, m.Options...))
		if err != nil || slices.ContainsFunc(m.Options,
			func(o string) bool { return !slices.Contains(ask.Options, o) }) {
			return s, nil
		}
		steps[0] = fmt.Sprintf(`{"selectOption":{"ref":%s,"labels":%s}}`, spelled(ask.Ref), labels)
	} else if ask.Options != nil {
		if !slices.Contains(ask.Options, m.Text) {
			return s, nil
		}
		steps[0] = fmt.Sprintf(`{"selectOption":{"ref":%s,"label":%s}}`, spelled(ask.Ref), JsonText(m.Text))
	} else if m.Enter {
		steps = append(steps, fmt.Sprintf(`{"press":{"key":"Enter","ref":%s}}`, spelled(ask.Ref)))
	}
	return RunText(s, "["+strings.Join(steps, ",")+"]", false, ask.Masked)
}

// deedStep is the step of a direct action.
func deedStep(m Acted, ref int) string {
	switch r := spelled(ref); m.Deed {
	case ActDouble:
		return fmt.Sprintf(`{"click":{"ref":%s,"doubleClick":true}}`, r)
	case ActHover:
		return fmt.Sprintf(`{"hover":{"ref":%s}}`, r)
	case ActScroll:
		return fmt.Sprintf(`{"scroll":%s}`, r)
	case ActPress:
		return fmt.Sprintf(`{"press":{"key":%s,"ref":%s}}`, JsonText(m.Key), r)
	default:
		return fmt.Sprintf(`{"click":%s}`, r)
	}
}

// clicked runs a step that clicks an element, and notes where.
func clicked(s core.State, n *snapshot.Node, text string) (core.State, []core.Effect) {
	next, effects := RunText(s, text, false, false)
	if len(effects) == 0 {
		return next, effects
	}
	if x, y, ok := clickPoint(s, n); ok {
		edit(&next).Act.Last = ActPoint{Turn: s.Current.N, X: x, Y: y}
	}
	return next, effects
}

// optionsOf are what can be chosen in a list box, as a person reads it, and what is chosen.
func optionsOf(t *core.Turn, n *snapshot.Node) (options, chosen []string) {
	disabled := func(o *snapshot.Node) bool { // also by its group
		for p := o; p != nil && p.I != n.I; p = t.Capture.Node(p.Parent) {
			if p.States.Is("disabled") {
				return true
			}
		}
		return false
	}
	for i := range t.Capture.Nodes {
		o := &t.Capture.Nodes[i]
		if o.Tag != "option" || disabled(o) {
			continue
		}
		for p := t.Capture.Node(o.Parent); p != nil; p = t.Capture.Node(p.Parent) {
			if p.I != n.I {
				continue
			}
			label := o.Name
			if label == "" {
				label = o.Attrs["label"] // which is shown in place of its text
			}
			if label == "" {
				label = o.Text
			}
			if label != "" && !slices.Contains(options, label) {
				options = append(options, label)
				if o.States.Is("selected") {
					chosen = append(chosen, label)
				}
			}
			break
		}
	}
	return options, chosen
}

func spelled(ref int) string { return fmt.Sprintf(`"e%d"`, ref) }

// JsonText is a text as JSON.
func JsonText(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(b)
}

// ActRoom is the mode in which a click on the picture does something in the page.
func ActRoom() core.Room {
	return core.Room{Name: "act", Commands: actCommands,
		AfterUpdate: func(s core.State) (core.State, []core.Effect) {
			if s.Dialog != DialogAct && Of(s).Act.Ask.Ref != 0 {
				edit(&s).Act.Ask = ActAsk{} // what was requested is not given any more
			}
			if s.Dialog != DialogPage && Of(s).Act.Page != nil { // it was left
				return pageAnswered{}.Apply(s)
			}
			return scrollPage(s)
		},
		SessionClosed: func(s core.State) (core.State, []core.Effect) {
			model := edit(&s)
			model.Act.Page = nil
			model.Act.Ask, model.Act.Last = ActAsk{}, ActPoint{}
			return s, nil
		},
		Escape: func(s core.State) (core.State, bool) {
			on := Of(s).Act.On
			model := edit(&s)
			model.Act.On, model.Act.Scroll = false, 0
			return s, on
		}}
}

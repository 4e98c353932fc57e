package state

import (
	"slices"

	"github.com/refscope/refscope/overlay"
)

// Update is the whole behaviour of the window: what a message does to the state,
// and what has to be done outside because of it. It is pure.
func Update(s State, m Msg) (State, []Effect) {
	switch m := m.(type) {
	case Began:
		return s.begin()
	case CommandChosen:
		return s.command(m.ID)
	case AddressEntered:
		return s.openAddress(m.Text)
	case BrowserAsked:
		return s.startBrowser()
	case DemoAsked:
		return s.openAddress(s.Browser.Demo)
	case MoveAsked:
		return s.move(m.Move)
	case CaptureAsked:
		return s.capture(ActionCapture)
	case TabsAsked:
		return s, []Effect{ListTabs{Open: true}}
	case TabChosen:
		return s.chooseTab(m.ID)
	case TurnChosen:
		return s.chooseTurn(m.N)
	case DamageChosen:
		return s.explainDamage(m.Index), nil
	case TurnStepped:
		return s.stepTurn(m.By)
	case FormatChosen:
		return s.chooseFormat(m)
	case Picked:
		s.Selected = s.selection(m.Ref, m.Source)
		return s, nil
	case Hovered:
		s.Hover = s.selection(m.Ref, m.Source)
		return s, nil
	case LayerToggled:
		s.Layers = toggle(s.Layers, m.Layer)
		return s, nil
	case LayersChosen:
		s.Layers = m.Layers
		return s, nil
	case Zoomed:
		s.Zoom = m.Scale
		return s, nil
	case ThemeToggled:
		s.Light = !s.Light
		return s, nil
	case HelpToggled:
		s.Help = !s.Help
		return s, nil
	case Escaped:
		return s.escape(), nil
	case NoticeClosed:
		s.Notice = nil
		return s, nil
	case TextCopied:
		return s, []Effect{CopyText(m)}
	case CancelAsked:
		return s.cancel(m.Task)
	case ExportAsked:
		return s.askExport(m.Export)
	case ExportPlaced:
		return s.export(m.Export, m.Path)
	case ExportFailed:
		s.complain(TaskExport, m.Problem)
		return s, nil
	case Wanted:
		return s, []Effect{m.Effect}
	case Progressed:
		s.Tasks = slices.Clone(s.Tasks)
		for i := range s.Tasks {
			if s.Tasks[i].ID == m.Task {
				s.Tasks[i].Stage = m.Stage
			}
		}
		return s, nil
	}
	return s.answer(m)
}

// answer takes what came back from an effect.
func (s State) answer(m Msg) (State, []Effect) {
	switch m := m.(type) {
	case SessionOpened:
		return s.sessionOpened(m)
	case TurnLoaded:
		return s.turnLoaded(m)
	case ThumbLoaded:
		s.Session.Turns = slices.Clone(s.Session.Turns)
		for i := range s.Session.Turns {
			if s.Session.Turns[i].N == m.N {
				s.Session.Turns[i].Thumb = m.Image
			}
		}
		return s, nil
	case BrowserStarted:
		return s.browserStarted(m)
	case BrowserGone:
		return s.browserGone(m.Problem), nil
	case TabsListed:
		return s.tabsListed(m)
	case Navigated:
		return s.navigated(m)
	case Captured:
		return s.captured(m)
	case Rendered:
		if s.Shown != nil && s.Shown.N == m.Turn && s.Doc(m.Doc.Format) == nil {
			s.Docs = append(slices.Clip(s.Docs), m.Doc)
		}
		return s, nil
	case Exported:
		return s.exported(m)
	}
	return s, nil
}

// begin opens the session and starts the browser side by side.
func (s State) begin() (State, []Effect) {
	s.Session.Phase = PhaseStarting
	id := s.start(TaskSession, "Opening the session")
	s, effects := s.startBrowser()
	return s, append([]Effect{OpenSession{id}}, effects...)
}

// selection is the element with that number in the shown turn, or none.
func (s State) selection(ref int, source Pane) Selection {
	if s.Shown == nil || ref <= 0 {
		return Selection{}
	}
	n := s.Shown.Capture.ByRef(ref)
	if n == nil {
		return Selection{}
	}
	return Selection{Node: n.I, Ref: ref, Source: source}
}

// escape leaves what is foremost: help, then a notice, then the selection.
func (s State) escape() State {
	switch {
	case s.Help:
		s.Help = false
	case s.Notice != nil:
		s.Notice = nil
	default:
		s.Selected = Selection{}
	}
	return s
}

func (s State) chooseFormat(m FormatChosen) (State, []Effect) {
	if !slices.Contains(s.Formats, m.Format) {
		return s, nil
	}
	s.Format = m.Format
	return s, s.render()
}

// render asks for the text in view where it is not made yet.
func (s State) render() []Effect {
	if s.Shown == nil || s.Format == "" || s.Doc(s.Format) != nil {
		return nil
	}
	return []Effect{Render{s.Shown, s.Format}}
}

func toggle(l overlay.Layers, which Layer) overlay.Layers {
	switch which {
	case LayerBoxes:
		l.Boxes = !l.Boxes
	case LayerLabels:
		l.Labels = !l.Labels
	case LayerOcclusion:
		l.Occlusion = !l.Occlusion
	}
	return l
}

// command runs a command of the table, if it is there and enabled.
func (s State) command(id string) (State, []Effect) {
	for _, c := range Commands(s.Formats, s.Dialects) {
		if c.ID == id && c.Enabled(s) {
			return Update(s, c.Msg(s))
		}
	}
	return s, nil
}

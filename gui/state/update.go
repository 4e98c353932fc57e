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
		return s.typed(m.Text)
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
		return s.byHand(m.N)
	case TurnSeen:
		return s.seen(m.N)
	case NewestAsked:
		return s.newest()
	case FollowToggled:
		return s.toggleFollow()
	case SessionsAsked:
		return s.askSessions()
	case SessionChosen:
		return s.openSession(m.Name, "")
	case SideChosen:
		return s.chooseSide(m.Side)
	case BackToggled:
		return s.toggleBack(m.On), nil
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
	case Zoomed:
		s.Zoom = m.Scale
		return s, nil
	case ThemeToggled:
		s.Light = !s.Light
		return s, nil
	case HelpToggled:
		s.Help, s.Chooser, s.Marking.Open = !s.Help, nil, false
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
	case PayloadChosen:
		return s.choosePayload(m.Choice)
	case PayloadStepped:
		return s.stepPayload(m.By)
	case SectionPicked:
		s.Payload.Section = m.Section
		return s, nil
	case PrettyToggled:
		s.Payload.Pretty = !s.Payload.Pretty
		return s, nil
	case PayloadCopied:
		return s.copyPayload()
	case MarkingAsked:
		return s.openMarking(), nil
	case MarkingChanged:
		return s.setMarking(m.Options), nil
	case MarkingConfirmed:
		return s.confirmMarking()
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
	case SessionsListed:
		return s.sessionsListed(m), nil
	case TurnsArrived:
		return s.arrived(m)
	case Compared:
		return s.compared(m), nil
	case Surveyed:
		return s.surveyed(m), nil
	case PayloadBuilt:
		return s.payloadBuilt(m), nil
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
	return s, append([]Effect{OpenSession{Task: id}}, effects...)
}

// selection is the element with that number in the shown turn, or none.
func (s State) selection(ref int, source Pane) Selection {
	if s.Shown == nil || ref <= 0 {
		return Selection{}
	}
	if n := s.Shown.Capture.ByRef(ref); n != nil {
		return Selection{Node: n.I, Ref: ref, Source: source}
	}
	if s.Before != nil && s.Before.Capture.ByRef(ref) != nil {
		return Selection{Node: -1, Ref: ref, Source: source} // it was in the turn before
	}
	return Selection{}
}

// escape leaves what is foremost: a dialog or help, then a notice, then the picture of
// the turn before, then the selection.
func (s State) escape() State {
	switch {
	case s.Marking.Open:
		s.Marking.Open = false
	case s.Chooser != nil:
		s.Chooser = nil
	case s.Help:
		s.Help = false
	case s.Notice != nil:
		s.Notice = nil
	case s.Back:
		s.Back = false
	default:
		s.Selected = Selection{}
	}
	return s
}

func (s State) chooseFormat(m FormatChosen) (State, []Effect) {
	if !slices.Contains(s.Formats, m.Format) {
		return s, nil
	}
	s.Format, s.Side = m.Format, SideText
	return s, s.render()
}

// render asks for the text in view where it is not made yet.
func (s State) render() []Effect {
	if s.Shown == nil || s.Format == "" || s.Doc(s.Format) != nil { // also where another side is in view: the trace and the details read it
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

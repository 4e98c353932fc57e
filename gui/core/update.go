package core

import (
	"context"
	"slices"
	"time"

	"github.com/refscope/refscope/snapshot/dump"
)

// Update is the whole behaviour of the window: what a message does to the state,
// and what has to be done outside because of it. It is pure. What a message does is in its
// own Apply method, beside what it is about; the methods of messages that are only
// forwarded are here.
func Update(s State, m Msg) (State, []Effect) {
	outer := s.owned
	s.owned = map[any]bool{}
	s, effects := m.Apply(s)
	s, more := s.Each(func(r Room) func(State) (State, []Effect) { return r.AfterUpdate })
	s, last := s.launch(false)
	s.owned = outer
	return s, slices.Concat(effects, more, last)
}

// What a person does.

func (Began) Apply(s State) (State, []Effect) { return s.begin() }

func (m CommandChosen) Apply(s State) (State, []Effect) { return s.Command(m.ID) }

func (m AddressEntered) Apply(s State) (State, []Effect) { return s.Typed(m.Text) }

// browserAsked starts Chrome, again where it is gone.
func browserAsked() Msg {
	return Does(func(s State) (State, []Effect) { return s.startBrowser() })
}

// demoAsked opens the built-in demo site.
func demoAsked() Msg {
	return Does(func(s State) (State, []Effect) { return s.openAddress(s.Browser.Demo) })
}

func (m moveAsked) Apply(s State) (State, []Effect) { return s.move(m.Move) }

func (CaptureAsked) Apply(s State) (State, []Effect) { return s.Capture(ActionCapture) }

// tabsAsked opens the list of tabs.
func tabsAsked() Msg {
	return Does(func(s State) (State, []Effect) { return s, []Effect{listTabs{Open: true}} })
}

// TabChosen: another tab of the browser was picked.
func TabChosen(id string) Msg {
	return Does(func(s State) (State, []Effect) { return s.chooseTab(id) })
}

func (m TurnChosen) Apply(s State) (State, []Effect) { return s.ByHand(m.N) }

func (m TurnSeen) Apply(s State) (State, []Effect) { return s.seen(m.N) }

func (NewestAsked) Apply(s State) (State, []Effect) { return s.newest() }

// FollowToggled switches following on or off.
func FollowToggled() Msg {
	return Does(func(s State) (State, []Effect) { return s.toggleFollow() })
}

// SideChosen changes what the right side shows.
func SideChosen(side Side) Msg {
	return Does(func(s State) (State, []Effect) { return s.ChooseSide(side) })
}

// BackToggled shows the picture of the turn before, or this one again.
func BackToggled(on bool) Msg {
	return Does(func(s State) (State, []Effect) { return s.toggleBack(on), nil })
}

func (m DamageChosen) Apply(s State) (State, []Effect) { return s.explainDamage(m.Index), nil }

func (m FormatChosen) Apply(s State) (State, []Effect) { return s.chooseFormat(m) }

// HelpToggled shows or hides the list of commands.
func HelpToggled() Msg {
	return Does(func(s State) (State, []Effect) {
		if s.Dialog == DialogHelp {
			s.CloseDialog(DialogHelp)
		} else {
			s.Dialog = DialogHelp
		}
		return s, nil
	})
}

func (Escaped) Apply(s State) (State, []Effect) { return s.escape(), nil }

// noticeTime is how long a notice about what went well is in view.
const noticeTime = 7 * time.Second

// ExpireNotice puts a notice away when it has been in view for a while. There is one notice at a time, so that only the
// newest is waited for. [NoticeExpired] answers it.
type ExpireNotice struct{ Notice *Notice }

// Pause implements [LatestWork].
func (ExpireNotice) Pause() time.Duration { return noticeTime }

// Do implements [Work].
func (e ExpireNotice) Do(context.Context, *Worker) Msg { return NoticeExpired(e) }

// NoticeExpired: a notice has been in view long enough.
type NoticeExpired struct{ Notice *Notice }

func (m NoticeExpired) Apply(s State) (State, []Effect) {
	if s.Notice == m.Notice {
		s.Notice = nil
	}
	return s, nil
}

func (NoticeClosed) Apply(s State) (State, []Effect) {
	s.Notice = nil
	return s, nil
}

func (m TextCopied) Apply(s State) (State, []Effect) { return s, []Effect{CopyText(m)} }

// CancelAsked stops a task.
func CancelAsked(task int) Msg {
	return Does(func(s State) (State, []Effect) { return s.cancelTask(task) })
}

// Wanted asks for an effect that belongs to the window alone, such as moving
// the focus or the zoom.
func Wanted(effect Effect) Msg {
	return Does(func(s State) (State, []Effect) { return s, []Effect{effect} })
}

// Progressed: a task has come to another stage.
func Progressed(task int, stage string) Msg {
	return Does(func(s State) (State, []Effect) {
		s.Tasks = slices.Clone(s.Tasks)
		for i := range s.Tasks {
			if s.Tasks[i].ID == task {
				s.Tasks[i].Stage = stage
			}
		}
		return s, nil
	})
}

// What came back from effects.

func (m SessionOpened) Apply(s State) (State, []Effect) { return s.sessionOpened(m) }

func (m TurnLoaded) Apply(s State) (State, []Effect) { return s.turnLoaded(m) }

func (m TurnsArrived) Apply(s State) (State, []Effect) { return s.arrived(m) }

func (m Compared) Apply(s State) (State, []Effect) { return s.compared(m) }

func (m BrowserStarted) Apply(s State) (State, []Effect) { return s.BrowserStarted(m) }

func (m BrowserGone) Apply(s State) (State, []Effect) { return s.browserGone(m.Problem), nil }

func (m tabsListed) Apply(s State) (State, []Effect) { return s.tabsListed(m) }

func (m Navigated) Apply(s State) (State, []Effect) { return s.navigated(m) }

func (m Captured) Apply(s State) (State, []Effect) { return s.captured(m) }

func (m Rendered) Apply(s State) (State, []Effect) {
	if s.Current != nil && s.Current.N == m.Turn && m.Reading == s.Reading && s.Doc(m.Doc.Format) == nil {
		s.Docs = append(slices.Clip(s.Docs), m.Doc)
	}
	return s, nil
}

// begin opens the recording that was named; a browser is started once it is in view, so that it needs none. Where
// none was, it opens the window's own session and starts the browser side by side.
func (s State) begin() (State, []Effect) {
	s.Session.Phase = PhaseStarting
	if maybe, sure := SessionText(s.FirstURL); maybe {
		page := s.FirstURL
		if sure {
			page = ""
		}
		return s.OpenSession(s.FirstURL, page)
	}
	return s.beginOwn()
}

// beginOwn opens the window's own session and starts the browser beside it.
func (s State) beginOwn() (State, []Effect) {
	s.Session.Phase = PhaseStarting
	id := s.StartTask(TaskSession, "Opening the session")
	s, effects := s.startBrowser()
	return s, append([]Effect{OpenSession{Task: id}}, effects...)
}

// escape leaves what is foremost: a dialog or help, then a notice, then the picture of
// the turn before, then the comparison of pictures, then acting, then the selection.
func (s State) escape() State {
	switch {
	case s.Dialog != DialogNone:
		s.Dialog = DialogNone
	case s.Notice != nil:
		s.Notice = nil
	default:
		for _, r := range s.rooms {
			if r.Escape != nil {
				if next, ok := r.Escape(s); ok {
					return next
				}
			}
		}
		s.Selected = Selection{}
	}
	return s
}

func (s State) chooseFormat(m FormatChosen) (State, []Effect) {
	if !slices.Contains(s.Formats, m.Format) {
		return s, nil
	}
	s.Format, s.Side = m.Format, SideText
	return s.use(m.Format).writeText()
}

// use puts a format in front of those that were chosen last. One that is unknown is left out.
func (s State) use(f dump.Format) State {
	if !slices.Contains(s.Formats, f) {
		return s
	}
	at := slices.Index(s.Used[:], f)
	if at < 0 {
		at = MaxUsed - 1
	}
	copy(s.Used[1:at+1], s.Used[:at])
	s.Used[0] = f
	return s
}

// writeText asks for the text in view where it is not made yet, whatever side is in view: the
// trace and the details read it.
func (s State) writeText() (State, []Effect) {
	if r, ok := s.sideRow(SideText); ok {
		return r.AfterUpdate(s)
	}
	return s, nil
}

// Command runs a command of the table, if it is there and enabled.
func (s State) Command(id string) (State, []Effect) {
	for _, c := range s.Commands() {
		if c.ID == id && c.Enabled(s) {
			return Update(s, c.Msg(s))
		}
	}
	return s, nil
}

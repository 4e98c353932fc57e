package sentrequest

import (
	"context"
	"time"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/conversation"
)

// The list of turns tells what an agent did, and where that could not work, of all turns and not only of those that
// were in view: they are examined one after the other behind the one that is shown.

// stories is how far the turns of the session are told.
type stories struct {
	// Seen are the rows that were looked through last.
	Seen []core.TurnRow
	// Telling: some are on their way.
	Telling bool
	// Asked are the turns that were asked about, up to this number: what has no story then, has none.
	Asked int
	// Picked is the ref of the element that was selected because an answer means it, 0 for none.
	Picked int
}

// tell reads the stories of turns. The answers are [told], some turns at a time. Cancel names Watch.
type tell struct {
	Watch, Session int
	Turns          []int
}

// toldEvery is how long stories are gathered: each report costs the window a copy of its list.
const toldEvery = 200 * time.Millisecond

// Number implements [core.Numbered].
func (e tell) Number() int { return e.Watch }

// Do implements [core.Work].
func (e tell) Do(ctx context.Context, w *core.Worker) core.Msg {
	var list []*conversation.Story
	last := time.Now()
	err := core.EngineOf[Engine](w).Stories(ctx, e.Turns, func(one *conversation.Story) {
		if list = append(list, one); time.Since(last) > toldEvery {
			w.Dispatch(told(e.Session, list, false))
			list, last = nil, time.Now()
		}
		if w.GiveWay != nil {
			w.GiveWay(ctx)
		}
	})
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		w.Log.Debug("the turns do not tell what was done", "error", err)
	}
	return told(e.Session, list, true)
}

// told answers [tell]. done: it was the last answer.
func told(session int, list []*conversation.Story, done bool) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if session != s.Session.Opened {
			return s, nil // of a session that was left
		}
		s.Tell(list)
		if done {
			core.Edit[stories](&s).Telling = false
			core.Edit[stories](&s).Seen = nil
		}
		return s, nil
	})
}

// tellStories asks for the stories of turns that were not asked about, once what is in view is there.
func tellStories(s core.State) (core.State, []core.Effect) {
	m := core.Of[stories](s)
	if m.Telling || s.Current == nil || Of(s).Asked || !s.Session.Kept || core.Same(m.Seen, s.Session.Turns) {
		return s, nil
	}
	own := core.Edit[stories](&s)
	own.Seen = s.Session.Turns
	var turns []int
	for _, r := range s.Session.Turns {
		if r.Stored > 0 && r.Story == nil && r.N > m.Asked {
			turns = append(turns, r.N)
		}
		own.Asked = max(own.Asked, r.N)
	}
	if len(turns) == 0 {
		return s, nil
	}
	own.Telling = true
	return s, []core.Effect{tell{storyWatch(s.Session.Opened), s.Session.Opened, turns}}
}

// storyWatch is the number under which the stories of a session are read.
func storyWatch(opened int) int { return -opened*core.NotesWatch - 2 }

// Telling reports whether stories of turns are on their way, or about to be asked for, so that which of them failed is
// not known yet.
func Telling(s core.State) bool {
	m, turns := core.Of[stories](s), s.Session.Turns
	return m.Telling || s.Session.Kept && s.Current != nil && len(turns) > 0 && turns[len(turns)-1].N > m.Asked
}

func leaveStories(s core.State) (core.State, []core.Effect) {
	telling := core.Of[stories](s).Telling
	*core.Edit[stories](&s) = stories{}
	if !telling {
		return s, nil
	}
	return s, []core.Effect{core.Cancel{Task: storyWatch(s.Session.Opened)}}
}

package app

import (
	"sync"

	"fyne.io/fyne/v2"

	"github.com/refscope/refscope/gui/core"
)

// Post runs a function on the window's goroutine, soon and in order, and does not
// wait for it.
type Post func(func())

// fynePost is the post function of a real window. It is the only caller of
// fyne.Do.
func fynePost(f func()) { fyne.Do(f) }

// Store holds the state. Messages may be dispatched from any goroutine; they are
// taken one by one, in order, on the window's goroutine.
type Store struct {
	post    Post
	changed func(old, now core.State, effects []core.Effect)

	mu     sync.Mutex
	queue  []core.Msg
	posted bool // a drain is on its way or running

	// Touched on the window's goroutine only.
	now      core.State
	draining bool
}

// newStore makes a store. changed is called on the window's goroutine after every
// message, with the state before and after it.
func newStore(first core.State, post Post, changed func(old, now core.State, effects []core.Effect)) *Store {
	return &Store{post: post, changed: changed, now: first}
}

// Dispatch queues a message.
func (s *Store) Dispatch(m core.Msg) {
	s.mu.Lock()
	s.queue = append(s.queue, m)
	wake := !s.posted
	s.posted = true
	s.mu.Unlock()
	if wake {
		s.post(s.drain)
	}
}

// dispatchNow takes a message at once, after those that wait: what a key does is done
// before the next key arrives, so a dialog that it opens gets what is typed into it. Call
// it on the window's goroutine. From within changed it queues, as Dispatch does.
func (s *Store) dispatchNow(m core.Msg) {
	s.mu.Lock()
	s.queue = append(s.queue, m)
	s.mu.Unlock()
	if !s.draining {
		s.drain()
	}
}

// drain takes messages until there are none. A message that is dispatched from
// within changed waits its turn, so updates never nest.
func (s *Store) drain() {
	s.draining = true
	defer func() { s.draining = false }()
	for {
		s.mu.Lock()
		if len(s.queue) == 0 {
			s.posted = false
			s.mu.Unlock()
			return
		}
		m := s.queue[0]
		s.queue = s.queue[1:]
		s.mu.Unlock()

		old := s.now
		now, effects := core.Update(old, m)
		s.now = now
		s.changed(old, now, effects)
	}
}

// State is the present state. Call it on the window's goroutine.
func (s *Store) State() core.State { return s.now }

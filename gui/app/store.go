package app

import (
	"context"
	"sync"
	"time"

	"fyne.io/fyne/v2"

	"github.com/refscope/refscope/gui/core"
)

// Post runs a function on the window's goroutine, soon and in order, and does not
// wait for it.
type Post func(func())

// FynePost is the post function of a real window. It is the only caller of
// fyne.Do.
func FynePost(f func()) { fyne.Do(f) }

// Store holds the state. Messages may be dispatched from any goroutine; they are
// taken one by one, in order, on the window's goroutine.
type Store struct {
	post    Post
	changed func(old, now core.State, effects []core.Effect)

	mu     sync.Mutex
	queue  []core.Msg
	posted bool          // a drain is on its way or running
	soon   int           // work under way that is waited for, see [core.SoonWork]
	front  int           // work under way that others give way to, see [core.FrontWork]
	free   chan struct{} // closed while there is no such work; nil before the first

	// woken has a value where a message came, or such work ended.
	woken chan struct{}

	// Touched on the window's goroutine only.
	patience time.Duration // how long a drain waits for what comes soon
	now      core.State
	draining bool
}

// newStore makes a store. changed is called on the window's goroutine after every
// message, with the state before and after it.
func newStore(first core.State, post Post, changed func(old, now core.State, effects []core.Effect)) *Store {
	return &Store{post: post, changed: changed, now: first, woken: make(chan struct{}, 1),
		patience: patience}
}

// Dispatch queues a message.
func (s *Store) Dispatch(m core.Msg) {
	s.mu.Lock()
	s.queue = append(s.queue, m)
	wake := !s.posted
	s.posted = true
	s.mu.Unlock()
	s.wake()
	if wake {
		s.post(s.drain)
	}
}

func (s *Store) wake() {
	select {
	case s.woken <- struct{}{}:
	default:
	}
}

// await counts work that a person waits for: 1 where some begins, -1 where its answer was dispatched. Soon: the window
// waits for it too.
func (s *Store) await(by int, soon bool) {
	s.mu.Lock()
	if s.front == 0 {
		s.free = make(chan struct{})
	}
	if s.front += by; s.front == 0 {
		close(s.free)
	}
	if soon {
		s.soon += by
	}
	s.mu.Unlock()
	s.wake()
}

// giveWay waits until there is no work that a person waits for.
func (s *Store) giveWay(ctx context.Context) {
	s.mu.Lock()
	free := s.free
	s.mu.Unlock()
	if free == nil {
		return
	}
	select {
	case <-free:
	case <-ctx.Done():
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

// patience is how long the window waits for work that is mostly done within a frame.
const patience = 80 * time.Millisecond

// drain takes messages until there are none, nor one that comes soon. A message that is dispatched from
// within changed waits its turn, so updates never nest.
func (s *Store) drain() {
	s.draining = true
	defer func() { s.draining = false }()
	var over <-chan time.Time
	tired := false
	for {
		s.mu.Lock()
		for len(s.queue) == 0 {
			if s.soon == 0 || tired {
				s.posted = false
				s.mu.Unlock()
				return
			}
			if over == nil {
				over = time.After(s.patience)
			}
			tired = !s.sleep(over)
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

// sleep waits, with the lock given up meanwhile, until something came or ended; false where the time was over.
func (s *Store) sleep(over <-chan time.Time) bool {
	s.mu.Unlock()
	defer s.mu.Lock()
	select {
	case <-s.woken:
		return true
	case <-over:
		return false
	}
}

// State is the present state. Call it on the window's goroutine.
func (s *Store) State() core.State { return s.now }

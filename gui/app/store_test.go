package app

import (
	"context"
	"image"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/picture"
)

func blankState() core.State {
	return core.New(Rooms(), core.Prefs{}, "", image.Pt(1280, 720), nil, nil, nil)
}

func TestStoreNeverNestsUpdates(t *testing.T) {
	depth, seen := 0, []float64{}
	var s *Store
	s = newStore(blankState(), func(f func()) { f() }, func(_, now core.State, _ []core.Effect) {
		depth++
		require.Equal(t, 1, depth)
		seen = append(seen, now.Zoom)
		if now.Zoom < 3 {
			s.Dispatch(picture.Zoomed(now.Zoom + 1))
			s.Dispatch(core.HelpToggled())
		}
		depth--
	})
	s.Dispatch(picture.Zoomed(1))
	require.Equal(t, 3.0, s.State().Zoom)
	require.Equal(t, []float64{1, 2}, seen[:2], "in the order in which they were dispatched")
}

func TestStoreTakesMessagesFromAnywhere(t *testing.T) {
	posted := make(chan func(), 1000)
	count := 0
	s := newStore(blankState(), func(f func()) { posted <- f }, func(_, _ core.State, _ []core.Effect) { count++ })
	var work sync.WaitGroup
	for range 8 {
		work.Go(func() {
			for range 100 {
				s.Dispatch(core.HelpToggled())
			}
		})
	}
	work.Wait()
	close(posted)
	for f := range posted {
		f()
	}
	require.Equal(t, 800, count)
	require.Empty(t, s.queue)
	require.Empty(t, s.State().Dialog, "800 times there and back")
}

// TestStoreWaitsForWhatComesSoon: an answer that is about to come is taken before the window paints, one that does not
// come is not waited for, and it is taken when it does.
func TestStoreWaitsForWhatComesSoon(t *testing.T) {
	posted := make(chan func(), 1000)
	count := 0
	s := newStore(blankState(), func(f func()) { posted <- f }, func(_, _ core.State, _ []core.Effect) { count++ })
	begun := make(chan bool)
	s.patience = time.Hour
	s.await(1, true)
	go func() {
		<-begun
		s.Dispatch(core.HelpToggled())
		s.await(-1, true)
	}()
	s.Dispatch(core.HelpToggled())
	close(begun)
	(<-posted)()
	require.Equal(t, 2, count, "one call took both")
	require.Empty(t, posted)

	s.patience = time.Millisecond
	s.await(1, true) // never ends in time
	s.Dispatch(core.HelpToggled())
	(<-posted)()
	require.Equal(t, 3, count)
	s.Dispatch(core.HelpToggled())
	s.await(-1, true)
	(<-posted)()
	require.Equal(t, 4, count)
	require.Empty(t, s.queue)
}

func TestStoreLosesNothingWhileItWaits(t *testing.T) {
	posted := make(chan func(), 10_000)
	count := 0
	s := newStore(blankState(), func(f func()) { posted <- f }, func(_, _ core.State, _ []core.Effect) { count++ })
	done := make(chan bool)
	go func() {
		var work sync.WaitGroup
		for range 8 {
			work.Go(func() {
				for range 200 {
					s.await(1, true)
					s.Dispatch(core.HelpToggled())
					s.await(-1, true)
				}
			})
		}
		work.Wait()
		close(done)
	}()
	for {
		select {
		case f := <-posted:
			f()
			continue
		case <-done:
		}
		break
	}
	for len(posted) > 0 {
		(<-posted)()
	}
	require.Equal(t, 1600, count)
	require.Empty(t, s.queue)
	require.Zero(t, s.soon)
}

// TestWorkBehindTheWindowGivesWay to what a person waits for, and to nothing else.
func TestWorkBehindTheWindowGivesWay(t *testing.T) {
	s := newStore(blankState(), func(f func()) { f() }, func(_, _ core.State, _ []core.Effect) {})
	s.giveWay(t.Context()) // nobody waits yet
	s.await(1, false)
	s.await(1, false)
	passed := make(chan bool)
	go func() {
		s.giveWay(t.Context())
		close(passed)
	}()
	s.await(-1, false)
	select {
	case <-passed:
		require.Fail(t, "work is still waited for")
	default:
	}
	s.await(-1, false)
	<-passed
	s.await(1, false)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	s.giveWay(ended)
}

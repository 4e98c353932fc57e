package target

import (
	"context"
	"sync"

	"github.com/refscope/refscope/capture/session"
)

// InOrder does work for the items 0 to n-1, at most jobs of them at a time, and passes the
// results to take one after the other, in the order of the items and in the caller's
// goroutine. At most jobs results wait for those before them, so memory is bounded. Where
// take fails, what is in progress is broken off and its error returned.
func InOrder[T any](ctx context.Context, jobs, n int, work func(ctx context.Context, i int) T,
	take func(i int, result T) error) error {
	ctx, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()
	results := make([]chan T, n)
	for i := range results {
		results[i] = make(chan T, 1)
	}
	slots, ahead := make(chan struct{}, jobs), make(chan struct{}, 2*jobs) // in progress; begun and not taken
	running.Go(func() {
		for i := range n {
			for _, free := range []chan struct{}{ahead, slots} {
				select {
				case free <- struct{}{}:
				case <-ctx.Done():
					return
				}
			}
			running.Go(func() {
				results[i] <- work(ctx, i)
				<-slots
			})
		}
	})
	for i := range n {
		select {
		case result := <-results[i]:
			<-ahead
			if err := take(i, result); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// outcome is the outcome for one target.
type outcome struct {
	target *Opened
	err    error
}

// OpenAll opens targets, at most jobs at a time, and passes them to take in their order. Turns
// that go to one session are saved in that order too, whichever page is ready first.
func (o *Opener) OpenAll(ctx context.Context, jobs int, targets []string, s session.Options,
	take func(target string, r *Opened, err error) error) error {
	var queue savingQueue
	if s.Store != nil {
		queue = newSavingQueue(len(targets))
	}
	if o.Pool != nil && writesIntoPage(s) {
		jobs = 1 // a page that waits for its turn to be saved keeps its browser, and the turn before may need that
	}
	work := func(ctx context.Context, i int) outcome {
		own := s
		if queue != nil {
			defer close(queue[i+1])
			own.BeforeSave = func() error { return queue.wait(ctx, i) }
		}
		r, err := o.Open(ctx, targets[i], own)
		if queue != nil && queue.wait(ctx, i) != nil { // one that failed early keeps its place too
			return outcome{err: ctx.Err()}
		}
		return outcome{r, err}
	}
	return InOrder(ctx, jobs, len(targets), work, func(i int, r outcome) error {
		return take(targets[i], r.target, r.err)
	})
}

// savingQueue orders the savings of turns: channel i is closed when turn i may be saved.
type savingQueue []chan struct{}

func newSavingQueue(n int) savingQueue {
	q := make(savingQueue, n+1) // the last one is nobody's
	for i := range q {
		q[i] = make(chan struct{})
	}
	close(q[0])
	return q
}

func (q savingQueue) wait(ctx context.Context, i int) error {
	select {
	case <-q[i]:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

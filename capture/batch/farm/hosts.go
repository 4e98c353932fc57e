package farm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// hostPatience is how long a worker holds a page whose host has no place for it. Then the page goes
// back into the queue, and others have their turn.
const hostPatience = 2 * time.Second

// hostPoll is how often it looks for a place meanwhile.
const hostPoll = 100 * time.Millisecond

// hostLease is the place that a page has at its host while it is worked on.
type hostLease struct {
	q        *Queue
	key      string
	revision uint64 // of the place as this worker wrote it last; another one than that is another worker's
	stop     context.CancelFunc
	work     sync.WaitGroup
}

// hostKey names a host in the buckets: a host can have characters that a key cannot.
func hostKey(host string) string {
	sum := sha256.Sum256([]byte(host))
	return hex.EncodeToString(sum[:8])
}

// lease waits for a place at the host of a page and for the time when the next one may begin there. Where
// that takes longer than [hostPatience], the lease is nil and wait is when to ask again.
func (q *Queue) lease(ctx context.Context, host string, m *message, worker string) (*hostLease, time.Duration, error) {
	l := &hostLease{q: q, stop: func() {}}
	if host == "" {
		return l, 0, nil
	}
	until := time.Now().Add(hostPatience)
	for {
		took, err := l.take(ctx, hostKey(host), m.PerHost, worker)
		if err != nil {
			return nil, 0, err
		}
		wait := time.Second
		if took {
			if wait, err = q.begin(ctx, hostKey(host), m.Delay); err != nil {
				l.release(ctx)
				return nil, 0, err
			}
			if wait == 0 {
				return l, 0, nil
			}
			l.release(ctx) // it is another's until then
		}
		left := time.Until(until)
		if left <= 0 || took && wait > left {
			return nil, wait, nil
		}
		if !took {
			wait = hostPoll
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil, 0, ctx.Err()
		}
	}
}

// take takes one of perHost places at a host, if one is free; 0 is any number. A place that its worker does not
// refresh, as it was killed, is free after [Options.AckWait].
func (l *hostLease) take(ctx context.Context, host string, perHost int, worker string) (bool, error) {
	if perHost <= 0 {
		return true, nil
	}
	for i := range perHost {
		key := host + "." + strconv.Itoa(i)
		revision, err := l.q.places.Create(ctx, key, []byte(worker))
		if errors.Is(err, jetstream.ErrKeyExists) {
			continue
		}
		if err != nil {
			return false, fmt.Errorf("a place at the host: %w", err)
		}
		l.key, l.revision = key, revision
		in, stop := context.WithCancel(ctx)
		l.stop = stop
		l.work.Go(func() { l.refresh(in, worker) })
		return true, nil
	}
	return false, nil
}

// refresh keeps the place until it is released.
func (l *hostLease) refresh(ctx context.Context, worker string) {
	tick := time.NewTicker(l.q.opt.AckWait / 3)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		next, err := l.q.places.Update(ctx, l.key, []byte(worker), l.revision)
		if err != nil { // it was not refreshed in its time, as where the machine slept
			next, err = l.q.places.Create(ctx, l.key, []byte(worker))
		}
		if err != nil {
			l.q.opt.Log.Debug("a place at a host was not refreshed", "error", err)
			continue
		}
		l.revision = next
	}
}

// release gives the place to another page. A place that was lost meanwhile is left to the worker that has it.
func (l *hostLease) release(ctx context.Context) {
	l.stop()
	l.work.Wait()
	if l.key == "" {
		return
	}
	in, cancel := context.WithTimeout(context.WithoutCancel(ctx), shortRequest)
	defer cancel()
	if err := l.q.places.Delete(in, l.key, jetstream.LastRevision(l.revision)); err != nil {
		l.q.opt.Log.Debug("a place at a host was not released", "error", err) // it is free after its time
	}
	l.key, l.stop = "", func() {}
}

// begin notes that a page of a host begins, so that the next one does after delay. Where none may begin yet, it
// returns how long that takes. The clocks of the workers are those of their machines.
func (q *Queue) begin(ctx context.Context, host string, delay time.Duration) (time.Duration, error) {
	wait := time.Duration(0)
	err := q.editPause(ctx, host, func(next time.Time) time.Time {
		now := time.Now()
		if wait = max(0, next.Sub(now)); wait > 0 || delay <= 0 {
			return next
		}
		return now.Add(delay)
	})
	return wait, err
}

// leaveAlone makes all workers leave a host alone for that long.
func (q *Queue) leaveAlone(ctx context.Context, host string, pause time.Duration) error {
	if host == "" || pause <= 0 {
		return nil
	}
	return q.editPause(ctx, hostKey(host), func(next time.Time) time.Time {
		if at := time.Now().Add(pause); at.After(next) {
			return at
		}
		return next
	})
}

// editPause changes when the next page of a host may begin, by compare-and-set.
func (q *Queue) editPause(ctx context.Context, host string, edit func(next time.Time) time.Time) error {
	for {
		var next time.Time
		var revision uint64
		kept, err := q.pauses.Get(ctx, host)
		switch {
		case errors.Is(err, jetstream.ErrKeyNotFound):
		case err != nil:
			return fmt.Errorf("the pause of the host: %w", err)
		default:
			revision = kept.Revision()
			if err := next.UnmarshalText(kept.Value()); err != nil {
				next = time.Time{} // as if nobody had written it
			}
		}
		to := edit(next)
		if to.Equal(next) {
			return nil
		}
		value, err := to.UTC().MarshalText()
		if err != nil {
			return err
		}
		if revision == 0 {
			_, err = q.pauses.Create(ctx, host, value)
		} else {
			_, err = q.pauses.Update(ctx, host, value, revision)
		}
		if err == nil {
			return nil
		}
		if !overtaken(err) {
			return fmt.Errorf("the pause of the host: %w", err)
		}
	}
}

// overtaken reports whether another one wrote first.
func overtaken(err error) bool {
	var api *jetstream.APIError
	return errors.Is(err, jetstream.ErrKeyExists) ||
		errors.As(err, &api) && api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence
}

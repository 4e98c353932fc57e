package farm

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/refscope/refscope/capture/batch"
)

// causeLost is the cause of a page that no worker ended.
const causeLost = "worker lost"

// WorkOptions configure a worker.
type WorkOptions struct {
	Name string // of this worker, in the manifest
	Jobs int    // pages at a time; 1 if 0
	// Idle ends the work when nothing came for that long; 0 never does.
	Idle time.Duration
	// PageTimeout bounds an attempt at a page by what its batch asks for; nil for no bound.
	PageTimeout func(spec json.RawMessage) time.Duration
	// Do does a page as its batch asks for it; profile is the text of the page's site profile.
	Do func(ctx context.Context, spec json.RawMessage, p *batch.Page, profile, dir string) (batch.Result, error)
	// Progress is called with each page that ended here; nil for nobody.
	Progress func(*batch.Entry)
}

// Work does pages until ctx ends, or nothing comes for long enough. What is in progress then goes
// back into the queue.
func (q *Queue) Work(ctx context.Context, o WorkOptions) error {
	var consumer jetstream.Consumer
	err := q.again(ctx, "consumer", shortRequest, func(ctx context.Context) (err error) {
		consumer, err = q.consumer(ctx)
		return err
	})
	if err != nil {
		return err
	}
	var work sync.WaitGroup
	for range max(1, o.Jobs) {
		work.Go(func() { q.workAlong(ctx, consumer, &o) })
	}
	work.Wait()
	return nil
}

// fetchWait is how long one request for a page waits at the server.
const fetchWait = 2 * time.Second

// workAlong does one page after the other.
func (q *Queue) workAlong(ctx context.Context, consumer jetstream.Consumer, o *WorkOptions) {
	last := time.Now()
	for ctx.Err() == nil {
		wait := fetchWait
		if o.Idle > 0 {
			left := o.Idle - time.Since(last)
			if left <= 0 {
				return
			}
			wait = min(wait, left)
		}
		msg, err := consumer.Next(jetstream.FetchMaxWait(max(wait, 10*time.Millisecond)))
		if err == nil {
			q.handle(ctx, msg, o)
			last = time.Now()
			continue
		}
		if errors.Is(err, jetstream.ErrConsumerNotFound) || errors.Is(err, jetstream.ErrConsumerDeleted) {
			_, err = q.consumer(ctx)
		}
		if err != nil && !q.nc.IsConnected() {
			q.opt.Log.Debug("waiting for the queue", "error", err)
			select {
			case <-ctx.Done():
			case <-time.After(200 * time.Millisecond):
			}
		}
	}
}

// handle does the page of a message.
func (q *Queue) handle(ctx context.Context, msg jetstream.Msg, o *WorkOptions) {
	var m message
	err := json.Unmarshal(msg.Data(), &m)
	if err != nil || m.Run == "" || m.Page.Target == "" {
		q.opt.Log.Warn("a message of the queue is not a page and was removed", "error", err)
		_ = msg.TermWithReason("it is not a page") // a server that is away hands it out again
		return
	}
	m.Page.Place = m.Place
	key := m.Run + "." + m.Page.Key()
	alive, stop := context.WithCancel(ctx)
	var beat sync.WaitGroup
	beat.Go(func() {
		tick := time.NewTicker(q.opt.AckWait / 3)
		defer tick.Stop()
		for {
			select {
			case <-alive.Done():
				return
			case <-tick.C:
				_ = msg.InProgress() // the next one may get through
			}
		}
	})
	defer beat.Wait()
	defer stop()
	if err := q.page(ctx, msg, &m, key, o); err != nil && ctx.Err() == nil {
		q.opt.Log.Warn("a page goes back into the queue", "page", key, "error", err)
		_ = msg.NakWithDelay(time.Second) // else it comes back by itself
	} else if ctx.Err() != nil {
		_ = msg.Nak() // another worker takes it at once
	}
}

// page does a page, unless it has ended before, and stores how it ended. An error is of the queue.
func (q *Queue) page(ctx context.Context, msg jetstream.Msg, m *message, key string, o *WorkOptions) error {
	var before *progress
	err := q.again(ctx, "progress", shortRequest, func(ctx context.Context) (err error) {
		before, _, err = q.state(ctx, key)
		return err
	})
	if err != nil {
		return err
	}
	if before == nil {
		before = &progress{}
	}
	if before.Entry != nil {
		return msg.DoubleAck(ctx)
	}
	p := &m.Page
	host, wait, err := q.lease(ctx, p.Host(), m, o.Name)
	if err != nil {
		return err
	}
	if host == nil {
		return msg.NakWithDelay(wait)
	}
	defer host.release(ctx)
	dir, err := os.MkdirTemp("", "refscope-page-")
	if err != nil {
		return fmt.Errorf("a folder for the page: %w", err)
	}
	defer os.RemoveAll(dir)
	began := time.Now()
	var r batch.Result
	if lost := before.Begun - before.Attempts; lost >= mostLost {
		err = &batch.Failure{Cause: causeLost, Lasting: true,
			Err: fmt.Errorf("%d workers began it, and none of them ended it", lost)}
	} else {
		now := &progress{Attempts: before.Attempts, Begun: before.Begun + 1, Worker: o.Name}
		if _, err := q.setState(ctx, key, now); err != nil {
			return err
		}
		var limit time.Duration
		if o.PageTimeout != nil {
			limit = o.PageTimeout(m.Spec)
		}
		r, err = batch.Attempt(ctx, p, func(ctx context.Context, p *batch.Page, dir string) (batch.Result, error) {
			return o.Do(ctx, m.Spec, p, m.ProfileText, dir)
		}, dir, limit)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	attempts := before.Attempts + 1
	pause := batch.HostPause(err, attempts)
	if perr := q.leaveAlone(ctx, p.Host(), pause); perr != nil {
		return perr
	}
	if err != nil && attempts <= m.Retry && !batch.Lasting(err) {
		if _, serr := q.setState(ctx, key, &progress{Attempts: attempts, Begun: before.Begun + 1}); serr != nil {
			return serr
		}
		return msg.NakWithDelay(max(batch.Pause(attempts), pause))
	}
	e := batch.EntryOf(p, r, err)
	e.Work = &batch.Work{Began: began.UTC(), Seconds: time.Since(began).Round(time.Millisecond).Seconds(),
		Attempts: attempts, Worker: o.Name}
	return q.end(ctx, msg, key, e, dir, o)
}

// end stores the files and the end of a page, and acknowledges it then.
func (q *Queue) end(ctx context.Context, msg jetstream.Msg, key string, e *batch.Entry, dir string,
	o *WorkOptions) error {
	done := &progress{Entry: e}
	if len(e.Files) > 0 || e.Outcome == batch.OK {
		done.Object = key + "." + rand.Text()
		err := q.again(ctx, "files", longRequest, func(ctx context.Context) error {
			return q.storeFiles(ctx, done.Object, dir)
		})
		if err != nil {
			return err
		}
	}
	var mine bool
	err := q.again(ctx, "end", shortRequest, func(ctx context.Context) (err error) {
		mine, err = q.setState(ctx, key, done)
		return err
	})
	if err != nil {
		return err
	}
	if !mine { // another worker ended it first, or the answer to our own writing was lost
		kept, _, err := q.state(ctx, key)
		if err == nil && kept != nil && kept.Object != done.Object && done.Object != "" {
			_ = q.results.Delete(ctx, done.Object) // it is removed with its time
		}
	}
	if mine && e.Outcome == batch.Failed {
		data, err := json.Marshal(e)
		if err != nil {
			return err
		}
		err = q.again(ctx, "dead letter", shortRequest, func(ctx context.Context) error {
			_, err := q.js.Publish(ctx, deadSubject+key, data, jetstream.WithMsgID(key))
			return err
		})
		if err != nil {
			return err
		}
	}
	if mine && o.Progress != nil {
		o.Progress(e)
	}
	return msg.DoubleAck(ctx)
}

package farm

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/refscope/refscope/capture/batch"
)

// CollectOptions configure how a batch is handed out and collected.
type CollectOptions struct {
	Spec  json.RawMessage // what is done to each page
	Retry int             // how often a page is tried again that failed
	// PerHost is how many pages of one host all workers together work on at a time, 0 for any number; Delay is
	// the least time between the beginnings of two.
	PerHost int
	Delay   time.Duration
	// Profile is the text of the site profile of a page, "" for none.
	Profile func(p *batch.Page) (string, error)
	// Progress is called with each page that ended; nil for nobody.
	Progress func(*batch.Entry)
}

// Collect enqueues the pages of a batch that are not done, and puts their results into the folder
// as workers end them, until all have ended. The header of the folder must have a Run. It can be
// killed and called again: what is enqueued is not enqueued twice, and what was collected is not
// collected again.
func (q *Queue) Collect(ctx context.Context, f *batch.Folder, pages []batch.Page, o CollectOptions) error {
	c := &collector{q: q, folder: f, opt: o, run: f.Header.Run, missing: map[string]*batch.Page{}}
	if c.run == "" {
		return errors.New("its batch was begun without a queue: continue it without one")
	}
	for i := range pages {
		p := &pages[i]
		key := p.Key()
		if f.Done(key) {
			continue
		}
		c.missing[key] = p
		round := ""
		if f.Ended(key) { // it failed, and is to be done again
			round = rand.Text()
			err := q.again(ctx, "progress", shortRequest, func(ctx context.Context) error {
				return q.progress.Purge(ctx, c.run+"."+key)
			})
			if err != nil {
				return err
			}
		}
		if err := c.enqueue(ctx, p, round); err != nil {
			return err
		}
	}
	for len(c.missing) > 0 {
		before := len(c.missing)
		if err := c.watch(ctx); err != nil {
			return err
		}
		if len(c.missing) == before {
			if err := c.enqueueLost(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// collector collects one batch.
type collector struct {
	q       *Queue
	folder  *batch.Folder
	opt     CollectOptions
	run     string
	missing map[string]*batch.Page // by key
}

// enqueue puts a page into the queue, once for each round.
func (c *collector) enqueue(ctx context.Context, p *batch.Page, round string) error {
	m := message{Run: c.run, Spec: c.opt.Spec, Retry: c.opt.Retry, PerHost: c.opt.PerHost, Delay: c.opt.Delay, Page: *p,
		Place: p.Place}
	if c.opt.Profile != nil {
		var err error
		if m.ProfileText, err = c.opt.Profile(p); err != nil {
			return err
		}
	}
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	name := c.run + "." + p.Key()
	return c.q.again(ctx, "enqueueing", shortRequest, func(ctx context.Context) error {
		_, err := c.q.js.Publish(ctx, pagesSubject+name, data, jetstream.WithMsgID(name+"."+round),
			jetstream.WithExpectStream(pagesStream))
		return err
	})
}

// watchFor is how long one watch lasts: what it may have missed, as when the server was away, the
// next one sees.
const watchFor = 10 * time.Second

// watch collects what has ended and what ends within its time.
func (c *collector) watch(ctx context.Context) error {
	in, cancel := context.WithTimeout(ctx, watchFor)
	defer cancel()
	watcher, err := c.q.progress.Watch(in, c.run+".*", jetstream.IgnoreDeletes())
	if err != nil {
		return c.pause(ctx, err)
	}
	defer func() { _ = watcher.Stop() }() // the connection may be away
	for len(c.missing) > 0 {
		select {
		case <-in.Done():
			return ctx.Err()
		case update, ok := <-watcher.Updates():
			if !ok {
				return c.pause(ctx, errors.New("the watch ended"))
			}
			if update == nil { // all that was there
				continue
			}
			if err := c.take(ctx, update.Key()[len(c.run)+1:], update.Value()); err != nil {
				return err
			}
		}
	}
	return nil
}

// pause waits a moment after an error of the queue.
func (c *collector) pause(ctx context.Context, err error) error {
	c.q.opt.Log.Debug("waiting for the queue", "error", err)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(300 * time.Millisecond):
		return nil
	}
}

// take collects a page, if it has ended and is still missing.
func (c *collector) take(ctx context.Context, key string, value []byte) error {
	var p progress
	page := c.missing[key]
	if page == nil || json.Unmarshal(value, &p) != nil || p.Entry == nil {
		return nil
	}
	// What others wrote is not believed where this one knows it.
	known := batch.EntryOf(page, batch.Result{}, nil)
	e := p.Entry
	e.Key, e.Place, e.Target, e.Name, e.Device = known.Key, known.Place, known.Target, known.Name, known.Device
	workspace := ""
	if p.Object != "" {
		err := c.q.again(ctx, "files", longRequest, func(ctx context.Context) error {
			dir, err := c.folder.Workspace(key)
			if err != nil {
				return err
			}
			workspace = dir
			err = c.q.fetchFiles(ctx, p.Object, dir)
			if errors.Is(err, jetstream.ErrObjectNotFound) {
				workspace = ""
				return nil
			}
			return err
		})
		if err != nil {
			return err
		}
		if workspace == "" { // its files are gone, with their time or by somebody's hand
			err := c.q.again(ctx, "progress", shortRequest, func(ctx context.Context) error {
				return c.q.progress.Purge(ctx, c.run+"."+key)
			})
			if err != nil {
				return err
			}
			return c.enqueue(ctx, page, rand.Text())
		}
	}
	if err := c.folder.Add(e, workspace); err != nil {
		return err
	}
	delete(c.missing, key)
	if c.opt.Progress != nil {
		c.opt.Progress(e)
	}
	if p.Object != "" {
		in, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		_ = c.q.results.Delete(in, p.Object) // it is removed with its time
	}
	return nil
}

// enqueueLost puts pages back that are neither in the queue nor ended, as after somebody has
// emptied it.
func (c *collector) enqueueLost(ctx context.Context) error {
	stream, err := c.q.js.Stream(ctx, pagesStream)
	if err != nil {
		return c.pause(ctx, err)
	}
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(pagesSubject+c.run+".>"))
	if err != nil {
		return c.pause(ctx, err)
	}
	for key, p := range c.missing {
		if info.State.Subjects[pagesSubject+c.run+"."+key] > 0 {
			continue
		}
		kept, _, err := c.q.state(ctx, c.run+"."+key)
		if err != nil {
			return c.pause(ctx, err)
		}
		if kept != nil && kept.Entry != nil {
			continue // the next watch takes it
		}
		c.q.opt.Log.Warn("a page was in the queue no more and is put back", "page", key)
		if err := c.enqueue(ctx, p, rand.Text()); err != nil {
			return fmt.Errorf("page %s: %w", key, err)
		}
	}
	return nil
}

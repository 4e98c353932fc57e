package farm

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/refscope/refscope/capture/batch"
	"github.com/refscope/refscope/snapshot/redact"
)

const (
	pagesStream   = "REFSCOPE_PAGES"
	deadStream    = "REFSCOPE_DEAD"
	workers       = "workers" // the consumer that all workers share
	progressStore = "refscope-progress"
	resultStore   = "refscope-results"
	placeStore    = "refscope-places"
	pauseStore    = "refscope-pauses"

	pagesSubject = "refscope.pages."
	deadSubject  = "refscope.dead."
)

// How long the queue keeps what nobody asks for any more, and remembers ids.
const (
	keptFor   = 7 * 24 * time.Hour
	dedupeFor = 24 * time.Hour
	// longestPause is how long a host can be left alone.
	longestPause = time.Hour
)

// mostLost is how many workers may begin a page and not end it, as they were killed with it.
const mostLost = 24

// Options configure a connection.
type Options struct {
	// Credentials is the .creds file of the client, "" for none.
	Credentials string
	// AckWait is how long a worker may be silent before its page goes to another one;
	// 30 s if 0. All who connect should have the same.
	AckWait time.Duration
	Log     *slog.Logger // nil discards
}

// defaultAckWait is how long a worker may be silent.
const defaultAckWait = 30 * time.Second

// Queue is a connection to a queue. It is safe for concurrent use, and connects again for as long
// as it is not closed.
type Queue struct {
	opt      Options
	nc       *nats.Conn
	js       jetstream.JetStream
	progress jetstream.KeyValue
	results  jetstream.ObjectStore
	places   jetstream.KeyValue // at hosts, of pages that are worked on
	pauses   jetstream.KeyValue // when the next page of a host may begin
}

// message is a page in the queue.
type message struct {
	Run         string          `json:"run"`
	Spec        json.RawMessage `json:"spec"` // what is to be done, as the caller spells it
	Retry       int             `json:"retry"`
	PerHost     int             `json:"perHost,omitempty"` // pages of its host at a time, 0 for any number
	Delay       time.Duration   `json:"delay,omitempty"`   // between the beginnings of two
	Page        batch.Page      `json:"page"`
	Place       int             `json:"place"`
	ProfileText string          `json:"profileText,omitempty"`
}

// progress is how far a page is.
type progress struct {
	Attempts int    `json:"attempts,omitempty"` // that failed
	Begun    int    `json:"begun,omitempty"`    // attempts that began, also those of workers that were killed
	Worker   string `json:"worker,omitempty"`   // who works at it
	// Entry is how it ended, nil until then, and Object its files, "" for none.
	Entry  *batch.Entry `json:"entry,omitempty"`
	Object string       `json:"object,omitempty"`
}

// Connect connects to the server at an address, nats:// or tls://, and makes what the queue needs
// where it is not there. Its errors hold no secret of the address.
func Connect(ctx context.Context, address string, o Options) (*Queue, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.AckWait = cmp.Or(o.AckWait, defaultAckWait)
	q := &Queue{opt: o}
	options := []nats.Option{
		nats.Name("refscope"), nats.MaxReconnects(-1), nats.ReconnectWait(200 * time.Millisecond),
		nats.Timeout(10 * time.Second), nats.RetryOnFailedConnect(false), nats.CustomInboxPrefix("_INBOX.refscope"),
	}
	if o.Credentials != "" {
		options = append(options, nats.UserCredentials(o.Credentials))
	}
	var err error
	if q.nc, err = nats.Connect(address, options...); err != nil {
		return nil, fmt.Errorf("connecting to the queue at %s: %w", Address(address), err)
	}
	if err := q.prepare(ctx); err != nil {
		q.Close()
		return nil, fmt.Errorf("the queue at %s: %w", Address(address), err)
	}
	return q, nil
}

// Address is the address of a queue as it may be shown: without user, password and token.
func Address(address string) string {
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		scheme, rest = "nats", address
	}
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		rest = rest[at+1:]
	}
	return redact.Standard().Clean(scheme + "://" + rest)
}

// Close ends the connection.
func (q *Queue) Close() { q.nc.Close() }

func (q *Queue) prepare(ctx context.Context) (err error) {
	if q.js, err = jetstream.New(q.nc); err != nil {
		return err
	}
	for _, c := range []jetstream.StreamConfig{
		{Name: pagesStream, Subjects: []string{pagesSubject + ">"}, Retention: jetstream.WorkQueuePolicy,
			MaxAge:     keptFor,
			Duplicates: dedupeFor, Description: "pages that are to be captured"},
		{Name: deadStream, Subjects: []string{deadSubject + ">"}, MaxAge: keptFor,
			Description: "pages that failed for good, with the reason"},
	} {
		if _, err := q.js.CreateOrUpdateStream(ctx, c); err != nil {
			return fmt.Errorf("stream %s: %w (the server must have JetStream enabled)", c.Name, err)
		}
	}
	q.progress, err = q.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: progressStore, TTL: keptFor})
	if err != nil {
		return fmt.Errorf("bucket %s: %w", progressStore, err)
	}
	for store, c := range map[*jetstream.KeyValue]jetstream.KeyValueConfig{
		&q.places: {Bucket: placeStore, TTL: q.opt.AckWait,
			Description: "places at hosts, for as long as they are refreshed"},
		&q.pauses: {Bucket: pauseStore, TTL: longestPause, Description: "when the next page of a host may begin"},
	} {
		if *store, err = q.js.CreateOrUpdateKeyValue(ctx, c); err != nil {
			return fmt.Errorf("bucket %s: %w", c.Bucket, err)
		}
	}
	q.results, err = q.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: resultStore, TTL: keptFor})
	if err != nil {
		return fmt.Errorf("object store %s: %w", resultStore, err)
	}
	return nil
}

// consumer is the consumer that all workers share.
func (q *Queue) consumer(ctx context.Context) (jetstream.Consumer, error) {
	c, err := q.js.CreateOrUpdateConsumer(ctx, pagesStream, jetstream.ConsumerConfig{
		Durable: workers, AckPolicy: jetstream.AckExplicitPolicy, AckWait: q.opt.AckWait, MaxDeliver: -1,
		MaxAckPending: 10_000,
	})
	if err != nil {
		return nil, fmt.Errorf("the queue's consumer %s: %w", workers, err)
	}
	return c, nil
}

// state is how far a page is, with the revision of that; a nil state and 0 for one that nobody has
// begun.
func (q *Queue) state(ctx context.Context, key string) (*progress, uint64, error) {
	kept, err := q.progress.Get(ctx, key)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("the progress of %s: %w", key, err)
	}
	var p progress
	if err := json.Unmarshal(kept.Value(), &p); err != nil {
		return nil, 0, fmt.Errorf("the progress of %s: %w", key, err)
	}
	return &p, kept.Revision(), nil
}

// setState writes how far a page is, unless it has ended. It reports whether it was written.
func (q *Queue) setState(ctx context.Context, key string, p *progress) (bool, error) {
	data, err := json.Marshal(p)
	if err != nil {
		return false, err
	}
	for {
		before, revision, err := q.state(ctx, key)
		if err != nil {
			return false, err
		}
		if before != nil && before.Entry != nil {
			kept, err := json.Marshal(before)
			return bytes.Equal(kept, data), err // ours, where the answer to the writing was lost
		}
		if before == nil {
			_, err = q.progress.Create(ctx, key, data)
		} else {
			_, err = q.progress.Update(ctx, key, data, revision)
		}
		if err == nil {
			return true, nil
		}
		if !overtaken(err) {
			return false, fmt.Errorf("the progress of %s: %w", key, err)
		}
	}
}

// How long one request may take: of a few bytes, and of the files of a page.
const (
	shortRequest = 5 * time.Second
	longRequest  = 2 * time.Minute
)

// again calls do until it succeeds or ctx ends: the server may be away for a while.
func (q *Queue) again(ctx context.Context, what string, limit time.Duration, do func(ctx context.Context) error) error {
	for wait := 100 * time.Millisecond; ; wait = min(2*wait, 2*time.Second) {
		in, cancel := context.WithTimeout(ctx, limit)
		err := do(in)
		cancel()
		if err == nil || ctx.Err() != nil {
			return errors.Join(ctx.Err(), err)
		}
		q.opt.Log.Debug("the queue did not answer", "what", what, "error", err)
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		}
	}
}

package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/refscope/refscope/capture/agent/apikey"
	"github.com/refscope/refscope/capture/agent/ask"
	files "github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/gui/replays"
	"github.com/refscope/refscope/snapshot/payload"
	"github.com/refscope/refscope/snapshot/tokens"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// answerTimeout bounds one answer, as in the command ask.
const answerTimeout = 2 * time.Minute

// question is a question about a turn of the session in use, made ready.
type question struct {
	ask.Question
	stored *turn.Payload
	// tokens are those of the body: the vendor's own count of the recorded one where counted is set.
	tokens  int
	counted bool
	output  int // of the recorded answer
	store   *turn.Store
}

// questionOf makes the request about a turn: as it is stored with it, or built again.
func (l *Live) questionOf(ctx context.Context, n int, a replays.Again) (*question, error) {
	q := &question{store: l.inUse()}
	if q.store == nil {
		return nil, errors.New("turns in memory hold no requests")
	}
	rec, err := q.store.Load(ctx, n)
	if err != nil {
		return nil, fmt.Errorf("reading turn %d: %w", n, err)
	}
	if q.stored = ask.Stored(rec.Payloads, 0); q.stored == nil {
		return nil, fmt.Errorf("turn %d holds no request to a model", n)
	}
	q.Question = ask.Question{Of: fmt.Sprintf("%s#%d", sessionName(q.store.Path()), n), Turn: n, Page: rec.Capture,
		Picture: rec.Picture, Dialect: q.stored.Dialect, Model: cmp.Or(a.Model, q.stored.Model), Body: q.stored.Bytes}
	switch {
	case a.Build:
		p, err := files.Payload(q.Dialect, payload.Input{Turn: n, Capture: rec.Capture, Picture: rec.Picture,
			Model: q.Model, Dump: a.Format, NoImage: a.NoImage, Counter: l.counter})
		if err != nil {
			return nil, fmt.Errorf("building the request of turn %d again: %w", n, err)
		}
		q.Body = p.Body
		q.tokens, _ = p.Tokens()
	case q.Model != q.stored.Model:
		if q.Body, err = ask.WithModel(q.Dialect, q.Body, q.Model); err != nil {
			return nil, fmt.Errorf("asking another model: %w", err)
		}
	}
	for _, p := range rec.Payloads {
		if p.Way != turn.Answer || p.Dialect != q.Dialect {
			continue
		}
		if answer, err := wire.ReadAnswer(p.Dialect, p.Bytes); err == nil {
			q.output = answer.Usage.Output
			if !a.Build {
				q.tokens, q.counted = answer.Usage.Input, q.Model == q.stored.Model && answer.Usage.Input > 0
			}
		}
		break
	}
	if q.tokens == 0 {
		q.tokens = tokens.Quarter(string(q.Body))
	}
	q.Changed(q.stored)
	return q, nil
}

// keyOf is the key for a question and where it comes from, both "" where there is none. Another endpoint than the
// vendor's own gets that of the environment alone, as with the command ask.
func keyOf(ctx context.Context, dialect, endpoint string) (key, from string) {
	v := apikey.Of(dialect)
	key, err := v.Find(ctx)
	switch {
	case err != nil:
		return "", ""
	case v.FromEnvironment():
		return key, v.Variable
	case endpoint != "":
		return "", ""
	}
	return key, "the keyring"
}

// Quote implements [replays.Engine].
func (l *Live) Quote(ctx context.Context, n int, a replays.Again) (*replays.Quote, error) {
	q, err := l.questionOf(ctx, n, a)
	if err != nil {
		return nil, err
	}
	o := ask.Options{}
	if err := o.Reach(q.Dialect, a.Endpoint, ""); err != nil {
		return nil, err
	}
	out := &replays.Quote{Model: q.Model, Tokens: q.tokens, Counted: q.counted, Output: q.output,
		Needed: a.Endpoint == "", Changes: q.Changes}
	if out.Host, err = o.Host(q.Dialect, q.Model); err != nil {
		return nil, err
	}
	if !a.Build {
		out.Marks = len(q.stored.Redacted)
	}
	_, out.Key = keyOf(ctx, q.Dialect, a.Endpoint)
	return out, nil
}

// Ask implements [replays.Engine].
func (l *Live) Ask(ctx context.Context, n int, a replays.Again, progress func(stage string)) (count, failed int,
	err error) {
	q, err := l.questionOf(ctx, n, a)
	if err != nil {
		return 0, 0, err
	}
	o := ask.Options{Timeout: answerTimeout, Store: q.store, Tool: l.opt.Tool,
		Waiting: func(pause time.Duration, status int) {
			progress(fmt.Sprintf("status %d: the endpoint asks for a pause of %s", status,
				pause.Round(100*time.Millisecond)))
		}}
	key, _ := keyOf(ctx, q.Dialect, a.Endpoint)
	if err := o.Reach(q.Dialect, a.Endpoint, key); err != nil {
		return 0, 0, err
	}
	asker, err := ask.New(o)
	if err != nil {
		return 0, 0, err
	}
	for i := range a.N {
		q.Variant = fmt.Sprintf("answer %d of %d", i+1, a.N)
		progress(q.Variant)
		_, v, err := asker.Ask(ctx, q.Question)
		if err != nil {
			return count, failed, fmt.Errorf("asking about turn %d: %w", n, err)
		}
		count++
		if v.Status != http.StatusOK || v.Error != "" {
			failed++
		}
	}
	return count, failed, nil
}

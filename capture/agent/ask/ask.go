package ask

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/loopback"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/exchange"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// Bounds of a request.
const (
	maxAnswer  = 64 << 20 // bytes
	tries      = 6
	firstPause = time.Second
	maxPause   = 2 * time.Minute
)

// Options are what an [Asker] works with.
type Options struct {
	// Base is the address that clients of the vendor are given, such as
	// https://api.openai.com/v1; nil for the vendor's own.
	Base *url.URL
	// Header has the key, and what else the endpoint wants.
	Header http.Header
	// Timeout bounds one request, its answer included.
	Timeout time.Duration
	// Store is the session of the turn: answers are recorded there, as variants of it, so its
	// page and picture are stored once.
	Store *turn.Store
	Tool  string // the name of this program in what it records
	// Waiting, where it is not nil, is called before a pause that the endpoint asked for.
	Waiting func(pause time.Duration, status int)
}

// Question is one request about a recorded turn.
type Question struct {
	Dialect, Model string
	Body           []byte // JSON
	// Of names the turn for people, such as "shop#3", Turn is its number, and Variant names the
	// request among the others.
	Of      string
	Turn    int
	Variant string
	// Changes describe how Body differs from the recorded request, line by line.
	Changes []string
	// Key identifies the question in a suite, "" outside of one; see [KeyOf].
	Key     string
	Page    *snapshot.Capture
	Picture []byte
}

// Variant is [turn.Record.Exchange] of an answer.
type Variant struct {
	exchange.Exchange
	Pairing exchange.Pairing `json:"pairing"` // always of the page that was asked about
	Asked   Asked            `json:"asked"`
}

// Asked describes what an answer is a variant of.
type Asked struct {
	Turn    int      `json:"turn"`
	Variant string   `json:"variant"`
	Try     int      `json:"try"` // from 1; more than one where the endpoint asked to wait
	Changes []string `json:"changes"`
	Key     string   `json:"key,omitempty"` // of the question in a suite
}

// variantPrefix begins the action of every variant.
const variantPrefix = "variant of turn "

// VariantOf is the number of the turn that a turn with that action is a variant of, 0 for none.
func VariantOf(action string) int {
	number, _, _ := strings.Cut(strings.TrimPrefix(action, variantPrefix), ",")
	n, err := strconv.Atoi(number)
	if err != nil || !strings.HasPrefix(action, variantPrefix) {
		return 0
	}
	return n
}

// Asker sends questions to one endpoint, one at a time. It holds nothing to close.
type Asker struct {
	opt    Options
	client *http.Client
	rules  *redact.Redactor
}

// New makes an asker.
func New(o Options) (*Asker, error) {
	if o.Store == nil {
		return nil, errors.New("asking needs a session to record to")
	}
	return &Asker{opt: o, rules: redact.Standard(), client: &http.Client{
		Transport: loopback.Transport(),
		// it would send the key on
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Ask sends a question and records the answer, also one with an error. It waits and asks again
// where the endpoint wants that (429 and 503, with Retry-After); each try is a turn. It
// returns the number of the last turn and what is recorded of it. An error means that nothing
// could be recorded, or that ctx ended.
func (a *Asker) Ask(ctx context.Context, q Question) (int, *Variant, error) {
	for try := 1; ; try++ {
		n, v, err := a.askOnce(ctx, q, try)
		if err != nil || v.Status != http.StatusTooManyRequests && v.Status != http.StatusServiceUnavailable ||
			try == tries {
			return n, v, err
		}
		pause := pauseOf(v.RetryAfter, try, time.Now())
		if a.opt.Waiting != nil {
			a.opt.Waiting(pause, v.Status)
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return n, v, ctx.Err()
		}
	}
}

// pauseOf is how long to wait: what the endpoint asks for, in seconds or as a date (RFC 9110,
// 10.2.3), else twice as long with each try.
func pauseOf(retryAfter string, try int, now time.Time) time.Duration {
	if s, err := strconv.ParseFloat(retryAfter, 64); err == nil && s >= 0 {
		return time.Duration(min(s, maxPause.Seconds()) * float64(time.Second))
	}
	if at, err := http.ParseTime(retryAfter); err == nil {
		return max(0, min(at.Sub(now), maxPause))
	}
	return min(firstPause<<(try-1), maxPause)
}

// askOnce sends the question once.
func (a *Asker) askOnce(ctx context.Context, q Question, try int) (int, *Variant, error) {
	to, err := address(a.opt.Base, q.Dialect, q.Model)
	if err != nil {
		return 0, nil, err
	}
	v := &Variant{Pairing: exchange.Pairing{Paired: true, Score: 1},
		Asked: Asked{q.Turn, q.Variant, try, q.Changes, q.Key}}
	secrets := exchange.Credentials(a.opt.Header, to.Query())
	v.Upstream, v.Method, v.Dialect, v.Model = to.Host, http.MethodPost, q.Dialect, q.Model
	v.URL, v.Began = a.rules.Clean(to.String(), secrets...), time.Now().UTC()
	since := func() float64 { return float64(time.Since(v.Began).Microseconds()) / 1000 }
	b := exchange.Bodies{Request: q.Body, RequestMedia: "application/json", Wire: true}
	in, cancel := context.WithTimeout(ctx, a.opt.Timeout)
	defer cancel()
	resp, err := a.send(in, to, q.Body)
	v.Sent, v.RequestBytes = since(), int64(len(q.Body))
	if err == nil {
		defer resp.Body.Close()
		v.FirstByte, v.Status = since(), resp.StatusCode
		v.RetryAfter = text.Start(text.Line(resp.Header.Get("Retry-After")), 100)
		b.AnswerMedia = resp.Header.Get("Content-Type")
		for _, s := range exchange.Credentials(resp.Header, nil) {
			secrets = redact.Add(secrets, s)
		}
		b.Answer, err = io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
		v.AnswerBytes = int64(len(b.Answer))
	}
	v.Ended = since()
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return 0, nil, ctx.Err()
	case in.Err() != nil:
		v.Error = fmt.Sprintf("no whole answer within %s", a.opt.Timeout)
	default:
		v.Error = "no whole answer: " + reason(err)
	}
	n, err := a.record(ctx, q, v, b, secrets)
	return n, v, err
}

func (a *Asker) send(ctx context.Context, address *url.URL, body []byte) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address.String(), bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("making the request: %w", err)
	}
	req.Header = a.opt.Header.Clone()
	if req.Header == nil {
		req.Header = http.Header{}
	}
	req.Header.Set("Content-Type", "application/json")
	return a.client.Do(req)
}

// reason is an error of the network without the address, which may hold a key.
func reason(err error) string {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	return text.Start(text.Line(err.Error()), 300)
}

// record appends the turn of an answer. What was answered is kept also where ctx has ended.
func (a *Asker) record(
	ctx context.Context, q Question, v *Variant, b exchange.Bodies, secrets []redact.Secret,
) (int, error) {
	_, lacks := v.Read(b)
	v.Model = cmp.Or(v.Model, q.Model)
	rec := &turn.Record{Capture: q.Page, Picture: q.Picture, Meta: turn.Meta{Tool: a.opt.Tool}}
	if err := v.Fill(rec, b, v, lacks, a.rules, secrets...); err != nil {
		return 0, err
	}
	rec.Action = text.Start(fmt.Sprintf(variantPrefix+"%d, %s: %s", q.Turn, text.Line(q.Variant), rec.Action), 300)
	done, err := a.opt.Store.Append(context.WithoutCancel(ctx),
		func(*turn.Ledger) (*turn.Record, error) { return rec, nil })
	if err != nil {
		return 0, fmt.Errorf("recording the answer: %w", err)
	}
	return done.N, nil
}

// address is where a vendor takes requests of the dialect. base is what its clients are given;
// nil for the vendor's own.
func address(base *url.URL, dialect, model string) (*url.URL, error) {
	own, path := "", ""
	switch dialect {
	case wire.OpenAIChat:
		own, path = "https://api.openai.com/v1", "chat/completions"
	case wire.OpenAIResponses:
		own, path = "https://api.openai.com/v1", "responses"
	case wire.Anthropic:
		own, path = "https://api.anthropic.com", "v1/messages"
	case wire.Gemini:
		if model == "" {
			return nil, errors.New("a request to Gemini has its model in the address: name it with --model")
		}
		own, path = "https://generativelanguage.googleapis.com",
			"v1beta/models/"+url.PathEscape(model)+":generateContent"
	default:
		return nil, fmt.Errorf("dialect %q is not one that a model is asked in: %s", dialect,
			strings.Join(Dialects(), ", "))
	}
	if base == nil {
		return url.Parse(own + "/" + path)
	}
	return base.JoinPath(strings.Split(path, "/")...), nil
}

// WithModel is a body with another model, every other byte as it was.
func WithModel(dialect string, body []byte, model string) ([]byte, error) {
	if dialect == wire.Gemini {
		return body, nil // its model is in the address
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("the body is not a JSON object")
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, fmt.Errorf("reading the body: %w", err)
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, fmt.Errorf("reading the body: %w", err)
		}
		if key != "model" {
			continue
		}
		end := int(dec.InputOffset())
		out := append([]byte{}, body[:end-len(value)]...)
		return append(text.AppendJSON(out, model), body[end:]...), nil
	}
	return nil, errors.New("the body names no model")
}

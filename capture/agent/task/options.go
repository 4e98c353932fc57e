package task

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"
	"unicode/utf8"

	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/turn"
)

// The limits of a task that names none.
const (
	DefaultSteps = 25
	DefaultTime  = 5 * time.Minute
	DefaultBytes = 64 << 20
	// DefaultContexts is how many further contexts about one page are sent.
	DefaultContexts = 3
)

// Bounds inside a step, and of faults in a row.
const (
	maxFaults = 5 // answers in a row that cannot be followed
	maxQuery  = 16 << 10
)

// Options describe the task and its limits.
type Options struct {
	// Endpoint is the address that requests are posted to; Headers go along and are never
	// kept.
	Endpoint string
	Headers  http.Header
	// Query is the task in the user's words.
	Query string
	// Mode is that of the first request about each page: semantic ("" too), skeleton,
	// hybrid, full.
	Mode string
	// MaxSteps, MaxTime and MaxBytes (sent and received) end the task; 0 means the
	// defaults.
	MaxSteps int
	MaxTime  time.Duration
	MaxBytes int64
	// MaxContexts is how many further contexts about one page are sent; [DefaultContexts] if 0. One more is
	// answered with the fault TOO_MANY_REQUESTS.
	MaxContexts int
	// RequestTimeout is how long an answer may take; a minute if 0.
	RequestTimeout time.Duration
	// RetryPause is the wait before a request is sent again, doubled each time; half
	// a second if 0.
	RetryPause time.Duration
	// ActTimeout is how long an element may take to become ready; action.DefaultTimeout
	// if 0.
	ActTimeout time.Duration
	// ReadTimeout is how long a page may take to be read, and a step to be done; half a minute
	// if 0.
	ReadTimeout time.Duration
	// Opened is when the tab's page began to be opened: that and the first reading take ReadTimeout together. Zero
	// for an existing tab.
	Opened time.Time
	// Compat sends what the original sends, and heals as it does.
	Compat bool
	// Delta leaves a tree out that the endpoint has (S-10).
	Delta bool
	// NoPicture takes no pictures; a request that asks for one has none.
	NoPicture bool
	Dump      format.Options
	// Settle is how a page is waited for.
	Settle session.Settle
	// Writes is what each reading leaves in the page.
	Writes session.PageWrites
	// Store is the session that the turns go to; nil keeps nothing.
	Store *turn.Store
	// SessionID is the sessionId of requests.
	SessionID string
	// Resume is where an earlier run of the task ended; nil begins.
	Resume *Resume

	Collect  collect.Options
	Profiles *profiles.Store // nil for none
	Tool     string
	// Progress is called with each event, from the goroutine of Run.
	Progress func(Event)
	Log      *slog.Logger // nil discards
}

// Event is something that happened, for people.
type Event struct {
	// Kind is page, sent, asks, answer, act, verified, fault, retry, kept, end.
	Kind string `json:"kind"`
	Step int    `json:"step"` // from 1
	Text string `json:"text"`
}

// check refuses what cannot be run, and fills in the defaults.
func (o *Options) check() error {
	switch {
	case o.Query == "":
		return errors.New("the task has no query: say what is to be done")
	case len(o.Query) > maxQuery || !utf8.ValidString(o.Query):
		return fmt.Errorf("the query has more than %d bytes, or is not UTF-8", maxQuery)
	case o.MaxSteps < 0 || o.MaxTime < 0 || o.MaxBytes < 0 || o.MaxContexts < 0:
		return errors.New("a limit is below zero")
	}
	switch o.Mode {
	case "":
		o.Mode = "semantic"
	case "semantic", "skeleton", "hybrid", "full":
	default:
		return fmt.Errorf("unknown mode %q: choose from semantic, skeleton, hybrid, full", o.Mode)
	}
	if o.MaxSteps == 0 {
		o.MaxSteps = DefaultSteps
	}
	if o.MaxTime == 0 {
		o.MaxTime = DefaultTime
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = DefaultBytes
	}
	if o.MaxContexts == 0 {
		o.MaxContexts = DefaultContexts
	}
	if o.ReadTimeout == 0 {
		o.ReadTimeout = step.DefaultTimeout
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Compat {
		o.Dump.Compat = true
	}
	return nil
}

// Outcome is how a task ended.
type Outcome struct {
	// Status is completed, failed (by the endpoint's word) or stopped.
	Status string `json:"status"`
	// Why is done, gave-up, steps, time, bytes, cancelled, endpoint, faults, page or
	// session; Reason explains it in a sentence.
	Why    string `json:"why"`
	Reason string `json:"reason"`
	TaskID string `json:"taskId,omitempty"`
	URL    string `json:"url"`
	// Steps are pages that the endpoint was asked about, those of a run before counted;
	// Requests the requests of this run, Actions what was done to the page.
	Steps    int `json:"steps"`
	Requests int `json:"requests"`
	Actions  int `json:"actions"`
	// Verified and Unverified count actions by what the sentinel found.
	Verified   int `json:"verified"`
	Unverified int `json:"unverified"`
	// Healed are elements that took the place of others: [gone, taken].
	Healed   [][2]int `json:"healed,omitempty"`
	Faults   int      `json:"faults"` // answers that could not be followed
	Retries  int      `json:"retries"`
	Sent     int64    `json:"bytesSent"`
	Received int64    `json:"bytesReceived"`
	// Turns are the numbers of the turns that were kept.
	Turns   []int   `json:"turns,omitempty"`
	Seconds float64 `json:"seconds"`
	// Thought is the endpoint's last one, without secrets.
	Thought string `json:"thought,omitempty"`
}

// OK reports whether the task was done.
func (o *Outcome) OK() bool { return o.Status == statusCompleted }

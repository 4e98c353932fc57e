// Package trace records how a command spends its time.
//
// A [Recorder] travels in the context of one command and collects spans: named stretches
// of time, in Go and in the page. [Recorder.WriteJSON] writes them in the trace event
// format that Perfetto and chrome://tracing open. [Start] records a span of the caller;
// a context without a recorder costs one lookup and records nothing. A [Clock] divides
// the time of a turn into parts without gaps, which become [snapshot.Timings.Parts] and
// spans at once.
//
// Names of spans are words of this program, protocol methods and stages; no text of a
// page is ever one, so a trace can be shared.
package trace

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"sync"
	"time"
)

// The lanes that spans are shown in, one below the other.
const (
	LaneCommand  = "command"  // stages of the command
	LaneTurn     = "turn"     // parts of a turn, see [Clock]
	LaneProtocol = "protocol" // calls to the browser, as many rows as run at a time
	LanePage     = "page"     // scripts of ours in the page
)

var lanes = []string{LaneCommand, LaneTurn, LaneProtocol, LanePage}

// rowsOfLane separates the rows of one lane from those of the next in a trace.
const rowsOfLane = 1000

// Recorder collects the spans of one command. It is safe for concurrent use.
type Recorder struct {
	// Log is told of the stages of the command, and of the parts of a turn from a ms on, as they end; nil is told of
	// none.
	Log *slog.Logger

	began time.Time // zero where nothing is kept

	mu    sync.Mutex
	spans []span
}

type span struct {
	lane, name string
	from, to   time.Time
}

// New is a recorder whose trace begins now. The zero value keeps no trace.
func New() *Recorder { return &Recorder{began: time.Now()} }

type recorderKey struct{}

// In is a context whose spans go to the recorder.
func (r *Recorder) In(ctx context.Context) context.Context {
	return context.WithValue(ctx, recorderKey{}, r)
}

func of(ctx context.Context) *Recorder {
	r, _ := ctx.Value(recorderKey{}).(*Recorder)
	return r
}

// Start begins a span; the function that it returns ends it.
func Start(ctx context.Context, lane, name string) (end func()) {
	r := of(ctx)
	if r == nil {
		return func() {}
	}
	from := time.Now()
	return func() { r.add(span{lane, name, from, time.Now()}) }
}

// Add records a span that is over, such as one that the page measured.
func Add(ctx context.Context, lane, name string, from time.Time, took time.Duration) {
	if r := of(ctx); r != nil {
		r.add(span{lane, name, from, from.Add(took)})
	}
}

func (r *Recorder) add(s span) {
	took := s.to.Sub(s.from)
	if r.Log != nil && (s.lane == LaneCommand || s.lane == LaneTurn && took >= time.Millisecond) {
		r.Log.Debug(s.lane+": "+s.name, "took", took.Round(100*time.Microsecond))
	}
	if r.began.IsZero() {
		return
	}
	r.mu.Lock()
	r.spans = append(r.spans, s)
	r.mu.Unlock()
}

// event is one entry of the trace event format: a complete event ("X") or the name of a
// row ("M"). Times are µs.
type event struct {
	Name  string            `json:"name"`
	Phase string            `json:"ph"`
	At    int64             `json:"ts"`
	Took  int64             `json:"dur,omitempty"`
	PID   int               `json:"pid"`
	TID   int               `json:"tid"`
	Args  map[string]string `json:"args,omitempty"`
}

// WriteJSON writes the spans that ended so far.
func (r *Recorder) WriteJSON(w io.Writer) error {
	r.mu.Lock()
	spans := slices.Clone(r.spans)
	r.mu.Unlock()
	out := struct {
		Unit   string  `json:"displayTimeUnit"`
		Events []event `json:"traceEvents"`
	}{Unit: "ms", Events: []event{}}
	for k, lane := range lanes {
		var own []span
		for _, s := range spans {
			if s.lane == lane {
				own = append(own, s)
			}
		}
		for row, list := range rows(own) {
			tid := k*rowsOfLane + row + 1
			name := lane
			if row > 0 {
				name = fmt.Sprintf("%s %d", lane, row+1)
			}
			out.Events = append(out.Events, event{Name: "thread_name", Phase: "M", PID: 1, TID: tid,
				Args: map[string]string{"name": name}})
			for _, s := range list {
				out.Events = append(out.Events, event{Name: s.name, Phase: "X", At: s.from.Sub(r.began).Microseconds(),
					Took: max(s.to.Sub(s.from).Microseconds(), 1), PID: 1, TID: tid})
			}
		}
	}
	if err := json.NewEncoder(w).Encode(out); err != nil {
		return fmt.Errorf("writing the trace: %w", err)
	}
	return nil
}

// rows divides spans among rows so that those of one row lie within one another or
// apart, as the format asks of a thread.
func rows(spans []span) [][]span {
	slices.SortStableFunc(spans, func(a, b span) int {
		return cmp.Or(a.from.Compare(b.from), b.to.Compare(a.to))
	})
	var all [][]span
	var open [][]time.Time // by row: the ends of the spans that are not over, outermost first
	for _, s := range spans {
		row := 0
		for ; row < len(all); row++ {
			for n := len(open[row]); n > 0 && !open[row][n-1].After(s.from); n-- {
				open[row] = open[row][:n-1]
			}
			if n := len(open[row]); n == 0 || !s.to.After(open[row][n-1]) {
				break
			}
		}
		if row == len(all) {
			all, open = append(all, nil), append(open, nil)
		}
		all[row], open[row] = append(all[row], s), append(open[row], s.to)
	}
	return all
}

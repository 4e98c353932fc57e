package trace_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/trace"
	"github.com/stretchr/testify/require"
)

// written is a trace as a viewer reads it.
type written struct {
	Events []struct {
		Name  string            `json:"name"`
		Phase string            `json:"ph"`
		At    int64             `json:"ts"`
		Took  int64             `json:"dur"`
		TID   int               `json:"tid"`
		Args  map[string]string `json:"args"`
	} `json:"traceEvents"`
}

func read(t *testing.T, r *trace.Recorder) written {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, r.WriteJSON(&out))
	var w written
	require.NoError(t, json.Unmarshal(out.Bytes(), &w))
	return w
}

// Spans of one row lie within one another or apart: a viewer draws others wrongly.
func TestRowsNest(t *testing.T) {
	r := trace.New()
	ctx := r.In(context.Background())
	began := time.Now()
	at := func(from, to int, name string) {
		trace.Add(ctx, trace.LaneProtocol, name, began.Add(time.Duration(from)*time.Millisecond),
			time.Duration(to-from)*time.Millisecond)
	}
	at(0, 100, "outer")
	at(10, 40, "inner")
	at(30, 60, "crosses inner")
	at(40, 50, "after inner")
	at(100, 120, "next")
	rows, names := map[int][][2]int64{}, map[string]int{}
	for _, e := range read(t, r).Events {
		if e.Phase == "X" {
			rows[e.TID] = append(rows[e.TID], [2]int64{e.At, e.At + e.Took})
			names[e.Name] = e.TID
		}
	}
	require.Len(t, rows, 2)
	require.NotEqual(t, names["inner"], names["crosses inner"])
	require.Equal(t, names["outer"], names["next"])
	for _, list := range rows {
		for i, a := range list {
			for _, b := range list[i+1:] {
				apart := b[0] >= a[1] || a[0] >= b[1]
				inside := b[0] >= a[0] && b[1] <= a[1] || a[0] >= b[0] && a[1] <= b[1]
				require.True(t, apart || inside, "%v and %v", a, b)
			}
		}
	}
}

// A context without a recorder records nothing; spans of many goroutines are all kept.
func TestRecorderOfTheContext(t *testing.T) {
	trace.Start(context.Background(), trace.LaneCommand, "nowhere")()
	r := trace.New()
	ctx := r.In(context.Background())
	var work sync.WaitGroup
	for range 50 {
		work.Go(trace.Start(ctx, trace.LaneProtocol, "call"))
	}
	work.Wait()
	calls := 0
	for _, e := range read(t, r).Events {
		if e.Name == "call" {
			calls++
		}
	}
	require.Equal(t, 50, calls)
}

// A log is told of the stages of the command and of what takes long in a turn, and a recorder that keeps nothing of all
// else.
func TestWhatALogIsTold(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))
	nothing := &trace.Recorder{}
	for _, r := range []*trace.Recorder{nothing, trace.New()} {
		r.Log = log
		ctx := r.In(t.Context())
		out.Reset()
		trace.Start(ctx, trace.LaneCommand, "open")()
		trace.Add(ctx, trace.LaneTurn, "settle", time.Now(), 2*time.Millisecond)
		trace.Add(ctx, trace.LaneTurn, "profile", time.Now(), time.Microsecond)
		trace.Add(ctx, trace.LaneProtocol, "Page.enable", time.Now(), time.Second)
		said := out.String()
		require.Contains(t, said, `msg="command: open"`)
		require.Contains(t, said, `msg="turn: settle" took=2ms`)
		require.Equal(t, 2, strings.Count(said, "\n"), said)
	}
	require.Empty(t, read(t, nothing).Events)
}

// Parts add up to the total, whatever is joined and repeated.
func TestClockAddsUp(t *testing.T) {
	ctx := context.Background()
	outer := trace.NewClock()
	outer.Part(ctx, "settle")
	inner := trace.NewClock()
	for range 3 {
		inner.Part(ctx, "walk")
	}
	outer.Join(inner.Parts())
	outer.Part(ctx, "settle")
	var nothing *trace.Clock
	nothing.Part(ctx, "beside")
	sum := 0.0
	var names []string
	for _, p := range outer.Parts() {
		sum += p.Ms
		names = append(names, p.Name)
	}
	require.Equal(t, []string{"settle", "walk", "collect"}, names)
	require.InDelta(t, outer.Total(), sum, 0.01)
}

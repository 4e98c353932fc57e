package app

import (
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/payload"
	"github.com/refscope/refscope/gui/picture"
	"github.com/refscope/refscope/snapshot/testneed"
)

// TestSoak uses the window for a while, as $REFSCOPE_SOAK says, such as 1h, or for 150
// deeds: commands of the table, selections, turns, zoom and pan, in an order that a seed
// fixes. Neither the heap nor the goroutines may grow with the deeds.
func TestSoak(t *testing.T) {
	testneed.Long(t, "the window is used for a while")
	deeds, limit := 150, time.Duration(0)
	if s := os.Getenv("REFSCOPE_SOAK"); s != "" {
		d, err := time.ParseDuration(s)
		require.NoError(t, err, "REFSCOPE_SOAK")
		deeds, limit = 0, d
	}
	b := reviewing(t, 12, nil)
	ids := soakCommands(b.shell.commands)
	random := rand.New(rand.NewPCG(7, 11))
	b.shell.win.Resize(fyne.NewSize(1000, 640))
	done := 0
	one := func() {
		s := b.shell.State()
		switch random.IntN(4) {
		case 0:
			b.command(ids[random.IntN(len(ids))])
		case 1:
			b.shell.Dispatch(core.TurnChosen{N: 1 + random.IntN(12)})
		case 2:
			if s.Current != nil {
				nodes := s.Current.Capture.Nodes
				b.shell.Dispatch(core.Picked{Ref: nodes[random.IntN(len(nodes))].Ref, Source: core.PanePicture})
			}
		case 3:
			b.shell.Dispatch(core.Escaped{})
		}
		b.settled()
		if done%10 == 0 {
			b.shell.win.Canvas().Capture() // draws everything
		}
	}
	start := time.Now()
	// The first third warms caches up; from there on nothing may grow.
	run := func(share float64) (heap uint64, goroutines int) {
		for n := 0; limit == 0 && n < int(float64(deeds)*share) || limit > 0 &&
			time.Since(start) < time.Duration(float64(limit)*share); n++ {
			one()
			done++
		}
		b.settled()
		debug.FreeOSMemory()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc, runtime.NumGoroutine()
	}
	heap, goroutines := run(1.0 / 3)
	after, left := run(1)
	t.Logf("%d deeds in %s: heap %d MB, then %d MB; goroutines %d, then %d", done, time.Since(start).Round(time.Second),
		heap>>20, after>>20, goroutines, left)
	// Fyne's test driver keeps the renderers of what is gone, some 20 KB a deed; a real
	// window forgets them after a minute. One picture kept for each turn would be 4 MB.
	renderers := uint64(done) * 32 << 10
	require.LessOrEqual(t, after, heap+heap/4+16<<20+renderers, "the heap grew")
	require.LessOrEqual(t, left, goroutines+4, "goroutines are left over")
}

// soakCommands are the commands that can be run in any order without asking a person for
// a place, ending the window, or leaving the session.
func soakCommands(list []core.Command) []string {
	var ids []string
	for _, c := range list {
		switch {
		case c.ID == "quit", c.Menu == "File", c.Menu == "Page", c.Menu == "Tools" && c.ID != picture.CmdCosts,
			c.ID == core.CmdFollow, c.ID == payload.CmdPayloadSave:
		default:
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// TestMemoryOf500Turns goes through 500 turns, or 60 where $REFSCOPE_SOAK is not set, each with a picture of its own: what a turn
// needs is given up when it leaves the view, but for its row.
func TestMemoryOf500Turns(t *testing.T) {
	testneed.Long(t, "many turns are opened")
	turns := 500
	if os.Getenv("REFSCOPE_SOAK") == "" {
		turns = 60
	}
	b := reviewing(t, turns, nil)
	heap := func() uint64 {
		debug.FreeOSMemory()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	visit := func(from, to int) {
		for n := from; n <= to; n++ {
			b.shell.Dispatch(core.TurnChosen{N: n})
			b.await("the turn", func(s core.State) bool { return s.Current.N == n && len(s.Tasks) == 0 })
		}
	}
	before := heap()
	visit(1, turns/2)
	half := heap()
	visit(turns/2+1, turns)
	after := heap()
	t.Logf("heap: %d MB with the session open, %d MB after %d turns, %d MB after %d", before>>20, half>>20, turns/2, after>>20, turns)
	// A decoded picture is 4 MB. As in TestSoak, the test driver keeps renderers.
	require.LessOrEqual(t, after, half+48<<20, "the heap grew with the turns")
}

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
			if s.Shown != nil {
				nodes := s.Shown.Capture.Nodes
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

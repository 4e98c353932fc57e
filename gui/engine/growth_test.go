package engine

import (
	"context"
	"fmt"
	"image"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot/address"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/testneed"
)

// TestGrowth shows what pages of more and more elements cost on their way from Chrome to the window. It runs where
// $REFSCOPE_GROWTH is set; `go run ./cmd/dev bench -growth` sets it. It reports, for people: timings belong to a machine.
func TestGrowth(t *testing.T) {
	if os.Getenv("REFSCOPE_GROWTH") == "" {
		testneed.Extra(t, "REFSCOPE_GROWTH is not set: growth is not measured")
	}
	if _, err := browser.Find(""); err != nil {
		testneed.Missing(t, "no Chrome to test with: "+err.Error())
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
	defer cancel()
	home := t.TempDir()
	l := New(Options{Browser: browser.Options{Width: 1280, Height: 720, Flags: chrometest.Flags()}, Home: home,
		Session: "growth", Tool: "test", Timeout: 5 * time.Minute})
	t.Cleanup(func() { require.NoError(t, l.Close()) })
	recorded, _, err := l.OpenSession(ctx, "")
	require.NoError(t, err)
	_, err = l.Start(ctx, quiet)
	require.NoError(t, err)

	names := format.Names()
	var table strings.Builder
	table.WriteString("ms; disk: KB of the turn; heap: bytes an element of a turn that the window holds\n")
	table.WriteString(" elements  capture  save  open  marks    disk  heap")
	for _, name := range names {
		fmt.Fprintf(&table, "  %s", name)
	}
	table.WriteString("\n")
	for _, rows := range []int{120, 620, 2500, 6250, 12_500, 25_000} {
		page := filepath.Join(t.TempDir(), "page.html")
		require.NoError(t, os.WriteFile(page, []byte(chrometest.Rows(rows)), 0o600))
		_, err := l.Open(ctx, address.Target{Path: page}, quiet)
		require.NoError(t, err)
		stored := folderSize(t, recorded.Path)
		at := time.Now()
		rec, err := l.Capture(ctx, "capture", quiet)
		require.NoError(t, err)
		whole := time.Since(at)
		c := rec.Capture
		fmt.Fprintf(&table, "%9d  %7.0f  %4.0f", len(c.Nodes), c.Timings.Total-c.Timings.Settle, ms(whole)-c.Timings.Total)
		n := rec.N
		rec = nil

		before := heap()
		at = time.Now()
		again, err := l.Load(ctx, n)
		require.NoError(t, err)
		turn, err := again.Ready()
		require.NoError(t, err)
		opened := time.Since(at)
		held := heap() - before
		at = time.Now()
		overlay.NewScene(c, image.Pt(1280, 720), overlay.Options{})
		fmt.Fprintf(&table, "  %4.0f  %5.0f  %6d  %4d", ms(opened), ms(time.Since(at)), (folderSize(t, recorded.Path)-stored)>>10,
			held/int64(len(c.Nodes)))
		for _, name := range names {
			at := time.Now()
			_, err := format.Render(c, name, format.Options{})
			require.NoError(t, err)
			fmt.Fprintf(&table, "  %*.0f", len(name), ms(time.Since(at)))
		}
		table.WriteString("\n")
		runtime.KeepAlive(turn)
		runtime.KeepAlive(again)
	}
	t.Log("\n" + table.String())
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// heap is how many bytes are in use after a collection.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// folderSize is how many bytes the files below a folder have.
func folderSize(t *testing.T, dir string) int64 {
	t.Helper()
	total := int64(0)
	require.NoError(t, filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			total += info.Size()
		}
		return nil
	}))
	return total
}

package turn

import (
	"context"
	"encoding/json"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
)

// picture is bytes that, like a PNG of a page, do not compress.
func picture(seed uint64, size int) []byte {
	r := rand.New(rand.NewPCG(seed, 3))
	b := make([]byte, size)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return append(pngBytes(""), b...)
}

func folderSize(t testing.TB, path string) (total, ledger int64) {
	require.NoError(t, filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		st, err := d.Info()
		if err == nil {
			total += st.Size()
			if d.Name() == ledgerFile {
				ledger = st.Size()
			}
		}
		return err
	}))
	return total, ledger
}

// BenchmarkAppend is one turn of 5,000 nodes and a picture of 200 KB, fsyncs
// included, on the real disk: of a page that is near-equal to the last one, and
// of one that was loaded anew and scrolled.
func BenchmarkAppend(b *testing.B) {
	for _, x := range []struct {
		name string
		p    pageSpec
		new  bool
	}{{"near-equal", pageSpec{nodes: 5000, seed: 1, change: .02}, false}, {"new", pageSpec{nodes: 5000, seed: 1, change: .02}, true}} {
		b.Run(x.name, func(b *testing.B) {
			s, path := newSession(b)
			captures := make([]*snapshot.Capture, b.N+1)
			for i := range captures {
				p := x.p
				p.turn = i
				if x.new {
					p.loader, p.seed = string(rune('a'+i%26)), uint64(i)
				}
				captures[i] = genCapture(p)
			}
			add := func(i int) {
				_, err := s.Append(context.Background(), func(l *Ledger) (*Record, error) {
					l.Assign("t", l.NextTurn(), captures[i])
					return &Record{Capture: captures[i], Picture: picture(uint64(i), 200<<10)}, nil
				})
				require.NoError(b, err)
			}
			add(0)
			before, _ := folderSize(b, path)
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				add(i + 1)
			}
			b.StopTimer()
			after, _ := folderSize(b, path)
			b.ReportMetric(float64(after-before)/float64(b.N), "disk-B/op")
		})
	}
}

// BenchmarkSession1000 makes a session of 1,000 near-equal turns of 5,000 nodes
// and reports its size; then it times how long the list takes.
func BenchmarkSession1000(b *testing.B) {
	s, path := newSession(b)
	shot := picture(1, 200<<10) // a page that does not change looks the same
	for i := range 1000 {
		_, err := s.Append(context.Background(), func(l *Ledger) (*Record, error) {
			c := genCapture(pageSpec{nodes: 5000, seed: 1, turn: i, change: .02})
			l.Assign("t", l.NextTurn(), c)
			return &Record{Capture: c, Picture: shot}, nil
		})
		require.NoError(b, err)
	}
	total, ledger := folderSize(b, path)
	b.ReportAllocs()
	for b.Loop() {
		again, err := Open(Dir(path))
		require.NoError(b, err)
		list, damage, err := again.List(context.Background())
		require.NoError(b, err)
		require.Empty(b, damage)
		require.Len(b, list, 1000)
	}
	b.ReportMetric(float64(total)/1e6, "MB")
	b.ReportMetric(float64(ledger)/1e6, "ledger-MB")
}

// BenchmarkLoad is one turn of 5,000 nodes read, verified and decoded.
func BenchmarkLoad(b *testing.B) {
	s, _ := newSession(b)
	for range 2 {
		_, err := appendPage(b, s, pageSpec{nodes: 5000, seed: 1}, picture(1, 200<<10))
		require.NoError(b, err)
	}
	b.ReportAllocs()
	for b.Loop() {
		_, err := s.Load(context.Background(), 2)
		require.NoError(b, err)
	}
}

// BenchmarkJSON is what encoding/json takes of that.
func BenchmarkJSON(b *testing.B) {
	c := genCapture(pageSpec{nodes: 5000, seed: 1})
	text, err := json.Marshal(c)
	require.NoError(b, err)
	b.Run("marshal", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			_, err := json.Marshal(c)
			require.NoError(b, err)
		}
	})
	b.Run("unmarshal", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			var c snapshot.Capture
			require.NoError(b, json.Unmarshal(text, &c))
		}
	})
}

// BenchmarkAssign is 5,000 nodes, new and known.
func BenchmarkAssign(b *testing.B) {
	b.Run("new", func(b *testing.B) {
		c := genCapture(pageSpec{nodes: 5000, seed: 1})
		b.ReportAllocs()
		for b.Loop() {
			NewLedger().Assign("t", 1, c)
		}
	})
	b.Run("known", func(b *testing.B) {
		c := genCapture(pageSpec{nodes: 5000, seed: 1})
		l := NewLedger()
		l.Assign("t", 1, c)
		b.ReportAllocs()
		for b.Loop() {
			l.Assign("t", 2, c)
		}
	})
}

// BenchmarkCompress compares what could have been chosen; see the package comment.
func BenchmarkCompress(b *testing.B) {
	one, err := json.Marshal(genCapture(pageSpec{nodes: 5000, seed: 1, turn: 1}))
	require.NoError(b, err)
	two, err := json.Marshal(genCapture(pageSpec{nodes: 5000, seed: 1, turn: 2, change: .02}))
	require.NoError(b, err)
	b.Run("whole", func(b *testing.B) {
		var z []byte
		for b.Loop() {
			z, err = compress(two)
			require.NoError(b, err)
		}
		b.ReportMetric(float64(len(z)), "B")
	})
	b.Run("difference", func(b *testing.B) {
		var z []byte
		for b.Loop() {
			z, err = patch(two, one, hashOf(one))
			require.NoError(b, err)
		}
		b.ReportMetric(float64(len(z)), "B")
	})
}

// BenchmarkPoll is what a follower does ten times a second while nothing happens,
// and list is what it does when something did, in a session of 1,000 turns.
func BenchmarkPoll(b *testing.B) {
	s, path := newSession(b)
	for n := range 1000 {
		require.NoError(b, os.Mkdir(filepath.Join(path, filepath.FromSlash(turnDir(n+1))), 0o700))
	}
	b.Run("look", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, err := s.fs.Wait(context.Background(), turnsDir, "")
			require.NoError(b, err)
		}
	})
	b.Run("list", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			turns, err := s.listTurns()
			require.NoError(b, err)
			require.Len(b, turns, 1000)
		}
	})
}

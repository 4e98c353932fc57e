package turn

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
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
	}{{"near-equal", pageSpec{nodes: 5000, seed: 1, change: .02}, false},
		{"new", pageSpec{nodes: 5000, seed: 1, change: .02}, true}} {
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

// quickFS does not wait for the disk: sessions for benchmarks that only read.
type quickFS struct{ FS }

func (q quickFS) SyncDir(string) error { return nil }

func (q quickFS) Create(name string) (File, error) {
	f, err := q.FS.Create(name)
	return quickFile{f}, err
}

func (q quickFS) Append(name string, size int64) (File, error) {
	f, err := q.FS.Append(name, size)
	return quickFile{f}, err
}

type quickFile struct{ File }

func (quickFile) Sync() error { return nil }

// screen is a picture of 1280x720 px with lines of text-like marks and, at one
// place, a clock that shows turn.
func screen(b testing.TB, turn int) []byte {
	img := image.NewGray(image.Rect(0, 0, 1280, 720))
	r := rand.New(rand.NewPCG(5, 5))
	for y := 0; y < 720; y += 18 {
		for x := 20; x < 1200; x += 8 {
			if r.IntN(6) > 0 {
				for k := range 64 {
					img.Pix[(y+k/8)*img.Stride+x+k%8] = byte(r.IntN(3) * 100)
				}
			}
		}
	}
	for k := range 32 {
		img.Pix[300*img.Stride+600+k] = byte(turn >> (k % 16) & 1 * 255)
	}
	var w bytes.Buffer
	require.NoError(b, png.Encode(&w, img))
	return w.Bytes()
}

// longSession is a session of so many near-equal turns of 800 nodes: 1 % of them
// change their name from turn to turn.
func longSession(b testing.TB, turns int, picture func(turn int) []byte) string {
	s, path := newSession(b)
	s.fs = quickFS{s.fs}
	for i := range turns {
		_, err := s.Append(context.Background(), func(l *Ledger) (*Record, error) {
			c := genCapture(pageSpec{nodes: 800, seed: 1, turn: i, change: .01})
			l.Assign("t", l.NextTurn(), c)
			return &Record{Capture: c, Picture: picture(i)}, nil
		})
		require.NoError(b, err)
	}
	return path
}

// BenchmarkSession reports what sessions of near-equal turns take on the disk, and
// as one file: where the picture stays the same, and where one clock in it differs
// from turn to turn, so that each turn has a picture of its own. It times the export.
func BenchmarkSession(b *testing.B) {
	still := screen(b, 0)
	for _, x := range []struct {
		name    string
		turns   int
		picture func(turn int) []byte
	}{{"1000 turns, same picture", 1000, func(int) []byte { return still }},
		{"100 turns, a clock", 100, func(turn int) []byte { return screen(b, turn) }}} {
		b.Run(x.name, func(b *testing.B) {
			path := longSession(b, x.turns, x.picture)
			total, ledger := folderSize(b, path)
			var size counter
			b.ReportAllocs()
			for b.Loop() {
				s, err := OpenPath(path)
				require.NoError(b, err)
				size = 0
				_, err = s.Export(context.Background(), &size, false)
				require.NoError(b, err)
			}
			b.ReportMetric(float64(total)/1e6, "MB")
			b.ReportMetric(float64(ledger)/1e6, "ledger-MB")
			b.ReportMetric(float64(size)/1e6, "file-MB")
			b.ReportMetric(float64(len(still))/1e6, "picture-MB")
		})
	}
}

// counter counts what is written to it.
type counter int64

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

// BenchmarkOpen is what a person waits for: a session is opened, its turns are
// listed, and the first one is loaded with its picture.
func BenchmarkOpen(b *testing.B) {
	for _, turns := range []int{100, 1000} {
		for _, form := range []string{"folder", "file"} {
			b.Run(fmt.Sprintf("%d turns, %s", turns, form), func(b *testing.B) {
				still := screen(b, 0)
				path := longSession(b, turns, func(int) []byte { return still })
				if form == "file" {
					s, err := OpenPath(path)
					require.NoError(b, err)
					path += Extension
					require.NoError(b, os.WriteFile(path, exported(b, s), 0o600))
				}
				b.ReportAllocs()
				for b.Loop() {
					s, err := OpenPath(path)
					require.NoError(b, err)
					list, damage, err := s.List(context.Background())
					require.NoError(b, err)
					require.Empty(b, damage)
					require.Len(b, list, turns)
					rec, err := s.Load(context.Background(), list[0].N)
					require.NoError(b, err)
					require.NotEmpty(b, rec.Picture)
					require.NoError(b, s.Close())
				}
			})
		}
	}
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
			z, err = new(compressor).compress(two)
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

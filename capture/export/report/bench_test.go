package report

import (
	"fmt"
	"image/color"
	"io"
	"runtime"
	"testing"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/turn"
)

// BenchmarkWrite makes reports of sessions of several lengths, all turns different.
// held-KB is what is on the heap when the last turn has been written and the head has
// not, per turn: it shows that turns are not kept.
func BenchmarkWrite(b *testing.B) {
	for _, turns := range []int{10, 100, 1000} {
		b.Run(fmt.Sprint(turns), func(b *testing.B) {
			var records []*turn.Record
			for i := range turns {
				var list []element
				for k := range 200 {
					list = append(list, element{tag: "button", role: "button", name: fmt.Sprintf("Order %d of day %d", k, i), box: snapshot.Box{float64(k%8) * 50, float64(k/8) * 30, 44, 22}})
				}
				records = append(records, &turn.Record{Capture: capture("https://shop.example/list", fmt.Sprint("Day ", i), list...),
					Picture: picture(b, color.RGBA{uint8(i), uint8(i >> 4), 200, 255})})
			}
			store := recordSession(b, records...)
			records = nil
			var out counted
			before := heap()
			for b.Loop() {
				s := &measuredSpool{ReadWriteSeeker: spool(b)}
				out = 0
				if _, err := writeReport(b.Context(), &out, s, store, Options{MaxTurns: -1, Dialects: []string{}}); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(int64(s.heap)-int64(before))/1024/float64(turns), "held-KB/turn")
			}
			b.ReportMetric(float64(out)/1024/float64(turns), "file-KB/turn")
		})
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// counted counts bytes.
type counted int64

func (c *counted) Write(p []byte) (int, error) {
	*c += counted(len(p))
	return len(p), nil
}

// measuredSpool looks at the heap when all turns have been written.
type measuredSpool struct {
	io.ReadWriteSeeker
	heap uint64
}

func (s *measuredSpool) Seek(offset int64, whence int) (int64, error) {
	s.heap = heap()
	return s.ReadWriteSeeker.Seek(offset, whence)
}

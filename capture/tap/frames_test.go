package tap

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// readFrames reads bytes in pieces of size and writes down what came.
func readFrames(t *testing.T, all []byte, size int, compress bool) []string {
	t.Helper()
	var out []string
	f := &frameReader{closed: func(code int, why string) { out = append(out, fmt.Sprintf("closed %d %q", code, why)) },
		message: func(m socketMessage) {
			require.LessOrEqual(t, len(m.body), maxKept)
			out = append(out, fmt.Sprintf("%v %d %x %v", m.binary, m.size, m.body[:min(len(m.body), 100)], m.err))
		}}
	if compress {
		f.inflate = &inflater{}
	}
	for len(all) > 0 {
		n := min(size, len(all))
		f.feed(all[:n])
		all = all[n:]
	}
	return append(out, fmt.Sprint(f.broken))
}

// What comes in one piece and byte by byte is the same, whatever it is.
func FuzzFrames(f *testing.F) {
	f.Add([]byte("\x81\x02{}\x88\x05\x03\xe8bye"), false)
	f.Add([]byte("\x01\x82abcdXY\x89\x00\x80\x81abcdZ"), false)
	f.Add([]byte("\xc1\x07\xf2\x48\xcd\xc9\xc9\x07\x00\xc1\x05\xf2\x00\x11\x00\x00"), true) // RFC 7692, 7.2.3.2
	f.Add([]byte("\x82\x7f\xff\xff\xff\xff\xff\xff\xff\xffxx"), false)
	f.Fuzz(func(t *testing.T, all []byte, compress bool) {
		whole := readFrames(t, all, len(all), compress)
		require.Equal(t, whole, readFrames(t, all, 1, compress))
		require.Equal(t, whole, readFrames(t, all, 3, compress))
	})
}

// A message that is too long is kept as far as the bound goes, also one that is small on the wire; with
// context takeover what refers to it is named as lost.
func TestFramesAreBounded(t *testing.T) {
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestSpeed)
	require.NoError(t, err)
	for range 70 {
		_, err := w.Write(make([]byte, 1<<20))
		require.NoError(t, err)
	}
	require.NoError(t, w.Flush())
	body := bytes.TrimSuffix(packed.Bytes(), []byte("\x00\x00\xff\xff"))
	all := binary.BigEndian.AppendUint64([]byte{0xc1, 127}, uint64(len(body)))
	all = append(append(all, body...), "\xc1\x07\xf2\x48\xcd\xc9\xc9\x07\x00"...)
	got := readFrames(t, all, len(all), true)
	require.Len(t, got, 3)
	require.Contains(t, got[0], "it is longer than")
	require.Contains(t, got[1], "compressed against one that could not be read")
	require.Equal(t, []string{"false 5 48656c6c6f <nil>", "false 5 48656c6c6f <nil>", "<nil>"},
		readFrames(t, []byte("\xc1\x07\xf2\x48\xcd\xc9\xc9\x07\x00\xc1\x05\xf2\x00\x11\x00\x00"), 2, true))
	require.Equal(t, []string{"its frames use an extension that is not known"}, readFrames(t, []byte("\xc1\x00"), 1, false))
}

package turn

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// pngSaying is the beginning of a PNG that says it has w x h px.
func pngSaying(w, h uint32) []byte {
	b := pngBytes("\x00\x00\x00\rIHDR")
	b = binary.BigEndian.AppendUint32(b, w)
	return binary.BigEndian.AppendUint32(b, h)
}

// TestPictureBomb: what a picture says that it has is looked at before anybody
// decodes it, when it is written and when it is read.
func TestPictureBomb(t *testing.T) {
	for name, x := range map[string]struct {
		b    []byte
		says string
	}{
		"whole":     {pngSaying(1280, 720), ""},
		"tall":      {pngSaying(760, 131072), ""},
		"too tall":  {pngSaying(1, 131073), "131073 px"},
		"too big":   {pngSaying(16000, 16000), "100 megapixels"},
		"overflow":  {pngSaying(1<<32-1, 1<<32-1), "4294967295 px"},
		"no header": {pngBytes("x"), ""},
		"a JPEG":    {[]byte("\xff\xd8\xff"), "not a PNG"},
	} {
		t.Run(name, func(t *testing.T) {
			err := checkPicture(x.b)
			if x.says == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, x.says)
			s, _ := newSession(t)
			_, err = appendPage(t, s, pageSpec{nodes: 10, seed: 1}, x.b)
			require.ErrorContains(t, err, x.says)

			// One that is there, as in a session from elsewhere.
			_, err = appendPage(t, s, pageSpec{nodes: 10, seed: 1}, pngBytes("p"))
			require.NoError(t, err)
			d, _, err := s.readTurn(1)
			require.NoError(t, err)
			p := d.part(rolePicture)
			p.SHA256, p.Size = hashOf(x.b), int64(len(x.b))
			require.NoError(t, writeFile(s.fs, partsDir+"/"+p.SHA256, x.b))
			rec, damage := loadParts(&partReader{fs: s.fs}, d)
			require.NotNil(t, rec)
			require.Nil(t, rec.Picture)
			require.Contains(t, fmt.Sprint(damage), x.says)
		})
	}
}

// TestHeavyCapture: JSON that would take a hundred times its size in memory is
// refused before it is decoded; a big real one is not.
func TestHeavyCapture(t *testing.T) {
	list := func(of string, n int) string { return "[" + strings.Repeat(of+",", n-1) + of + "]" }
	for name, x := range map[string]struct {
		json  string
		heavy bool
	}{
		"nodes of nothing":  {`{"nodes":` + list("0", maxListed+1) + `}`, true},
		"frames of nothing": {`{"frames":` + list("null", maxListed+1) + `}`, true},
		"in two lists": {`{"frames":` + list("{}", maxListed/2) + `,"nodes":` + list("{}", maxListed/2+2) + `}`,
			true},
		"as many as allowed":   {`{"nodes":` + list("{}", maxListed) + `}`, false},
		"rectangles":           {`{"nodes":[{"rects":` + list("[]", maxElements/2) + `}]}`, true},
		"commas in a text":     {`{"title":"` + strings.Repeat(`[\",`, maxListed) + `"}`, false},
		"members of an object": {`{"attrs":{` + strings.Repeat(`"a":1,`, maxListed) + `"a":1}}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, x.heavy, checkWeight([]byte(x.json)) != nil)
		})
	}
	b, err := json.Marshal(genCapture(pageSpec{nodes: 50_000, seed: 1}))
	require.NoError(t, err)
	require.NoError(t, checkWeight(b))
	_, err = decodeCapture([]byte(`{"nodes":` + list("0", maxListed+1) + `}`))
	require.ErrorContains(t, err, "more are not read")
	_, err = (&Record{Capture: genCapture(pageSpec{nodes: 10, seed: 1})}).contents()
	require.NoError(t, err)
}

package overlay

import (
	"bytes"
	"image"
	"image/draw"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/overlay/vision"
)

// TestTesseract reports what a real reader of text makes of the labels, where one is
// installed: each plate alone, four times enlarged, as one line of digits. Tesseract is
// weak on such small type, so its share is a figure to look at and no gate: it fails
// only where tesseract does.
func TestTesseract(t *testing.T) {
	path, err := exec.LookPath("tesseract")
	if err != nil {
		t.Skip("tesseract is not installed (Debian: apt-get install tesseract-ocr)")
	}
	if testing.Short() {
		t.Skip("it starts a process for every label")
	}
	p := formPage()
	img := p.picture(t, 1)
	s := NewScene(p.c, img.Rect.Size(), Options{View: ViewModel})
	s.Draw(img)
	all, read := 0, 0
	for _, m := range s.Manifest("x.png").Marks {
		if m.Label == nil {
			continue
		}
		l := *m.Label
		r := image.Rect(int(l[0]), int(l[1]), int(l[0]+l[2]), int(l[1]+l[3])).Inset(1) // without the rim
		plate := vision.Resize(img.SubImage(r).(*image.RGBA), r.Size().Mul(4))
		for i := range plate.Pix { // dark on light, as in books
			if i%4 != 3 {
				plate.Pix[i] = 255 - plate.Pix[i]
			}
		}
		framed := image.NewRGBA(image.Rectangle{Max: plate.Rect.Size().Add(image.Pt(40, 40))})
		fill(framed, framed.Rect, paper)
		draw.Draw(framed, plate.Rect.Add(image.Pt(20, 20)), plate, image.Point{}, draw.Src)
		data, err := EncodePNG(framed, true)
		require.NoError(t, err)
		cmd := exec.CommandContext(t.Context(), path, "stdin", "stdout", "--psm", "7", "-c", "tessedit_char_whitelist=0123456789")
		cmd.Stdin = bytes.NewReader(data)
		out, err := cmd.Output()
		require.NoError(t, err)
		if all++; strings.TrimSpace(string(out)) == strconv.Itoa(m.Number) {
			read++
		}
	}
	t.Logf("tesseract reads %d of %d labels", read, all)
	require.NotZero(t, all)
}

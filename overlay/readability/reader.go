package readability

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/refscope/refscope/overlay/vision"
)

// tesseract reads numbers with Tesseract. It is told where a plate is, and nothing else: not
// how many digits it has nor how large or of what colour they are.
type tesseract struct{ program string } // its path

// Tesseract scales a line of text to the height of those that it has learned and reads letters of some 20 to 30 px best
// ("Improving the quality of the output" in its manual). Every plate is therefore brought to one height, whoever drew
// it and however large. Measured with version 5.3 on numbers as this project draws them: at 32 px, with 10 px around,
// 101 numbers are all read at each of ten sizes of font from 11 to 36 px, and at 10 to 14 px 9,988 of 9,990 are, which
// are 1 to 999 with ground beside the digits and without; at 9 px 11 of 1,998 are not. Enlarged four times, 5 becomes 3
// or 9 from 17 px on and lone digits are lost, up to 19 of the 101 at a size.
const (
	tall   = 32 // px of a plate's height, as it is shown to Tesseract
	margin = 12 // px of ground around it then
)

// read is what is read on the plate of each mark, "" for nothing.
func (r *tesseract) read(ctx context.Context, img *image.RGBA, marks []Mark) ([]string, error) {
	if len(marks) == 0 {
		return nil, nil
	}
	dir, err := os.MkdirTemp("", "refscope-readability-")
	if err != nil {
		return nil, fmt.Errorf("reading labels: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // a stray temporary folder does no harm
	var list strings.Builder
	for i, m := range marks {
		name := filepath.Join(dir, fmt.Sprintf("%d.png", i))
		if err := writePNG(name, plate(img, m.Plate)); err != nil {
			return nil, fmt.Errorf("reading labels: %w", err)
		}
		fmt.Fprintln(&list, name)
	}
	names := filepath.Join(dir, "list.txt")
	if err := os.WriteFile(names, []byte(list.String()), 0o600); err != nil {
		return nil, fmt.Errorf("reading labels: %w", err)
	}
	cmd := exec.CommandContext(ctx, r.program, names, "stdout", "--psm", "7",
		"-c", "tessedit_char_whitelist=0123456789", "-c", "tessedit_do_invert=0")
	cmd.Env = append(os.Environ(), "OMP_THREAD_LIMIT=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("reading labels: %s: %w: %s", r.program, err, strings.TrimSpace(stderr.String()))
	}
	pages := strings.Split(string(out), "\f")
	if len(pages) < len(marks) {
		return nil, fmt.Errorf("reading labels: %s answered for %d pictures of %d", r.program, len(pages), len(marks))
	}
	read := make([]string, len(marks))
	for i := range read {
		read[i] = strings.Join(strings.Fields(pages[i]), "")
	}
	return read, nil
}

// plate is what lies on a plate, dark on white whatever its colours are, of the height that is read best and with room
// around it.
func plate(img *image.RGBA, r image.Rectangle) *image.Gray {
	r = r.Intersect(img.Rect)
	if r.Empty() {
		return image.NewGray(image.Rect(0, 0, 2*margin, 2*margin))
	}
	wide := max(1, (2*r.Dx()*tall+r.Dy())/(2*r.Dy()))
	large := vision.Resize(img.SubImage(r).(*image.RGBA), image.Pt(wide, tall))
	var count [256]int
	out := image.NewGray(large.Rect.Inset(-margin))
	for y := range large.Rect.Dy() {
		for x := range large.Rect.Dx() {
			g := color.GrayModel.Convert(large.RGBAAt(x, y)).(color.Gray)
			out.SetGray(x, y, g)
			count[g.Y]++
		}
	}
	sum := large.Rect.Dx() * large.Rect.Dy()
	part := func(share int) int { // the brightness that so many percent of the px do not exceed
		below := 0
		for v, n := range count {
			if below += n; 100*below >= share*sum {
				return v
			}
		}
		return 255
	}
	// Most of a plate is its ground, and digits are as far from that as anything on it.
	dark, ground, light := part(5), part(50), part(95)
	ink := dark
	if light-ground > ground-dark {
		ink = light
	}
	for y := out.Rect.Min.Y; y < out.Rect.Max.Y; y++ {
		for x := out.Rect.Min.X; x < out.Rect.Max.X; x++ {
			v := int(out.GrayAt(x, y).Y)
			if !(image.Point{X: x, Y: y}).In(large.Rect) {
				v = ground
			}
			v = (v - ink) * 255 / cmp.Or(ground-ink, 1)
			out.SetGray(x, y, color.Gray{Y: uint8(max(0, min(v, 255)))})
		}
	}
	return out
}

func writePNG(name string, img image.Image) error {
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := e.Encode(&b, img); err != nil {
		return err
	}
	return os.WriteFile(name, b.Bytes(), 0o600)
}

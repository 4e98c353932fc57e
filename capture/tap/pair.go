package tap

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg" // pictures in requests
	_ "image/png"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/wire"
	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp"
)

// Pairing is which page a request belongs to, and by what evidence.
type Pairing struct {
	Paired bool `json:"paired"`
	// Score is that of the page, 0 to 1; where nothing is paired that of the nearest one.
	Score    float64    `json:"score"`
	Evidence []Evidence `json:"evidence,omitempty"`
	Why      string     `json:"why,omitempty"` // nothing is paired
}

// Evidence is one reason for a pairing.
type Evidence struct {
	Kind  string  `json:"kind"`  // picture, text, address or title
	Score float64 `json:"score"` // 0 to 1 of what this kind can show
	What  string  `json:"what"`  // a sentence
}

const (
	// enough is the score from which a page is paired with a request: two thirds of the page's
	// texts, or of its picture, where there is nothing else.
	enough = 0.6
	// clear is how far the best page must be before the next one.
	clear = 0.1
)

// pair finds the page that a request is about: one with enough evidence, and clearly more
// than any other.
func pair(r *wire.Request, pages []Page) (*Page, Pairing) {
	if len(pages) == 0 {
		return nil, Pairing{Why: "no browser is watched, or it shows no page"}
	}
	words, picture, err := newest(r)
	var best, second Pairing
	var page *Page
	var failed error
	for i := range pages {
		p := &pages[i]
		if p.Capture == nil {
			failed = p.Err
			continue
		}
		got := weigh(p, words, picture)
		switch {
		case page == nil || got.Score > best.Score:
			best, second, page = got, best, p
		case got.Score > second.Score:
			second = got
		}
	}
	switch {
	case page == nil:
		return nil, Pairing{Why: "the page could not be captured: " + text.Line(failed.Error())}
	case best.Score < enough:
		best.Why = "neither its texts nor its picture are those of a page that was open"
		if err != nil {
			best.Why += "; " + err.Error()
		}
		return nil, best
	case best.Score-second.Score < clear:
		best.Why = "two pages that were open fit equally well"
		return nil, best
	}
	best.Paired = true
	return page, best
}

// newest is the current part of the request: its words after the model's last answer
// with a picture or a text of some length, else all; and its last picture.
func newest(r *wire.Request) (words string, picture image.Image, err error) {
	from := 0
	for i, m := range r.Messages {
		if m.Role == "assistant" && i+1 < len(r.Messages) {
			from = i + 1
		}
	}
	now := &wire.Request{Messages: r.Messages[from:]}
	if len(strings.Join(now.Texts(), "")) < leastNew && len(now.Images()) == 0 {
		now = r
	}
	var all []string
	for _, s := range now.Texts() {
		all = append(all, letters(s))
	}
	for _, p := range slices.Backward(now.Images()) {
		if len(p.Data) == 0 {
			continue
		}
		picture, err = decodePicture(p.Data)
		break
	}
	return strings.Join(all, " "), picture, err
}

// leastNew is how many bytes a message has at least that can hold a page.
const leastNew = 200

// maxDecoded bounds the picture of a request, px: twice an 8K screen.
const maxDecoded = 64 << 20

func decodePicture(data []byte) (image.Image, error) {
	size, kind, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("its picture cannot be read: %s", text.Line(err.Error()))
	}
	if size.Width <= 0 || size.Height <= 0 || size.Width > maxDecoded/size.Height {
		return nil, fmt.Errorf("its picture (%s) is %d x %d px, more than is looked at", kind, size.Width, size.Height)
	}
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("its picture (%s) cannot be read: %s", kind, text.Line(err.Error()))
	}
	return img, nil
}

// weigh is the evidence that a request is about a page. Picture and text can each pair it;
// address and title support them. The score is the chance that not all of it misleads: one
// less the product of what each piece leaves open.
func weigh(p *Page, words string, picture image.Image) Pairing {
	var out Pairing
	open := 1.0
	add := func(kind string, weight, score float64, format string, args ...any) {
		if score > 0 {
			score = math.Round(score*1000) / 1000
			out.Evidence = append(out.Evidence, Evidence{kind, score, fmt.Sprintf(format, args...)})
			open *= 1 - weight*score
		}
	}
	if share, n := textShare(p.Capture, words); n > 0 {
		add("text", 0.9, share, "%d %% of %s of the page's view are in the request", int(share*100+0.5),
			text.Count(n, "text", "texts"))
	}
	if picture != nil && len(p.Picture) > 0 {
		own, err := decodePicture(p.Picture)
		if err == nil {
			alike := likeness(own, picture)
			a, b := own.Bounds().Size(), picture.Bounds().Size()
			add("picture", 0.9, alike, "%d %% of the picture, %d x %d px there and %d x %d here, is alike", int(alike*100+0.5),
				b.X,
				b.Y, a.X, a.Y)
		}
	}
	if address := letters(p.Capture.URL); len(address) > 8 && strings.Contains(words, address) {
		add("address", 0.4, 1, "the request names the page's address")
	}
	if title := letters(p.Capture.Title); len(title) > 3 && strings.Contains(words, title) {
		add("title", 0.2, 1, "the request names the page's title")
	}
	out.Score = math.Round((1-open)*1000) / 1000
	return out
}

// letters are the letters and digits of a text, small, with one space between words: what is
// left of a text in every dump, however it is escaped.
func letters(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			gap = b.Len() > 0
			continue
		}
		if gap {
			b.WriteByte(' ')
			gap = false
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// textShare is the share of the page's texts in view that occur in the words of a request,
// and how many texts there are. A longer text counts more, up to 40 letters.
func textShare(c *snapshot.Capture, words string) (share float64, n int) {
	if words == "" {
		return 0, 0
	}
	seen := map[string]bool{}
	var found, all float64
	for i := range c.Nodes {
		node := &c.Nodes[i]
		if !node.Verdict.Kept() || !node.InViewport {
			continue
		}
		for _, s := range []string{node.Name, node.Text} {
			if s = letters(s); len(s) < 3 || seen[s] {
				continue
			}
			seen[s] = true
			weight := min(float64(len(s)), 40)
			all += weight
			if strings.Contains(words, s) {
				found += weight
			}
		}
	}
	if all == 0 {
		return 0, 0
	}
	return found / all, len(seen)
}

// The grid that pictures are compared on, cells.
const (
	gridWidth  = 64
	gridHeight = 48
)

// likeness is the share of the cells with something in them in which two pictures agree.
// Cells in which both show their background count nothing: most pages are mostly white. A
// picture of another shape shows something else, 0.
func likeness(a, b image.Image) float64 {
	ratio := func(i image.Image) float64 { return float64(i.Bounds().Dx()) / float64(i.Bounds().Dy()) }
	if r := ratio(a) / ratio(b); r < 0.97 || r > 1.03 {
		return 0
	}
	ga, gb := grid(a), grid(b)
	paperA, paperB := background(ga), background(gb)
	alike, all := 0, 0
	for i := range ga {
		emptyA, emptyB := near(ga[i], paperA, 6), near(gb[i], paperB, 6)
		if emptyA && emptyB {
			continue
		}
		all++
		if near(ga[i], gb[i], 20) {
			alike++
		}
	}
	if all == 0 {
		return 0
	}
	return float64(alike) / float64(all)
}

func near(a, b uint8, within int) bool { return int(a)-int(b) <= within && int(b)-int(a) <= within }

// grid is a picture as grey cells.
func grid(img image.Image) []uint8 {
	out := image.NewGray(image.Rect(0, 0, gridWidth, gridHeight))
	draw.ApproxBiLinear.Scale(out, out.Rect, image.NewUniform(color.White), image.Rect(0, 0, 1, 1), draw.Src, nil)
	draw.BiLinear.Scale(out, out.Rect, img, img.Bounds(), draw.Over, nil)
	return out.Pix
}

// background is the grey that most cells have.
func background(cells []uint8) uint8 {
	var count [256]int
	best := 0
	for _, c := range cells {
		if count[c]++; count[c] > count[best] {
			best = int(c)
		}
	}
	return uint8(best)
}

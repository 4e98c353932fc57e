package overlay

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/font/gofont/gomono"

	"github.com/refscope/refscope/overlay/atlas"
	"github.com/refscope/refscope/snapshot"
)

// page builds a capture by hand and, beside it, a picture that looks a little like
// the page: grounds, frames and text.
type page struct {
	c     *snapshot.Capture
	ref   int
	paint []painted
}

type painted struct {
	box    snapshot.Box
	ground color.RGBA
	edge   color.RGBA
	text   string
	ink    color.RGBA
	textAt snapshot.Box
}

var (
	none  = color.RGBA{}
	paper = color.RGBA{255, 255, 255, 255}
	ink   = color.RGBA{30, 34, 40, 255}
	blue  = color.RGBA{20, 80, 200, 255}
	navy  = color.RGBA{32, 48, 80, 255}
	gray  = color.RGBA{205, 209, 214, 255}
)

func newPage(w, h float64) *page {
	p := &page{c: &snapshot.Capture{Schema: snapshot.Schema, Viewport: snapshot.Viewport{Width: w, Height: h, Scale: 1},
		Nodes: make([]snapshot.Node, 0, mostNodes)}}
	p.node(-1, "html", snapshot.Box{0, 0, w, h})
	p.c.Nodes[0].Verdict = snapshot.VerdictWrapper
	return p
}

// mostNodes is how many nodes a page has at most: those that were given out stay where they are.
const mostNodes = 4096

// node adds a kept, visible node without a ref.
func (p *page) node(parent int, tag string, b snapshot.Box) *snapshot.Node {
	i := len(p.c.Nodes)
	if i == mostNodes {
		panic("a page of the tests has too many nodes")
	}
	n := snapshot.Node{
		I: i, Parent: parent, Tag: tag, Box: b, Verdict: snapshot.VerdictWrapper, Visible: true,
		InViewport: !b.Intersect(p.c.Viewport.Box()).Empty(),
	}
	p.c.Nodes = append(p.c.Nodes, n)
	return &p.c.Nodes[i]
}

// target adds an interactive node with the next ref.
func (p *page) target(parent int, tag, name string, b snapshot.Box) *snapshot.Node {
	n := p.node(parent, tag, b)
	p.ref++
	n.Ref, n.Name, n.Verdict, n.Interactive = p.ref, name, snapshot.VerdictRef, []string{"native"}
	switch tag {
	case "a":
		n.Role = "link"
	case "button":
		n.Role = "button"
	case "input":
		n.Role = "textbox"
	}
	if n.InViewport {
		n.Occlusion = &snapshot.Occlusion{State: snapshot.Clear, VisibleShare: 1, HitShare: 1}
	}
	return n
}

const charW, lineH = 7, 16 // of the text in the fake pictures

// text gives a node own text at a place, measured like the fake picture draws it.
func (p *page) text(n *snapshot.Node, x, y float64, s string, c color.RGBA) *snapshot.Node {
	b := snapshot.Box{x, y, float64(charW * len([]rune(s))), lineH}
	n.Text, n.TextRects = s, append(n.TextRects, b)
	p.paint = append(p.paint, painted{text: s, ink: c, textAt: b})
	return n
}

func (p *page) ground(b snapshot.Box, ground, edge color.RGBA) {
	p.paint = append(p.paint, painted{box: b, ground: ground, edge: edge})
}

// picture renders the fake page at a scale.
func (p *page) picture(t testing.TB, scale float64) *image.RGBA {
	t.Helper()
	v := p.c.Viewport
	img := image.NewRGBA(image.Rect(0, 0, int(v.Width*scale), int(v.Height*scale)))
	draw.Draw(img, img.Rect, image.NewUniform(paper), image.Point{}, draw.Src)
	face, err := atlas.New(gomono.TTF, 12*scale)
	require.NoError(t, err)
	for _, q := range p.paint {
		b := q.box.Scale(scale, scale)
		r := image.Rect(int(b.X()), int(b.Y()), int(b.Right()), int(b.Bottom()))
		if q.ground.A > 0 {
			fill(img, r, q.ground)
		}
		if q.edge.A > 0 {
			ring(img, r, 1, q.edge)
		}
		if q.text != "" {
			face.Draw(img, int(q.textAt.X()*scale), int((q.textAt.Y()+12)*scale), q.text, q.ink)
		}
	}
	return img
}

// The layouts of the placement study: dense pages on which labels fight.

func listPage(n int) *page {
	p := newPage(1280, 720)
	for i := range n {
		col, row := i/38, i%38
		x, y := 16+float64(col)*310, 12+float64(row)*18.5
		name := fmt.Sprintf("Result %d: a headline of some length", i+1)
		w := float64(charW * len(name[:20+i*7%16]))
		a := p.target(0, "a", name, snapshot.Box{x, y, w, lineH})
		p.text(a, x, y, name[:20+i*7%16], blue)
	}
	return p
}

func iconPage(n int) *page {
	p := newPage(1280, 720)
	for i := range n {
		x, y := 20+float64(i%25)*30, 20+float64(i/25)*30
		b := snapshot.Box{x, y, 24, 24}
		p.target(0, "button", fmt.Sprintf("Tool %d", i), b)
		p.ground(b, gray, ink)
	}
	return p
}

func cardPage(n int) *page {
	p := newPage(1280, 720)
	for i := range n / 5 {
		x, y := 10+float64(i%8)*157, 10+float64(i/8)*140
		card := snapshot.Box{x, y, 150, 132}
		p.ground(card, color.RGBA{248, 249, 250, 255}, gray)
		a := p.target(0, "a", "Card", card).I
		head := p.target(a, "h3", "Heading", snapshot.Box{x + 8, y + 8, 134, 20})
		head.Interactive = nil
		p.text(head, x+8, y+10, fmt.Sprintf("Product %d", i), ink)
		pic := snapshot.Box{x, y + 32, 150, 50} // an image with the card's own edges
		p.target(a, "img", "Photo", pic)
		p.ground(pic, color.RGBA{180, 200, 214, 255}, none)
		for k := range 2 {
			b := snapshot.Box{x + 8 + 70*float64(k), y + 98, 64, 26}
			p.ground(b, paper, ink)
			p.text(p.target(a, "button", []string{"Buy", "Save"}[k], b), b.X()+16, b.Y()+5, []string{"Buy", "Save"}[k], ink)
		}
	}
	return p
}

func tablePage(n int) *page {
	p := newPage(1280, 720)
	const cols = 25
	for i := range n {
		b := snapshot.Box{5 + float64(i%cols)*50.8, 5 + float64(i/cols)*17.75, 50.8, 17.75}
		p.ground(b, paper, gray)
		p.text(p.target(0, "a", fmt.Sprint(i), b), b.X()+3, b.Y()+1, fmt.Sprint(i%97), ink)
	}
	return p
}

func formPage() *page {
	p := newPage(1280, 720)
	for i := range 25 {
		x, y := 40+float64(i%2)*600, 30+float64(i/2)*52
		label := p.node(0, "label", snapshot.Box{x, y, 120, 18})
		p.text(label, x, y, fmt.Sprintf("Field number %d", i), ink)
		b := snapshot.Box{x, y + 18, 300, 26}
		p.ground(b, paper, gray)
		p.target(0, "input", "Field", b)
		check := snapshot.Box{x + 330, y + 24, 13, 13}
		p.ground(check, paper, ink)
		p.target(0, "input", "Check", check).Role = "checkbox"
		p.text(p.node(0, "span", snapshot.Box{x + 350, y + 22, 80, 16}), x+350, y+22, "remember", ink)
	}
	return p
}

// prosePage is running text with links in it, some of them wrapped.
func prosePage() *page {
	p := newPage(1280, 720)
	words := []string{"Number", "theory", "is", "a", "branch", "of", "pure", "mathematics", "devoted", "primarily", "to",
		"the", "study", "of", "integers", "and", "arithmetic", "functions"}
	for par := range 6 {
		para := p.node(0, "p", snapshot.Box{40, 20 + float64(par)*115, 1180, 110})
		pos := para.I
		x, y := 40.0, 20+float64(par)*115
		for i := range 130 {
			w := words[(i*7+par*3)%len(words)]
			wide := float64(charW * (len(w) + 1))
			if x+wide > 1200 {
				x, y = 40, y+20
			}
			if i%9 == 4 {
				a := p.target(pos, "a", w, snapshot.Box{x, y, wide - charW, lineH})
				p.text(a, x, y, w, blue)
				if i%27 == 4 && x+wide+200 > 1200 { // wrapped: its second half on the next line
					second := snapshot.Box{40, y + 20, 60, lineH}
					a.Rects = []snapshot.Box{a.Box, second}
					a.Box = a.Box.Union(second)
				}
			} else {
				p.text(&p.c.Nodes[pos], x, y, w, ink)
			}
			x += wide
		}
	}
	return p
}

func pages() map[string]*page {
	return map[string]*page{
		"form n=50": formPage(), "list n=150": listPage(150), "icon grid n=200": iconPage(200),
		"nested cards n=200": cardPage(200), "table n=1000": tablePage(1000), "prose": prosePage(),
	}
}

// shopPage is the checkout of the target picture: a header, a form, a cookie
// banner over part of two buttons, a wrapped link, tiny and nested targets, a
// scrolled list, and refs that are not in the picture.
func shopPage() *page {
	p := newPage(700, 525)
	b := func(x, y, w, h float64) snapshot.Box { return snapshot.Box{x, y, w, h} }
	p.ground(b(0, 0, 700, 49), navy, none)
	p.text(p.node(0, "b", b(17, 14, 70, 16)), 17, 15, "Demo shop", paper)
	for i, s := range []string{"Home", "Products", "Cart (2)"} {
		x := 122 + float64([]int{0, 55, 126}[i])
		r := b(x, 12, float64(charW*len(s)+4), 24)
		p.text(p.target(0, "a", s, r), x+2, 16, s, paper)
	}
	form := p.target(0, "form", "Delivery", b(10, 60, 360, 300))
	form.Interactive = nil
	at := form.I
	h := p.target(at, "h1", "Checkout", b(17, 64, 118, 27))
	h.Interactive, h.Role = nil, "heading"
	p.text(h, 17, 70, "Checkout", ink)
	for i, s := range []string{"Full name", "Street", "Card number"} {
		y := 100 + 57*float64(i)
		p.text(p.node(at, "label", b(17, y, 100, 16)), 17, y, s, ink)
		r := b(17, y+20, 315, 28)
		p.ground(r, paper, gray)
		n := p.target(at, "input", s, r)
		if i == 0 {
			p.text(n, 24, y+26, "Ada Lovelace", ink)
			n.Value = "Ada Lovelace"
		}
	}
	check := p.target(at, "input", "Ship to the same address", b(17, 276, 13, 13))
	check.Role, check.States = "checkbox", snapshot.States{"checked": true}
	p.ground(check.Box, paper, ink)
	p.text(p.node(at, "label", b(35, 274, 170, 16)), 35, 274, "Ship to the same address", ink)

	// A wrapped link, a link that is only an image, and a dot of 4 px.
	terms := p.target(0, "a", "terms and conditions", b(385, 70, 290, 36))
	terms.Rects = []snapshot.Box{b(570, 70, 105, 16), b(385, 90, 77, 16)}
	p.text(p.node(0, "p", b(385, 70, 290, 36)), 385, 70, "By ordering you agree to", ink)
	p.text(terms, 570, 70, "the terms and c", blue)
	p.text(terms, 385, 90, "onditions.", blue)
	tile := p.target(0, "a", "Photo", b(400, 125, 60, 60))
	p.ground(tile.Box, color.RGBA{180, 200, 214, 255}, none)
	p.target(tile.I, "img", "Keyboard", b(400, 125, 60, 60))
	p.ground(b(480, 150, 4, 4), color.RGBA{200, 30, 30, 255}, none)
	p.target(0, "button", "Dot", b(480, 150, 4, 4))
	p.target(0, "button", "Hair", b(500, 150, 1, 30)).Visible = false

	// A list that is scrolled inside its frame.
	list := p.node(0, "ul", b(400, 210, 220, 66))
	list.Scroller = &snapshot.ScrollFact{HasMore: true, Range: 200}
	p.ground(list.Box, paper, gray)
	lp := list.I
	for i := range 4 {
		y := 200 + 26*float64(i)
		r := b(404, y, 200, 22)
		n := p.target(lp, "button", fmt.Sprintf("Row %d", i), r)
		clip := r.Intersect(b(400, 210, 220, 66))
		switch {
		case clip.Empty():
			n.Clip, n.InViewport, n.Occlusion = &snapshot.Box{}, false, nil
		case clip != r:
			n.Clip = &clip
		}
		if !clip.Empty() {
			p.text(n, 410, y+3, fmt.Sprintf("Row %d", i), ink)
			n.TextRects[0] = n.TextRects[0].Intersect(clip)
		}
	}

	order := p.target(0, "button", "Place order", b(382, 416, 135, 38))
	p.ground(order.Box, color.RGBA{42, 108, 255, 255}, none)
	p.text(order, 410, 427, "Place order", paper)
	oi := order.I
	cancel := p.target(0, "button", "Cancel", b(534, 418, 96, 34))
	p.ground(cancel.Box, paper, ink)
	p.text(cancel, 560, 427, "Cancel", ink)
	ci := cancel.I
	help := p.target(0, "a", "Help", b(40, 470, 60, 16))
	hi := help.I
	// The banner over them.
	banner := p.target(0, "dialog", "We use cookies", b(0, 437, 700, 88))
	banner.Interactive, banner.Role = nil, "dialog"
	bi, bref := banner.I, banner.Ref
	p.ground(banner.Box, color.RGBA{40, 40, 40, 255}, none)
	words := p.node(bi, "p", b(20, 450, 330, 16))
	p.text(words, 20, 455, "We use cookies to make this shop better.", paper)
	wi := words.I
	for i, s := range []string{"Accept all", "Reject"} {
		r := b(490+116*float64(i), 462, []float64{80, 64}[i], 30)
		p.ground(r, []color.RGBA{paper, {40, 40, 40, 255}}[i], paper)
		p.text(p.target(bi, "button", s, r), r.X()+6, r.Y()+7, s, []color.RGBA{ink, paper}[i])
	}
	p.target(0, "a", "Far below", b(20, 1400, 200, 16))
	p.target(0, "a", "Carousel", b(-330, 200, 100, 50))
	_ = bref
	cover := func(i int, state snapshot.OcclusionState, share float64) {
		n := &p.c.Nodes[i]
		o := &snapshot.Occlusion{State: state, VisibleShare: share, HitShare: share, Coverer: &bi}
		x, y := n.Box.Center()
		for _, q := range [][2]float64{{x, y}, {n.Box.X() + 3, n.Box.Y() + 3}, {n.Box.Right() - 3, n.Box.Y() + 3},
			{n.Box.X() + 3, n.Box.Bottom() - 3}, {n.Box.Right() - 3, n.Box.Bottom() - 3}} {
			hit := float64(i)
			if p.c.Nodes[bi].Box.Contains(q[0], q[1]) {
				hit = float64(bi)
				if p.c.Nodes[wi].Box.Contains(q[0], q[1]) {
					hit = float64(wi)
				}
			}
			o.Points = append(o.Points, [3]float64{q[0], q[1], hit})
		}
		n.Occlusion = o
	}
	cover(oi, snapshot.Partly, 0.55)
	cover(ci, snapshot.Partly, 0.55)
	cover(hi, snapshot.Covered, 0)
	return p
}

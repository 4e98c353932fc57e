package overlay

import (
	"fmt"
	"image/color"

	"github.com/refscope/refscope/snapshot"
)

// More dense layouts beside those of pages_test.go: pages on which something lies
// over something else, reads from the right, or repeats along one column.

// clicks records what hit tests would find on a node: cover is the box of the
// node by, which lies over it.
func (p *page) clicks(i, by int, cover snapshot.Box) {
	n := &p.c.Nodes[i]
	o := &snapshot.Occlusion{State: snapshot.Clear, VisibleShare: 1, HitShare: 1}
	n.Occlusion = o
	part := n.Box.Intersect(cover)
	if part.Empty() {
		return
	}
	x, y := n.Box.Center()
	free := 0
	for k, q := range [][2]float64{{x, y}, {n.Box.X() + 2, n.Box.Y() + 2}, {n.Box.Right() - 2, n.Box.Y() + 2},
		{n.Box.X() + 2, n.Box.Bottom() - 2}, {n.Box.Right() - 2, n.Box.Bottom() - 2}} {
		hit := i
		if cover.Contains(q[0], q[1]) {
			hit = by
			o.State, o.Coverer = snapshot.Partly, &by
		} else {
			free++
		}
		if k == 0 && hit == by {
			o.Click = q
		}
		o.Points = append(o.Points, [3]float64{q[0], q[1], float64(hit)})
	}
	if cover.Contains(x, y) {
		o.State = snapshot.Covered
	}
	o.HitShare = float64(free) / 5
	o.VisibleShare = 1 - part.Area()/n.Box.Area()
}

// modalPage is a page of links under a dialog with a form.
func modalPage() *page {
	p := listPage(150)
	box := snapshot.Box{340, 160, 600, 400}
	p.ground(box, paper, ink)
	d := p.target(0, "dialog", "Sign in", box)
	d.Interactive, d.Role = nil, "dialog"
	at := d.I
	for i := 1; i < at; i++ {
		p.clicks(i, at, box)
	}
	for i, s := range []string{"Name", "Mail", "Word"} {
		r := snapshot.Box{380, 220 + 70*float64(i), 520, 32}
		p.ground(r, paper, gray)
		p.text(p.node(at, "label", snapshot.Box{380, r.Y() - 20, 80, lineH}), 380, r.Y()-20, s, ink)
		p.target(at, "input", s, r)
	}
	for i, s := range []string{"Cancel", "Sign in"} {
		r := snapshot.Box{660 + 130*float64(i), 490, 110, 36}
		p.ground(r, blue, none)
		p.text(p.target(at, "button", s, r), r.X()+20, r.Y()+10, s, paper)
	}
	return p
}

// stickyPage is a list that runs under a header which stays.
func stickyPage() *page {
	p := newPage(1280, 720)
	head := snapshot.Box{0, 0, 1280, 64}
	for i := range 90 {
		x, y := 20+float64(i%3)*420, 8+float64(i/3)*23
		s := fmt.Sprintf("Row %d with a link in it", i)
		p.text(p.target(0, "a", s, snapshot.Box{x, y, float64(charW * len(s)), lineH}), x, y, s, blue)
	}
	rows := len(p.c.Nodes)
	p.ground(head, navy, none)
	h := p.target(0, "header", "Top", head)
	h.Interactive, h.Role = nil, "banner"
	at := h.I
	for i := 1; i < rows; i++ {
		p.clicks(i, at, head)
	}
	for i := range 12 {
		r := snapshot.Box{20 + 100*float64(i), 18, 88, 28}
		s := fmt.Sprintf("Menu %d", i)
		p.text(p.target(at, "a", s, r), r.X()+8, r.Y()+6, s, paper)
	}
	return p
}

// tallPage is a page of 12,000 CSS px in one picture.
func tallPage() *page {
	p := newPage(1280, 12000)
	for i := range 900 {
		x, y := 20+float64(i%3)*400, 20+float64(i/3)*39
		s := fmt.Sprintf("Entry %d of a long list", i)
		p.text(p.target(0, "a", s, snapshot.Box{x, y, float64(charW * len(s)), lineH}), x, y, s, blue)
	}
	return p
}

// rtlPage is a page that reads from the right: a menu, and rows that end at the
// right edge.
func rtlPage() *page {
	p := newPage(1280, 720)
	p.c.Nodes[0].Attrs = map[string]string{"dir": "rtl"}
	x := 1260.0
	for _, s := range []string{"בית", "מוצרים", "עגלה", "חשבון", "עזרה"} {
		w := float64(charW*len([]rune(s)) + 8)
		x -= w
		p.text(p.target(0, "a", s, snapshot.Box{x, 12, w, 24}), x+4, 16, s, blue)
		x -= 10
	}
	for i := range 120 {
		s := fmt.Sprintf("שורה %d עם קישור", i)
		w := float64(charW * len([]rune(s)))
		x, y := 1260-float64(i%4)*300-w, 60+float64(i/4)*21.5
		p.text(p.target(0, "a", s, snapshot.Box{x, y, w, lineH}), x, y, s, blue)
	}
	return p
}

// mapPage is pins on a map, many of them on each other, and a zoom control.
func mapPage() *page {
	p := newPage(1280, 720)
	ground := snapshot.Box{0, 0, 1280, 720}
	p.ground(ground, color.RGBA{224, 232, 216, 255}, none)
	m := p.target(0, "div", "Map", ground)
	m.Role = "application"
	at := m.I
	seed := uint32(11)
	rnd := func(n int) float64 { seed = seed*1664525 + 1013904223; return float64(int(seed>>8) % n) }
	for i := range 180 {
		cx, cy := 120+float64(i%6)*200, 110+float64(i/6%3)*230
		b := snapshot.Box{cx + rnd(120) - 60, cy + rnd(120) - 60, 22, 30}
		p.ground(b, color.RGBA{200, 40, 40, 255}, paper)
		p.target(at, "button", fmt.Sprintf("Pin %d", i), b)
	}
	for i, s := range []string{"+", "-"} {
		b := snapshot.Box{1230, 20 + 34*float64(i), 32, 32}
		p.ground(b, paper, ink)
		p.text(p.target(at, "button", s, b), b.X()+12, b.Y()+8, s, ink)
	}
	return p
}

// choicePage is choices as sites style them: a transparent checkbox or radio
// under a label of the same box.
func choicePage() *page {
	p := newPage(640, 480)
	for i := range 40 {
		b := snapshot.Box{20 + float64(i%4)*150, 20 + float64(i/4)*44, 120, 28}
		p.ground(b, paper, gray)
		in := p.target(0, "input", "Choice", b)
		in.Role, in.Visible = []string{"checkbox", "radio"}[i%2], false
		l := p.target(0, "label", fmt.Sprintf("Choice %d", i), b)
		l.Interactive = []string{"label"}
		p.text(l, b.X()+10, b.Y()+6, fmt.Sprintf("Choice %d", i), ink)
	}
	return p
}

// glassPage is buttons under a picture that lets clicks through, and some that
// scroll out of their list.
func glassPage() *page {
	p := newPage(640, 360)
	over := snapshot.Box{150, 60, 220, 120}
	var under []int
	for i := range 6 {
		r := snapshot.Box{40 + 150*float64(i%3), 50 + 80*float64(i/3), 120, 40}
		p.ground(r, paper, ink)
		b := p.target(0, "button", fmt.Sprintf("Choose %d", i), r)
		p.text(b, r.X()+12, r.Y()+12, b.Name, ink)
		under = append(under, b.I)
	}
	g := p.node(0, "div", over)
	g.NoPointer = true
	gi := g.I
	p.ground(over, color.RGBA{120, 160, 190, 255}, none)
	for _, i := range under {
		n := &p.c.Nodes[i]
		if part := n.Box.Intersect(over); !part.Empty() {
			n.Occlusion.ClickThrough, n.Occlusion.Coverer = true, &gi
			n.Occlusion.VisibleShare = 1 - part.Area()/n.Box.Area()
		}
	}
	list := snapshot.Box{40, 230, 300, 90}
	p.ground(list, paper, gray)
	ul := p.node(0, "ul", list)
	ul.Scroller = &snapshot.ScrollFact{HasMore: true, Range: 300}
	up := ul.I
	for i := range 3 {
		r := snapshot.Box{50, 215 + 50*float64(i), 200, 40}
		b := p.target(up, "button", fmt.Sprintf("Row %d", i), r)
		if clip := r.Intersect(list); clip != r {
			b.Clip = &clip
		}
		p.ground(r.Intersect(list), color.RGBA{235, 240, 250, 255}, none)
		p.text(b, 60, r.Y()+22, b.Name, ink)
	}
	wide := snapshot.Box{560, 300, 160, 120}
	p.ground(wide, color.RGBA{250, 235, 220, 255}, ink)
	p.text(p.target(0, "a", "Offer", wide), 570, 310, "Offer", ink)
	return p
}

// crowds are all layouts that the gates hold for.
func crowds() map[string]*page {
	all := pages()
	for name, p := range map[string]*page{
		"modal over page": modalPage(), "sticky header": stickyPage(), "tall page": tallPage(),
		"right to left": rtlPage(), "map pins": mapPage(), "choices": choicePage(), "glass": glassPage(),
		"shop": shopPage(),
	} {
		all[name] = p
	}
	return all
}

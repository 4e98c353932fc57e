package overlay

import (
	"image"
	"image/color"
	"image/draw"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
)

// TestPalettes: digits are readable on every colour, every role has one of its
// group's, and a palette is a style of its own.
func TestPalettes(t *testing.T) {
	styles := map[string]bool{PaletteBlack.Style(): true}
	for _, p := range Palettes() {
		require.False(t, styles[p.Style()], "%s is the style of two palettes", p.Style())
		styles[p.Style()] = true
		seen := map[color.RGBA]string{}
		for _, c := range p.colors() {
			require.GreaterOrEqual(t, contrast(c.color, digitColor), 4.5, c.word)
			require.Empty(t, seen[c.color], "%s has the colour of another group", c.word)
			require.NotEmpty(t, c.word)
			seen[c.color] = c.word
		}
	}
	require.GreaterOrEqual(t, contrast(PaletteBlack.color(groupLink), digitColor), 7.0)
	tests := map[string]string{
		"link": "link", "button": "button", "textbox": "field", "combobox": "field", "checkbox": "choice", "option": "choice",
		"tab": "menu or tab", "heading": "heading", "img": "image", "": "other", "made-up": "other",
	}
	for role, word := range tests {
		c := PaletteRole.colors()[group(role)]
		require.Equal(t, word, c.word, role)
		require.Equal(t, c.color, PaletteRole.color(group(role)))
		require.Equal(t, color.RGBA{A: 255}, PaletteBlack.color(group(role)))
	}
}

// TestRolePalette: the picture and the manifest have the colours, and nothing else
// changes: labels stay where they are.
func TestRolePalette(t *testing.T) {
	p := shopPage()
	img := p.picture(t, 1)
	s := NewScene(p.c, img.Rect.Size(), Options{Palette: PaletteRole, Key: true})
	out := image.NewRGBA(image.Rectangle{Max: s.Extent()})
	draw.Draw(out, img.Rect, img, image.Point{}, draw.Src)
	s.Draw(out)
	golden(t, "shop-role", out)
	m := s.Manifest("x.png")
	require.Equal(t, "refscope-1-role", m.Style)
	black := NewScene(p.c, img.Rect.Size(), Options{}).Manifest("x.png")
	for i := range m.Marks {
		require.Equal(t, m.Marks[i].Number > 0, m.Marks[i].Color != "")
		require.Empty(t, black.Marks[i].Color)
		m.Marks[i].Color = ""
		require.Equal(t, black.Marks[i], m.Marks[i])
	}
	require.GreaterOrEqual(t, m.Quality.MinContrast, 4.5)
}

// TestKey: the strip is below the picture, as wide as it, and only where asked and
// where there is something to explain; the picture above it is the same.
func TestKey(t *testing.T) {
	p := shopPage()
	img := p.picture(t, 1)
	size := img.Rect.Size()
	s := NewScene(p.c, size, Options{Key: true})
	require.Equal(t, size, s.Size())
	require.Equal(t, size.X, s.Extent().X)
	require.Greater(t, s.Extent().Y, size.Y)
	names := []string{}
	for _, sign := range s.Signs() {
		names = append(names, sign.Name)
	}
	require.Equal(t, []string{"covered", "cut", "dashed", "named"}, names)

	with := image.NewRGBA(image.Rectangle{Max: s.Extent()})
	draw.Draw(with, img.Rect, img, image.Point{}, draw.Src)
	s.Draw(with)
	plain := image.NewRGBA(img.Rect)
	copy(plain.Pix, img.Pix)
	NewScene(p.c, size, Options{}).Draw(plain)
	require.Equal(t, plain.Pix, with.Pix[:len(plain.Pix)])
	// Whoever gives a picture without room for the strip gets the picture.
	s.Draw(img)
	require.Equal(t, plain.Pix, img.Pix)

	narrow := NewScene(p.c, image.Pt(90, 68), Options{Key: true})
	require.Greater(t, narrow.Extent().Y-68, s.Extent().Y-size.Y, "more rows on a narrow picture")
	require.Equal(t, size, NewScene(p.c, size, Options{Key: true, View: ViewModel}).Extent(), "a model gets no strip")
	require.Equal(t, size, NewScene(p.c, size, Options{}).Extent())
	clear := NewScene(formPage().c, image.Pt(1280, 720), Options{Key: true})
	require.Empty(t, clear.Signs())
	require.Equal(t, image.Pt(1280, 720), clear.Extent())
}

// TestGlass: what hides an element and lets clicks through is shaded where the two
// meet, in a pattern that is not that of what is covered.
func TestGlass(t *testing.T) {
	p := glassPage()
	img := p.picture(t, 1)
	s := NewScene(p.c, img.Rect.Size(), Options{Key: true})
	m := s.ByRef(1)
	require.True(t, m.Glass)
	require.Equal(t, Drawn, m.Status)
	require.Empty(t, s.Hatch())
	over := image.Rect(150, 60, 370, 180)
	sum := 0
	for _, r := range s.shaded[shadeGlass] {
		require.True(t, r.In(over))
		sum += area(r)
	}
	want := 0
	for ref := 1; ref <= 6; ref++ {
		want += common(s.ByRef(ref).Rects[0], over)
	}
	require.Equal(t, want, sum)
	require.Contains(t, s.Legend(), `1 button "Choose 0" (behind glass by div)`)
	require.Equal(t, []string{"top"}, s.ByRef(7).Cut)
	require.Nil(t, s.ByRef(8).Cut)
	require.Equal(t, []string{"bottom"}, s.ByRef(9).Cut)
	require.Equal(t, []string{"right", "bottom"}, s.ByRef(10).Cut)
	out := image.NewRGBA(image.Rectangle{Max: s.Extent()})
	draw.Draw(out, img.Rect, img, image.Point{}, draw.Src)
	s.Draw(out)
	golden(t, "glass", out)
	require.Empty(t, NewScene(p.c, img.Rect.Size(), Options{View: ViewModel}).shaded[shadeGlass], "a model sees the page as it is")
}

// TestSharedBox: a hidden checkbox and its label keep a number each, side by side
// where there is room, and each names the other.
func TestSharedBox(t *testing.T) {
	p := choicePage()
	img := p.picture(t, 1)
	s := NewScene(p.c, img.Rect.Size(), Options{})
	for ref := 1; ref < len(s.marks); ref += 2 {
		a, b := s.ByRef(ref), s.ByRef(ref+1)
		require.Equal(t, b.Ref, a.SharesBox)
		require.Equal(t, a.Ref, b.SharesBox)
		require.False(t, a.Label.Overlaps(b.Label))
		require.Equal(t, a.strokes, b.strokes, "they are drawn as one box")
	}
	require.Equal(t, s.ByRef(1).Label.Max.X, s.ByRef(2).Label.Min.X, "side by side")
	require.Equal(t, s.ByRef(1).Label.Min.Y, s.ByRef(2).Label.Min.Y)
	require.Equal(t, 2, s.Manifest("x").Marks[0].SharesBox)
	s.Draw(img)
	golden(t, "choices", img)

	q := newPage(200, 100)
	for range 3 {
		q.target(0, "a", "x", snapshot.Box{20, 20, 80, 30})
	}
	q.target(0, "a", "x", snapshot.Box{20, 20, 80, 34})
	three := NewScene(q.c, image.Pt(200, 100), Options{})
	shares := []int{}
	for _, m := range three.Marks() {
		shares = append(shares, m.SharesBox)
	}
	require.Equal(t, []int{2, 1, 1, 0}, shares, "the first names the second, the others the first")
}

// TestCoverers: what covers a mark is in the picture too, unless it holds the mark;
// with new numbers a label never mixes them with refs.
func TestCoverers(t *testing.T) {
	p := shopPage()
	s := NewScene(p.c, image.Pt(700, 525), Options{})
	require.Equal(t, Drawn, s.ByRef(22).Status, "the banner")
	require.Equal(t, Container, s.ByRef(4).Status, "the form covers nothing")
	require.Equal(t, "21←22", s.ByRef(21).says)
	require.Equal(t, Container, NewScene(p.c, image.Pt(700, 525), Options{View: ViewModel}).ByRef(22).Status)

	re := NewScene(p.c, image.Pt(700, 525), Options{Renumber: true})
	by := re.ByRef(22).Number
	require.Positive(t, by)
	require.Equal(t, "19←"+re.ByRef(22).says, re.ByRef(21).says)
	require.Contains(t, re.Legend(), `link "Help" (covered by [`+re.ByRef(22).says+`])`)

	q := newPage(300, 200)
	main := q.target(0, "main", "Page", snapshot.Box{0, 0, 300, 200})
	main.Interactive = nil
	at := main.I
	b := q.target(at, "button", "Under", snapshot.Box{20, 20, 80, 30}).I
	layer := q.node(at, "div", snapshot.Box{0, 0, 300, 100})
	li := layer.I
	q.clicks(b, li, layer.Box)
	in := NewScene(q.c, image.Pt(300, 200), Options{})
	m := in.ByRef(2)
	require.Equal(t, Covered, m.Status)
	require.Zero(t, m.Coverer, "main holds both")
	require.Equal(t, li, m.CovererNode)
	require.Equal(t, "2", m.says)
	require.Equal(t, Container, in.ByRef(1).Status)
	require.Contains(t, in.Legend(), `2 button "Under" (covered by div)`)
}

// TestReadingOrder: rows from the top, each from the side where reading begins.
func TestReadingOrder(t *testing.T) {
	boxes := []snapshot.Box{ // in document order; the names are their place when read from the left
		{200, 10, 40, 20},  // 1: second in the first row
		{20, 12, 40, 16},   // 0
		{20, 100, 80, 300}, // 4: a sidebar
		{120, 104, 60, 24}, // 5: beside its top
		{120, 300, 60, 24}, // 6
		{20, 60, 40, 16},   // 2
		{200, 66, 40, 16},  // 3: half a row lower
	}
	tests := map[string]struct {
		dir  string
		want []int
	}{
		"from the left":  {"", []int{2, 1, 6, 7, 3, 4, 5}},
		"from the right": {"RTL", []int{1, 2, 7, 6, 4, 3, 5}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := newPage(300, 420)
			p.c.Nodes[0].Attrs = map[string]string{"dir": tt.dir}
			for _, b := range boxes {
				p.target(0, "a", "x", b)
			}
			s := NewScene(p.c, image.Pt(300, 420), Options{Renumber: true})
			got := []int{}
			for k, i := range s.reading {
				got = append(got, s.marks[i].Ref)
				require.Equal(t, k+1, s.marks[i].Number)
			}
			require.Equal(t, tt.want, got)
		})
	}
	// The body has the last word.
	p := newPage(300, 200)
	p.c.Nodes[0].Attrs = map[string]string{"dir": "rtl"}
	p.node(0, "body", snapshot.Box{0, 0, 300, 200}).Attrs = map[string]string{"dir": "ltr"}
	require.False(t, NewScene(p.c, image.Pt(300, 200), Options{}).fromRight())
}

package overlay

import (
	"image"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testpages"
)

// TestOneThingOneNumber holds the rule of things.go on a page made for it.
func TestOneThingOneNumber(t *testing.T) {
	p := newPage(600, 400)
	heading := p.target(0, "h1", "Order", snapshot.Box{20, 10, 200, 30})
	heading.Interactive = nil
	name := p.target(0, "label", "Name", snapshot.Box{20, 50, 60, 20})
	name.Interactive, name.Attrs = []string{"label"}, map[string]string{"for": "n"}
	p.target(0, "input", "Name", snapshot.Box{100, 50, 200, 24}).Attrs = map[string]string{"id": "n"}
	li := p.target(0, "li", "Home", snapshot.Box{20, 100, 100, 24})
	li.Interactive = []string{"listener"}
	at := li.I
	p.target(at, "a", "Home", snapshot.Box{22, 102, 96, 20})
	a := p.target(0, "a", "Buy", snapshot.Box{20, 140, 100, 30})
	at = a.I
	p.target(at, "button", "Buy", snapshot.Box{22, 142, 96, 26})
	card := p.target(0, "a", "Card", snapshot.Box{20, 200, 200, 150})
	at = card.I
	p.target(at, "button", "Keep", snapshot.Box{180, 210, 30, 30})
	// A styled checkbox: only its label can be seen.
	own := p.target(0, "label", "Styled", snapshot.Box{300, 200, 100, 24})
	own.Interactive = []string{"label"}
	at = own.I
	p.target(at, "input", "Styled", snapshot.Box{300, 200, 100, 24}).Visible = false

	// A label of nothing, and one whose control is not in the capture.
	p.target(0, "label", "Stray", snapshot.Box{300, 300, 100, 24}).Interactive = []string{"native"}
	p.target(0, "label", "Hidden", snapshot.Box{300, 340, 100, 24}).Interactive = []string{"native", "label"}

	// A label of a paragraph, which no label can be for, and one of a form's own element.
	for k, tag := range []string{"p", "x-field"} {
		label := p.target(0, "label", "Terms", snapshot.Box{450, 300 + 40*float64(k), 100, 24})
		label.Interactive, label.Attrs = []string{"native"}, map[string]string{"for": tag}
		p.node(0, tag, snapshot.Box{450, 10, 100, 24}).Attrs = map[string]string{"id": tag}
	}

	s := NewScene(p.c, image.Pt(600, 400), Options{View: ViewModel})
	type row struct {
		status Status
		by     int
	}
	var got []row
	for _, m := range s.Manifest("x.png").Marks {
		got = append(got, row{m.Status, m.For})
	}
	require.Equal(t, []row{
		{Still, 0}, {SameThing, 3}, {Drawn, 0}, {SameThing, 5}, {Drawn, 0}, {Drawn, 0}, {SameThing, 6},
		{Drawn, 0}, {Drawn, 0}, {SameThing, 11}, {Drawn, 0}, {Still, 0}, {Drawn, 0},
		{Still, 0}, {Drawn, 0},
	}, got)
	require.Contains(t, s.Legend(), "\none thing, one number: [2] is 3, [4] is 5, [7] is 6, [10] is 11\n")
	spelt := NewScene(p.c, image.Pt(600, 400), Options{
		View: ViewModel, Spell: func(ref int) string { return "@e" + strconv.Itoa(ref) },
	})
	require.Contains(t, spelt.Legend(), "\none thing, one number: @e2 is @e3, @e4 is @e5, @e7 is @e6, @e10 is @e11\n")
}

// TestOneNumberOnPages: on captures of whole pages each mark that another stands for leads to one that is drawn, and
// nothing that is drawn cannot be acted on.
func TestOneNumberOnPages(t *testing.T) {
	testpages.EachCapture(t, func(t *testing.T, c *snapshot.Capture) {
		s := NewScene(c, image.Pt(int(c.Viewport.Width), int(c.Viewport.Height)), Options{View: ViewModel})
		for i := range s.marks {
			switch m := &s.marks[i]; m.Status {
			case SameThing:
				by := s.ByRef(m.For)
				require.NotNil(t, by)
				require.Equal(t, Drawn, by.Status, "ref %d stands for %d", m.For, m.Ref)
			case Drawn:
				require.NotEmpty(t, c.Nodes[m.pos].Interactive, "ref %d", m.Ref)
			}
		}
	})
}

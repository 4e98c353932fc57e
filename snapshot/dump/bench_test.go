package dump

import (
	"fmt"
	"strings"
	"testing"

	"github.com/refscope/refscope/snapshot"
)

// bigPage is a shop of n elements or a little more: cards, a table, paragraphs.
func bigPage(t testing.TB, n int) *snapshot.Capture {
	var b strings.Builder
	b.WriteString("title: Shop\nscroll: 300/90000\nbody\n  main\n")
	for i := 0; i*16 < n; i++ {
		y := i * 40
		fmt.Fprintf(&b, `    section %%name="Shelf %[1]d"
      h2 @0,%[2]d,600,30 "Shelf number %[1]d"
      div %%boundary
        div %%by=listener @0,%[2]d,600,200
          a href="/product/%[1]d?ref=list" @10,%[2]d,200,20 "Keyboard with %[1]d keys"
          p
            "It costs "
            b "$%[1]d"
            " and ships "
            a href="/ship" @10,%[2]d,80,20 "tomorrow"
            ", they say."
          button @10,%[2]d,80,20 %%click=20,%[2]d "Add to cart"
      table
        tr
          td "Weight"
          td "%[1]d g"
      ul
        li
          span "Naïve — café %[1]d"
`, i, y)
	}
	return parsePage(t, b.String())
}

func BenchmarkRender(b *testing.B) {
	for _, n := range []int{800, 5_000, 50_000} {
		c := bigPage(b, n)
		for _, o := range []struct {
			name string
			f    Format
			o    Options
		}{
			{"dddk", DDDK, Options{MaxChars: -1}},
			{"dddk-cut", DDDK, Options{}},
			{"dddk-compat", DDDK, Options{Compat: true}},
			{"semantic", Semantic, Options{}},
			{"aria", Aria, Options{}},
			{"aria-playwright", Aria, Options{Aria: AriaOptions{Playwright: true}}},
			{"skeleton", Skeleton, Options{}},
			{"full", Full, Options{}},
			{"full-plain", Full, Options{NoTemplates: true}},
			{"ax", AX, Options{}},
			{"semantic-all", Semantic, Options{NoViewportPruning: true}},
			{"wraith", Wraith, Options{}},
			{"wraith-json", WraithJSON, Options{}},
			{"domtool", DomTool, Options{}},
			{"domtool-all", DomTool, Options{MaxChars: -1, MaxNodes: -1}},
		} {
			b.Run(fmt.Sprintf("%s/%d", o.name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					d, err := Render(c, o.f, o.o)
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(float64(len(d.Text)), "text-bytes")
				}
				b.ReportMetric(float64(len(c.Nodes)), "nodes")
			})
		}
	}
}

// BenchmarkAllFormats renders a page of 5,000 elements in every format that a turn may
// have, on their default limits: the budget is 0.25 of the time that reading such a page
// takes, the goal 0.1.
func BenchmarkAllFormats(b *testing.B) {
	c := bigPage(b, 5_000)
	formats := []Format{DDDK, Wraith, WraithJSON, Aria, Semantic, Skeleton, Hybrid, Full, DomTool, AX}
	for name, o := range map[string]Options{"default": {}, "unlimited": {MaxChars: -1, MaxNodes: -1, NoViewportPruning: true}} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				page := NewPage(c)
				for _, f := range formats {
					if _, err := page.Render(f, o); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// BenchmarkHostileNesting renders controls nested in controls and sections in
// sections: the cost must stay in proportion.
func BenchmarkHostileNesting(b *testing.B) {
	for _, n := range []int{500, 2_000} {
		c := nested(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				for _, f := range Formats() {
					if _, err := Render(c, f, Options{MaxChars: -1, NoViewportPruning: true}); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// nested is n elements each in the one before, in turn a control, a section and
// an inline element, with text in each.
func nested(n int) *snapshot.Capture {
	c := &snapshot.Capture{Viewport: snapshot.Viewport{Width: 1280, Height: 720, Scale: 1}, Frames: []snapshot.Frame{{Parent: -1, Owner: -1}}}
	for i := range n {
		e := snapshot.Node{I: i, Parent: i - 1, Ref: i + 1, Text: "text", Verdict: snapshot.VerdictRef, Box: snapshot.Box{0, 0, 10, 10}, InViewport: true}
		switch i % 3 {
		case 0:
			e.Tag, e.Interactive = "div", []string{"listener"}
		case 1:
			e.Tag = "section"
		default:
			e.Tag, e.Verdict = "span", snapshot.VerdictContent
		}
		e.Runs = []snapshot.Run{{Text: "some text of this element ", Before: i + 1}}
		c.Nodes = append(c.Nodes, e)
	}
	return c
}

package dump

import (
	"fmt"
	"testing"

	"github.com/refscope/refscope/snapshot/pagetest"
)

func BenchmarkRender(b *testing.B) {
	for _, n := range []int{800, 5_000, 50_000} {
		c := pagetest.Shop(b, n)
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
	c := pagetest.Shop(b, 5_000)
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
		c := pagetest.Nested(n)
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

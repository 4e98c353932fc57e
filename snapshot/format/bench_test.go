package format_test

import (
	"fmt"
	"testing"

	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/aria"
	"github.com/refscope/refscope/snapshot/format/markup"
	"github.com/refscope/refscope/snapshot/format/semantic"
	"github.com/refscope/refscope/snapshot/pagetest"
)

func BenchmarkRender(b *testing.B) {
	for _, n := range []int{800, 5_000, 50_000} {
		c := pagetest.Shop(b, n)
		for _, o := range []struct {
			name string
			f    dump.Format
			o    format.Options
		}{
			{"dddk", format.DDDK, format.Options{Common: dump.Common{MaxChars: -1}}},
			{"dddk-cut", format.DDDK, format.Options{}},
			{"dddk-compat", format.DDDK, format.Options{Common: dump.Common{Compat: true}}},
			{"semantic", format.Semantic, format.Options{}},
			{"aria", format.Aria, format.Options{}},
			{"aria-playwright", format.Aria, format.Options{Aria: aria.Options{Playwright: true}}},
			{"skeleton", format.Skeleton, format.Options{}},
			{"full", format.Full, format.Options{}},
			{"full-plain", format.Full, format.Options{Markup: markup.Options{NoTemplates: true}}},
			{"ax", format.AX, format.Options{}},
			{"semantic-all", format.Semantic, format.Options{Semantic: semantic.Options{NoViewportPruning: true}}},
			{"wraith", format.Wraith, format.Options{}},
			{"wraith-json", format.WraithJSON, format.Options{}},
			{"domtool", format.DomTool, format.Options{}},
			{"domtool-all", format.DomTool, format.Options{Common: dump.Common{MaxChars: -1, MaxNodes: -1}}},
		} {
			b.Run(fmt.Sprintf("%s/%d", o.name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					d, err := format.Render(c, o.f, o.o)
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
	formats := []dump.Format{format.DDDK, format.Wraith, format.WraithJSON, format.Aria, format.Semantic, format.Skeleton,
		format.Hybrid, format.Full, format.DomTool, format.AX}
	for name, o := range map[string]format.Options{"default": {},
		"unlimited": {Common: dump.Common{MaxChars: -1, MaxNodes: -1}, Semantic: semantic.Options{NoViewportPruning: true}}} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				page := format.NewPage(c)
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
				for _, f := range format.Names() {
					if _, err := format.Render(c, f, format.Options{Common: dump.Common{MaxChars: -1},
						Semantic: semantic.Options{NoViewportPruning: true}}); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

package app

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/core/coretest"
	"github.com/refscope/refscope/gui/costs"
	"github.com/refscope/refscope/gui/findings"
	"github.com/refscope/refscope/gui/whatif"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testpages"
	"github.com/refscope/refscope/snapshot/turn"
)

// BenchmarkLatency is how long a person waits after an action, until the window has its answer
// and has handed it to its panes; drawing comes on top: those that are "drawn" have the whole window
// painted by Fyne's software painter too, which is slower than a graphics card. The pages are one
// made for tests, and one of 20,000 elements.
func BenchmarkLatency(b *testing.B) {
	const turns = 12 // of which a few stay ready
	pages := map[string]*snapshot.Capture{"20000": longTurn(20_000).Capture}
	for name, c := range testpages.Captures(b) {
		if pages["page"] == nil || len(c.Nodes) > len(pages["page"].Nodes) {
			pages["page"] = c
			b.Logf("page: %s, %d elements", name, len(c.Nodes))
		}
	}
	for name, c := range pages {
		f := newFake()
		for n := 1; n <= turns; n++ {
			f.turns = append(f.turns, &core.Recorded{Record: turn.Record{N: n, Action: "capture", Capture: c, Picture: coretest.Picture(c)}})
		}
		w := open(b, f, nil)
		ready := func(s core.State) bool { return s.Current != nil && len(s.Tasks) == 0 && s.Doc(s.Format) != nil }
		w.await("the newest turn", ready)
		back := func(by int) { // until picture and text are in view
			n := (w.shell.State().Current.N-1-by+turns)%turns + 1
			w.shell.Dispatch(core.TurnChosen{N: n})
			w.await("the other turn", func(s core.State) bool { return s.Current.N == n && s.Doc(s.Format) != nil })
		}
		settled := func(b *testing.B) {
			b.StopTimer()
			w.shell.Dispatch(core.SideChosen(core.SideText))
			w.await("nothing to do", ready)
			b.StartTimer()
		}
		other := func(b *testing.B) { // a turn of which nothing is known yet
			b.StopTimer()
			back(5)
			settled(b)
		}
		refs := []int{}
		for i := range c.Nodes {
			if c.Nodes[i].Ref > 0 && len(refs) < 50 {
				refs = append(refs, c.Nodes[i].Ref)
			}
		}
		require.NotEmpty(b, refs)
		i := 0
		for _, m := range []struct {
			name string
			do   func(b *testing.B)
		}{
			{"select", func(*testing.B) {
				i++
				ref := refs[i%len(refs)]
				w.shell.Dispatch(core.Picked{Ref: ref, Source: core.PanePicture})
				w.await("the element", func(s core.State) bool { return s.Selected.Ref == ref })
			}},
			{"turn", func(b *testing.B) { // K: the turn before is ready
				settled(b)
				back(1)
			}},
			{"jump", func(b *testing.B) { // a turn far away
				settled(b)
				back(5)
			}},
			{"format", func(b *testing.B) {
				other(b)
				i++
				w.shell.Dispatch(core.FormatChosen{Format: w.shell.State().Formats[i%3]})
				w.await("the text", func(s core.State) bool { return s.Doc(s.Format) != nil })
			}},
			{"findings", func(b *testing.B) {
				other(b)
				w.shell.Dispatch(core.SideChosen(findings.Side))
				w.await("the findings", func(s core.State) bool { return findings.ViewOf(s).List.Rows != nil })
			}},
			{"findings-ahead", func(b *testing.B) { // of a turn that a person looks at for a moment
				other(b)
				b.StopTimer()
				w.await("the badge", func(s core.State) bool { return findings.Of(s).Report != nil })
				b.StartTimer()
				w.shell.Dispatch(core.SideChosen(findings.Side))
				w.await("the findings", func(s core.State) bool { return findings.ViewOf(s).List.Rows != nil })
			}},
			{"tokens", func(b *testing.B) {
				other(b)
				w.shell.Dispatch(core.SideChosen(costs.Side))
				w.await("the costs", func(s core.State) bool { return costs.ViewOf(s).List.Rows != nil })
			}},
			{"whatif", func(b *testing.B) {
				i++
				setup := whatif.Setup{Format: "dddk", MaxTokens: 500 + i%1000}
				w.shell.Dispatch(core.SideChosen(whatif.Side))
				w.shell.Dispatch(whatif.Changed{Given: true, Setup: setup})
				w.await("the effect", func(s core.State) bool {
					built := whatif.Of(s).Built
					return built != nil && built.Setup == setup
				})
			}},
		} {
			b.Run(fmt.Sprintf("%s/%s", name, m.name), func(b *testing.B) {
				for range b.N {
					m.do(b)
				}
			})
			if slices.Contains([]string{"select", "turn", "format"}, m.name) {
				b.Run(fmt.Sprintf("%s/%s-drawn", name, m.name), func(b *testing.B) {
					for range b.N {
						m.do(b)
						w.shell.win.Canvas().Capture()
					}
				})
			}
		}
	}
}

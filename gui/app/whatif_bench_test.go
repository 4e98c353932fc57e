package app

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/core/coretest"
	"github.com/refscope/refscope/gui/profile"
	"github.com/refscope/refscope/gui/whatif"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot"
)

// longTurn is a page whose dump has that many lines.
func longTurn(lines int) *core.Turn {
	c := coretest.Checkout()
	for i := len(c.Nodes); len(c.Nodes) < lines; i++ {
		n := c.Nodes[3]
		n.I, n.UID, n.BackendNodeID, n.Ref = i, i+1, int64(100+i), i
		n.Name = fmt.Sprintf("Product %d of the catalogue", i)
		n.Text, n.Runs = n.Name, []snapshot.Run{{Text: n.Name, Before: -1}}
		n.Box = snapshot.Box{40, float64(900 + 24*i), 300, 20}
		n.Occlusion = nil
		c.Nodes = append(c.Nodes, n)
	}
	c.Verdicts = c.CountVerdicts()
	return core.NewTurn(1, "goto", c, nil, nil)
}

// BenchmarkWhatIf is one move of a slider on a page of 5,000 lines, away from the
// window's goroutine.
func BenchmarkWhatIf(b *testing.B) {
	t, w := longTurn(5000), coretest.Worker(nil)
	for _, setup := range []whatif.Setup{{Format: "dddk", MaxChars: -1}, {Format: "dddk", MaxTokens: 2000},
		{Format: "aria", Drop: "a[href]"}} {
		b.Run(fmt.Sprintf("%s-%d", setup.Format, setup.MaxTokens), func(b *testing.B) {
			for b.Loop() {
				m := whatif.Compare{Turn: t, Setup: setup}.Do(b.Context(), w).(whatif.Compared)
				require.Nil(b, m.Problem)
			}
		})
	}
}

// BenchmarkCheckProfile is what a pause in the typing costs on the same page.
func BenchmarkCheckProfile(b *testing.B) {
	t, w := longTurn(5000), coretest.Worker(nil)
	for b.Loop() {
		c := profile.CheckProfile{Domain: "a.example", Text: shopProfile, Turn: t, Format: "dddk"}.Do(b.Context(),
			w).(profile.Checked).Check
		require.NotNil(b, c.Effect)
	}
}

// BenchmarkProfileSide is what a message costs on the window's goroutine while the side
// is in view.
func BenchmarkProfileSide(b *testing.B) {
	s := core.State{Current: longTurn(5000), Side: profile.Side, Format: "dddk"}
	s, _ = core.Update(s, profile.Found{File: profiles.File{Domain: "a.example", Text: shopProfile, Version: "v"}})
	old := profile.ViewOf(s)
	for b.Loop() {
		if vm := profile.ViewOf(s); !vm.Equal(old) {
			b.Fatal("nothing changed")
		}
	}
}

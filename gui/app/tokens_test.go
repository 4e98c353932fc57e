package app

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/core/coretest"
	"github.com/refscope/refscope/gui/costs"
	"github.com/refscope/refscope/gui/profile"
	"github.com/refscope/refscope/gui/text"
	whatifroom "github.com/refscope/refscope/gui/whatif"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot/dump"
)

// TestTokensAreCountedOnce: the status, the token map, What-if and the profile's effect give
// one number for one text, and say how it was counted.
func TestTokensAreCountedOnce(t *testing.T) {
	w := coretest.Worker(nil)
	turn := core.NewTurn(1, "goto", coretest.Checkout(), nil, nil)
	for _, f := range []dump.Format{"dddk", "semantic", "aria"} {
		t.Run(string(f), func(t *testing.T) {
			doc := text.Render{Turn: turn, Format: f}.Do(t.Context(), w).(core.Rendered).Doc
			require.NotZero(t, doc.Tokens)
			require.Equal(t, doc.Tokens, costs.Map{Turn: turn, Format: f}.Do(t.Context(),
				w).(costs.Mapped).Costs.Whole.Tokens)
			whatIf := whatifroom.Compare{Turn: turn, Setup: whatifroom.Setup{Format: f}}.Do(t.Context(),
				w).(whatifroom.Compared)
			require.Equal(t, doc.Tokens, whatIf.Built.Effect.Counts.TokensBefore)
			check := profile.CheckProfile{Turn: turn, Format: f}.Do(t.Context(), w).(profile.Checked).Check
			require.Equal(t, doc.Tokens, check.Effect.Counts.TokensBefore)
			require.Contains(t, core.TokenWords(doc.Tokens), "o200k")
		})
	}
}

// TestAFaultyProfileIsNotWritten: what lint calls a fault never reaches the store.
func TestAFaultyProfileIsNotWritten(t *testing.T) {
	b, store := withStore(t, shopProfile)
	for name, text := range map[string]string{
		"selector":    "---\nfilter:\n  - .a)\n---\n# x\n",
		"unknown key": "---\nfilters:\n  - .a\n---\n# x\n",
	} {
		t.Run(name, func(t *testing.T) {
			f, err := b.engine.FindProfile(t.Context(), fakeURL)
			require.NoError(t, err)
			base := profiles.File{Domain: f.Domain, Text: f.Text, Version: f.Version, Path: f.Path}
			m := profile.SaveProfile{Base: base, Text: text}.Do(t.Context(), coretest.Worker(b.engine)).(profile.Saved)
			require.NotEmpty(t, m.Faults)
			now, err := b.engine.FindProfile(t.Context(), fakeURL)
			require.NoError(t, err)
			require.Equal(t, f.Text, now.Text, store)
		})
	}
}

package whatif

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/snapshot/format"
)

type bench struct {
	*View
	sent []core.Msg
	left int
}

func newBench(t *testing.T) *bench {
	b := &bench{}
	win := test.NewTempWindow(t, widget.NewLabel(""))
	b.View = New(&parts.Window{
		Send: func(m core.Msg) { b.sent = append(b.sent, m) }, Run: func(string) {}, Escape: func() { b.left++ },
	}, format.Plain())
	win.SetContent(b.Object())
	win.Resize(fyne.NewSize(620, 820))
	b.Set(VM{Setup: Setup{Format: format.DDDK}, Ready: true})
	return b
}

// last is the setup that was sent last.
func (b *bench) last() Setup {
	return b.sent[len(b.sent)-1].(Changed).Setup
}

func (b *bench) control(t *testing.T, flag string) *control {
	for _, c := range b.controls {
		if c.option.Name == flag {
			return c
		}
	}
	t.Fatalf("there is no %s", flag)
	return nil
}

func TestControlsSendSetups(t *testing.T) {
	b := newBench(t)
	require.Empty(t, b.sent, "nobody moved a control")
	tokens := b.control(t, "max-tokens")
	tokens.slide.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft}) // from no limit to the largest
	require.Equal(t, Setup{Format: format.DDDK, MaxTokens: 16000}, b.last())
	test.Tap(b.control(t, "mark-covered").check)
	require.True(t, b.last().MarkCovered)
	require.Equal(t, 16000, b.last().MaxTokens, "what was moved before the answer stays")
	test.Type(b.drop, ".ads")
	require.Equal(t, ".ads", b.last().Drop)
	b.format.SetSelected("semantic")
	require.Equal(t, format.Semantic, b.last().Format)
	for _, f := range []fyne.Focusable{tokens.slide, b.control(t, "mark-covered").check, b.drop, b.format} {
		f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	}
	require.Equal(t, 4, b.left)
	require.False(t, b.drop.AcceptsTab())
}

func TestControlsFollowTheFormatAndReset(t *testing.T) {
	b := newBench(t)
	require.False(t, b.control(t, "min-visible").row.Visible())
	require.False(t, b.detailAt.Visible())
	b.Set(VM{Setup: Setup{Format: format.Semantic}, Ready: true})
	require.True(t, b.control(t, "min-visible").row.Visible())
	b.Set(VM{Setup: Setup{Format: format.Aria}, Ready: true})
	require.True(t, b.detailAt.Visible())
	require.False(t, b.control(t, "min-visible").row.Visible())

	test.Type(b.drop, "x")
	test.Tap(b.control(t, "compat").check)
	b.Set(VM{Setup: Setup{Format: format.Aria}, Version: 1, Ready: true})
	require.Empty(t, b.drop.Text)
	require.False(t, b.control(t, "compat").check.Checked)
	n := len(b.sent)
	b.Set(VM{Setup: Setup{Format: format.Aria, MaxNodes: 5, Query: "pay"}, Version: 2, Ready: true})
	require.Equal(t, "pay", b.query.Text)
	require.Len(t, b.sent, n, "what is given was not moved")
	require.Equal(t, "5 elements", b.control(t, "max-nodes").option.Word(5))
}

package profile

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/profiles"
)

// bench is a view in a window, with what it sent.
type bench struct {
	*View
	win  fyne.Window
	sent []core.Msg
	ran  []string
	left int // how often Esc left
}

func newBench(t testing.TB) *bench {
	b := &bench{}
	b.win = test.NewTempWindow(t, widget.NewLabel(""))
	b.View = New(&parts.Window{
		Canvas: b.win.Canvas(), Run: func(id string) { b.ran = append(b.ran, id) }, Escape: func() { b.left++ },
		Keys: parts.Keys{Key: func(*fyne.KeyEvent) {}},
		Send: func(m core.Msg) {
			switch m.(type) {
			case core.Escaped:
				b.left++
			case core.Hovered:
			default:
				b.sent = append(b.sent, m)
			}
		},
	})
	b.win.SetContent(b.Object())
	b.win.Resize(fyne.NewSize(620, 820))
	return b
}

const shopText = "---\nfilter:\n  - .ads\n---\n# shop.example\n\n## Quirks\n- one\n\n## Recipes\n- two\n"

func vmOf(text string) VM {
	vm := vmWithout(text)
	vm.CheckList = core.ListVM{Rows: checkRows(vm.Check.Rows)}
	return vm
}

func vmWithout(text string) VM {
	return VM{Domain: "shop.example", Path: "/p/shop.example.md", Text: text, Given: 1, CanSave: true,
		Check: &Check{Outline: []Section{{Name: profileFront, Line: 1, Size: 1}, {Name: "Quirks", Line: 7, Size: 1},
			{Name: "Regions"}, {Name: "Recipes", Line: 10, Size: 1}},
			Rows: []Row{{Line: 3, Text: "filter .ads: no element matches", Tone: core.ToneMuted},
				{Text: "3 elements were left out"}}}}
}

func TestTypingIsSentAndNotTakenAway(t *testing.T) {
	b := newBench(t)
	b.Set(vmOf(shopText))
	require.Equal(t, shopText, b.editor.Text())
	require.Empty(t, b.sent, "a text that is given was not typed")
	b.ShowLine(8)
	require.Equal(t, 8, b.Line())
	test.Type(b.editor, "x")
	typed := strings.Replace(shopText, "- one", "x- one", 1)
	require.Equal(t, []core.Msg{Typed{Domain: "shop.example", Given: 1, Text: typed}}, b.sent)

	vm := vmOf(shopText) // an older state arrives
	vm.Whole = true
	b.Set(vm)
	require.Equal(t, typed, b.editor.Text())
	vm.Given, vm.Text, vm.Cursor = 2, "# other\nline", 9
	b.Set(vm)
	require.Equal(t, "# other\nline", b.editor.Text())
	require.Equal(t, 2, b.Line())
	vm.Domain, vm.Text = "b.example", "# b"
	b.Set(vm)
	require.Equal(t, "# b", b.editor.Text())
	b.editor.TypedShortcut(&fyne.ShortcutUndo{})
	b.editor.TypedShortcut(&fyne.ShortcutRedo{})
	require.Equal(t, []core.Msg{undone{}, undone{Redo: true}}, b.sent[1:])
	b.editor.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	require.Equal(t, 1, b.left)
}

func TestTheCursorIsFoundInWrappedLines(t *testing.T) {
	b := newBench(t)
	long := strings.Repeat("word ", 60) + "日本語 end"
	b.Set(vmOf(long + "\n" + long + "\nlast\n"))
	for line, want := range []int{0, len(long) + 1, 2*len(long) + 2, 2*len(long) + 7} {
		b.ShowLine(line + 1)
		require.Equal(t, line+1, b.Line())
		require.Equal(t, want, b.editor.Offset())
	}
	b.editor.Fill(b.editor.Text(), len(long)-3)
	require.Equal(t, len(long)-3, b.editor.Offset())
	b.editor.Fill(b.editor.Text(), 1<<20)
	require.Equal(t, len(b.editor.Text()), b.editor.Offset())
	b.Set(VM{Domain: "empty.example", Given: 1})
	require.Equal(t, 1, b.Line())
}

func TestTheEndsOfTheText(t *testing.T) {
	b := newBench(t)
	b.Set(vmOf(shopText))
	b.ShowLine(5)
	for _, c := range []struct {
		key  fyne.KeyName
		want int
	}{{fyne.KeyEnd, len(shopText)}, {fyne.KeyHome, 0}} {
		b.editor.TypedShortcut(&desktop.CustomShortcut{KeyName: c.key, Modifier: fyne.KeyModifierShortcutDefault})
		require.Equal(t, c.want, b.editor.Offset(), c.key)
	}
}

func TestRowsByKeyboard(t *testing.T) {
	b := newBench(t)
	b.Set(vmOf(shopText))
	b.win.Canvas().Focus(b.outline)
	keys := func(l fyne.Focusable, names ...fyne.KeyName) {
		for _, k := range names {
			l.TypedKey(&fyne.KeyEvent{Name: k})
		}
	}
	keys(b.outline, fyne.KeyHome, fyne.KeyDown, fyne.KeyDown, fyne.KeyReturn)
	require.Equal(t, SectionChosen{Name: "Regions"}, b.sent[0])
	keys(b.outline, fyne.KeyUp, fyne.KeyReturn)
	require.Equal(t, SectionChosen{Name: "Quirks"}, b.sent[1])
	keys(b.outline, fyne.KeyEscape)
	require.Equal(t, 1, b.left)

	vm := vmOf(shopText)
	vm.Checks = true
	b.Set(vm)
	keys(b.below.list, fyne.KeyHome, fyne.KeyReturn, fyne.KeyEnd, fyne.KeyReturn) // the last is about no line
	require.Equal(t, []core.Msg{jumped{Line: 3}, jumped{Line: 3}}, b.sent[2:])
}

func TestWhatStandsInPlaceOfTheEditor(t *testing.T) {
	b := newBench(t)
	vm := vmOf("")
	vm.Missing = "No profile for shop.example yet."
	b.Set(vm)
	require.True(t, b.lost.Visible())
	require.False(t, b.editing.Visible())
	vm = vmOf(shopText)
	vm.Conflict = &Conflict{Clean: true, Diff: core.NewTextDiff("a", "b")}
	b.Set(vm)
	require.True(t, b.clashing.Visible())
	require.False(t, b.lost.Visible() || b.editing.Visible())
	require.Contains(t, b.clash.say.Text, "merge cleanly")
	b.Set(VM{Empty: "Nothing yet."})
	require.True(t, b.nothing.Visible())
	require.False(t, b.whole.Visible())
	vm = vmOf(shopText)
	vm.View = ProfileHistory
	vm.History, vm.Chosen = []profiles.Revision{{N: 2, Text: "b"}, {N: 1, Text: "a"}}, 2
	b.Set(vm)
	b.history.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	b.history.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	require.Equal(t, []core.Msg{revisionChosen{N: 1}}, b.sent)
}

func TestThePreviewLoadsAndOpensNothing(t *testing.T) {
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer server.Close()
	b := newBench(t)
	vm := vmOf("# x\u202e\n![track](" + server.URL + "/p.png) and [go](https://evil.example/) <img src=\"" +
		server.URL + "/q.png\">\n- ![in a list](file:///etc/passwd)\n  - [deep](javascript:x)\n\n> " +
		"[quoted](http://q.example)\n")
	vm.View = ProfilePreview
	b.Set(vm)
	var walk func([]widget.RichTextSegment)
	all := ""
	walk = func(list []widget.RichTextSegment) {
		for _, s := range list {
			switch s := s.(type) {
			case *widget.TextSegment:
				all += s.Text + "\n"
			case *widget.SeparatorSegment:
			case *widget.ListSegment:
				walk(s.Items)
			case *widget.ParagraphSegment:
				walk(s.Texts)
			default:
				t.Fatalf("%T is on show", s)
			}
		}
	}
	walk(b.preview.Segments)
	require.Contains(t, all, "[picture, not loaded: "+server.URL+"/p.png]")
	require.Contains(t, all, "go (https://evil.example/)")
	require.NotContains(t, all, "\u202e")
	b.win.Canvas().Capture()
	require.Zero(t, asked.Load())
}

// BenchmarkTyping is one letter in the middle of a long profile.
func BenchmarkTyping(b *testing.B) {
	for _, lines := range []int{60, 900, 3100} {
		b.Run(fmt.Sprint(lines), func(b *testing.B) {
			v := newBench(b)
			v.Set(vmOf(strings.Repeat("- a line of a profile that says something about the site, wrapped\n", lines)))
			v.ShowLine(lines / 2)
			for b.Loop() {
				v.editor.TypedRune('x')
			}
		})
	}
}

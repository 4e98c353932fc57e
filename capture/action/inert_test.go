package action

import (
	"html"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/snapshot/testneed"
)

// What makes an element inert is the reason at every door, whichever it is and in whatever frame; what is free of it
// gets the mouse. Truth is what the page gets: the focus and a native click.
func TestInertHasItsReason(t *testing.T) {
	testneed.Long(t, "inert in every way")
	const button = `<button id=x>Buy</button><input id=i>`
	tab := chrome.Tab(t)
	frame := func(inner string) string { return html.EscapeString(`<!doctype html>` + inner) }
	for name, x := range map[string]struct {
		page, script string
		frames       []string // the frame elements around it
		want         string   // "" where it is free
	}{
		"the attribute around it":    {page: `<div inert id=w>` + button + `</div>`, want: "it is inert because <div> (#w) has the attribute inert"},
		"its own attribute":          {page: `<button id=x inert>Buy</button><input id=i inert>`, want: "it is inert because it has the attribute inert"},
		"the style around it":        {page: `<p class=quiet style="interactivity:inert"><span>` + button + `</span></p>`, want: "it is inert because <p> (p.quiet) has the style interactivity: inert"},
		"a modal dialog":             {page: button + `<dialog id=d><button>OK</button></dialog>`, script: `d.showModal()`, want: `it is inert because a modal, <dialog> "OK" is open`},
		"a dialog that is not modal": {page: button + `<dialog id=d style="top:200px"><button>OK</button></dialog>`, script: `d.show()`},
		"in the modal dialog":        {page: `<dialog id=d>` + button + `</dialog>`, script: `d.showModal()`},
		"a modal dialog is free":     {page: `<div inert><dialog id=d>` + button + `</dialog></div>`, script: `d.showModal()`},
		"inert inside a modal":       {page: `<dialog id=d><div inert id=w>` + button + `</div></dialog>`, script: `d.showModal()`, want: "it is inert because <div> (#w) has the attribute inert"},
		"the older of two dialogs":   {page: `<dialog id=d>` + button + `</dialog><dialog id=e>Sure?</dialog>`, script: `d.showModal(), e.showModal()`, want: `it is inert because a modal, <dialog> "Sure?" is open`},
		"the newer of two dialogs":   {page: `<dialog id=e>Sure?</dialog><dialog id=d>` + button + `</dialog>`, script: `e.showModal(), d.showModal()`},
		"newer, but earlier":         {page: `<dialog id=d>` + button + `</dialog><dialog id=e>Sure?</dialog>`, script: `e.showModal(), d.showModal()`},
		"a dialog in its dialog":     {page: `<dialog id=d>` + button + `<dialog id=e>Sure?</dialog></dialog>`, script: `d.showModal(), e.showModal()`, want: `it is inert because a modal, <dialog> "Sure?" is open`},
		"a popover under a modal":    {page: `<div popover=manual id=p>` + button + `</div><dialog id=d>Hi</dialog>`, script: `d.showModal(), p.showPopover()`, want: `it is inert because a modal, <dialog> "Hi" is open`},
		"a dialog in a shadow tree":  {page: button + `<p-d id=h></p-d>`, script: `h.attachShadow({ mode: 'open' }).innerHTML = '<dialog><button>OK</button></dialog>', h.shadowRoot.firstChild.showModal()`, want: `it is inert because a modal, <dialog> "OK" is open`},
		"through a slot":             {page: `<p-d id=h>` + button + `</p-d>`, script: `h.attachShadow({ mode: 'open' }).innerHTML = '<section id=s inert><slot></slot></section>'`, want: "it is inert because <section> (#s) has the attribute inert"},
		"an inert frame":             {page: `<iframe id=f inert srcdoc="` + frame(button) + `"></iframe>`, frames: []string{"#f"}, want: "its frame is inert because its <iframe> has the attribute inert"},
		"a frame in an inert part":   {page: `<div id=w inert><iframe id=f srcdoc="` + frame(button) + `"></iframe></div>`, frames: []string{"#f"}, want: "its frame is inert because <div> (#w) has the attribute inert"},
		"a frame behind a modal":     {page: `<iframe id=f srcdoc="` + frame(button) + `"></iframe><dialog id=d>Hi</dialog>`, script: `d.showModal()`, frames: []string{"#f"}, want: `its frame is inert because a modal, <dialog> "Hi" is open`},
		"a frame in an inert frame": {page: `<iframe id=f inert srcdoc="` + frame(`<iframe id=g srcdoc="`+frame(button)+`"></iframe>`) + `"></iframe>`, frames: []string{"#f", "#g"},
			want: "its frame is inert because its <iframe> has the attribute inert"},
		"inert in a free frame": {page: `<iframe id=f srcdoc="` + frame(`<div inert id=w>`+button+`</div>`) + `"></iframe>`, frames: []string{"#f"}, want: "it is inert because <div> (#w) has the attribute inert"},
		"a free frame":          {page: `<iframe id=f srcdoc="` + frame(button) + `"></iframe>`, frames: []string{"#f"}},
	} {
		t.Run(name, func(t *testing.T) {
			p, ctx := openIn(t, tab, x.page+`<script>`+x.script+`</script>`)
			id := ""
			for _, f := range x.frames {
				owners, err := p.CSS(ctx, id, f, 1)
				require.NoError(t, err)
				require.Len(t, owners, 1)
				id, err = p.FrameOf(ctx, owners[0])
				require.NoError(t, err)
			}
			must := func(selector string) collect.Element {
				found, err := p.CSS(ctx, id, selector, 1)
				require.NoError(t, err)
				require.Len(t, found, 1)
				return found[0]
			}
			strict := Options{Timeout: 250 * time.Millisecond, Strict: true}
			lax := Options{Timeout: 250 * time.Millisecond}
			if x.want == "" {
				strict.Timeout = 0
				done, err := p.Click(ctx, must("#x"), ClickOptions{Options: strict})
				require.NoError(t, err)
				require.Equal(t, MethodCDP, done.Method)
				require.True(t, *done.Reached)
				_, err = p.TypeInto(ctx, must("#i"), "a", 0, strict)
				require.NoError(t, err)
				return
			}
			want := "the element is not ready: " + x.want
			for _, o := range []ClickOptions{{Options: strict}, {Options: lax, NativeOnly: true}} {
				_, err := p.Click(ctx, must("#x"), o)
				require.EqualError(t, err, want)
			}
			_, err := p.TypeInto(ctx, must("#i"), "a", 0, strict)
			require.EqualError(t, err, want)
			_, err = p.Fill(ctx, must("#i"), "a", FillOptions{Options: strict})
			require.EqualError(t, err, want)
			_, err = p.Hover(ctx, must("#x"), HoverOptions{Options: strict})
			require.EqualError(t, err, want)
			_, err = p.Drag(ctx, End{Element: new(must("#x"))}, End{X: 5, Y: 5}, DragOptions{Options: strict})
			require.EqualError(t, err, "what to drag: "+want)
			_, err = p.Ready(ctx, must("#x"), Enabled, strict)
			require.EqualError(t, err, want)
			done, err := p.Click(ctx, must("#x"), ClickOptions{Options: lax})
			require.NoError(t, err)
			require.Equal(t, methodJSAuto, done.Method)
			require.EqualError(t, done.Forced, want)
		})
	}
}

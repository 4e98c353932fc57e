package collect_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/pagefacts"
	"github.com/stretchr/testify/require"
)

// underneath is the page that the layers of these tests lie on.
const underneath = `<!doctype html><html lang="en"><title>Shop</title><style>
	body { margin: 0; font: 16px/24px sans-serif } main { padding: 90px 40px } .grid { display: grid; grid-template-columns: repeat(4, 1fr); gap: 16px }
	.card { border: 1px solid #ccc; padding: 12px; height: 120px; position: relative }
	</style><header><a href="/">Home</a> <a href="/sale">Sale</a> <a href="/help">Help</a></header>
	<main><h1>Kettles</h1><div class="grid">CARDS</div></main><footer><a href="/privacy">Privacy and cookies</a></footer>`

func shopWith(layers string) string {
	var cards strings.Builder
	for i := range 24 {
		fmt.Fprintf(&cards, `<div class="card"><a href="/k/%d">Kettle %d</a><p>Boils in %d minutes</p><button>Add %d</button></div>`, i, i, i%5+1, i)
	}
	return strings.Replace(underneath, "CARDS", cards.String(), 1) + layers
}

// TestOverlays: want is kind, title, name of what to press ("" for none); none where
// the page has no overlay. share is in hundredths, 0 for not tested.
func TestOverlays(t *testing.T) {
	type overlay struct {
		kind, title, press string
		share              float64
	}
	cases := map[string]struct {
		layers string
		want   []overlay
	}{
		"nothing": {``, nil},
		"cookie bar without any role": {`<div style="position:fixed;left:0;right:0;bottom:0;height:144px;background:#fff">We use cookies to make this shop better.
			<a href="/policy">Cookie policy</a> <button>Accept all</button> <button>Reject all</button> <button>Manage preferences</button></div>`,
			[]overlay{{"cookie_banner", "We use cookies to make this shop better.", "Reject all", 20}}},
		"cookie bar in German with one way out": {`<div style="position:fixed;left:0;right:0;bottom:0;height:120px;background:#fff"><h2>Cookies</h2><p>Wir verwenden Cookies.</p><button>Einstellungen</button><button>Alle akzeptieren</button></div>`,
			[]overlay{{"cookie_banner", "Cookies", "Alle akzeptieren", 0}}},
		"cookie bar in Japanese": {`<div style="position:sticky;bottom:0;height:120px;background:#fff"><p>当サイトではクッキーを使用しています。</p><button>同意する</button><button>拒否する</button></div>`,
			[]overlay{{"cookie_banner", "当サイトではクッキーを使用しています。", "拒否する", 0}}},
		"consent modal with a backdrop around it": {`<div style="position:fixed;inset:0;background:rgb(0 0 0/.5);display:grid;place-items:center"><div role="dialog" aria-modal="true" aria-label="Your privacy" style="background:#fff;width:500px;padding:40px">
			<p>We and our 812 partners store cookies.</p><button>Accept</button><button>Only necessary</button></div></div>`,
			[]overlay{{"consent_dialog", "Your privacy", "Only necessary", 100}}},
		"modal with a sibling backdrop, no role": {`<div style="position:fixed;inset:0;background:rgb(0 0 0/.5);z-index:9"></div><div style="position:fixed;left:340px;top:160px;width:600px;height:360px;background:#fff;z-index:10"><h2>Get ten percent off</h2><input placeholder="Email"><button>Send</button><button aria-label="Close">×</button></div>`,
			[]overlay{{"modal", "Get ten percent off", "Close", 100}}},
		"native dialog": {`<dialog id=d aria-labelledby=t><h2 id=t>Delete the order?</h2><button>Delete</button><button>Cancel</button></dialog><script>d.showModal()</script>`,
			[]overlay{{"modal", "Delete the order?", "Cancel", 100}}},
		"native dialog that is not modal": {`<dialog open aria-label="Feedback" style="position:fixed;top:300px"><p>How was it?</p><form method="dialog"><button>Done with it</button></form></dialog>`,
			[]overlay{{"popup", "Feedback", "Done with it", 0}}},
		"closed dialog": {`<dialog><p>We use cookies</p><button>Accept</button></dialog>`, nil},
		"popover": {`<div popover id=p style="width:400px;height:300px"><h2>What is new</h2><p>Faster kettles.</p><button popovertarget=p popovertargetaction=hide>Fine</button></div><script>p.showPopover()</script>`,
			[]overlay{{"popup", "What is new", "Fine", 0}}},
		"popover menu": {`<div popover id=p role=menu style="width:400px;height:300px"><button role=menuitem>Copy</button></div><script>p.showPopover()</script>`, nil},
		"toast": {`<div class="x" role="status" style="position:fixed;right:24px;top:84px;background:#222;color:#fff;padding:16px">Kettle 3 is in your basket <button>Undo</button></div>`,
			[]overlay{{"notification", "Kettle 3 is in your basket", "", 0}}},
		"toast region that ignores the pointer": {`<div aria-live="polite" style="position:fixed;inset:0;pointer-events:none"><div style="position:absolute;right:20px;bottom:20px;background:#222;color:#fff;padding:16px;pointer-events:auto">Saved <button aria-label="Dismiss">×</button></div></div>`,
			[]overlay{{"notification", "Saved", "Dismiss", 0}}},
		"empty live region":              {`<div aria-live="polite" style="position:fixed;inset:0;pointer-events:none"></div>`, nil},
		"sticky header":                  {`<style>header{position:sticky;top:0;background:#fff;height:80px}</style><script>scrollTo(0,120)</script>`, nil},
		"fixed header of divs over text": {`<div class="overlay popup modal" style="position:fixed;top:0;left:0;right:0;height:70px;background:#eee"><a href="/">Home</a> <a href="/a">Account</a> <input placeholder="Search"><button>Go</button></div>`, nil},
		"fixed rail":                     {`<div style="position:fixed;left:0;top:0;bottom:0;width:200px;background:#eee"><a href="/1">One</a> <a href="/2">Two</a></div>`, nil},
		"promo bar":                      {`<div style="position:fixed;left:0;right:0;bottom:0;height:80px;background:#fd0">Free post this week <button aria-label="Close">✕</button></div>`, []overlay{{"popup", "Free post this week", "Close", 0}}},
		"chat bubble":                    {`<div style="position:fixed;right:20px;bottom:20px;width:64px;height:64px;border-radius:50%;background:#06c"><button style="width:64px;height:64px">Chat</button></div>`, nil},
		"drawn cross": {`<div style="position:fixed;left:300px;top:100px;width:640px;height:400px;background:#fff"><p>Join the kettle club</p><a href="/join">Join</a><button style="position:absolute;right:8px;top:8px;width:32px;height:32px"><svg width="16" height="16"><path d="M0 0L16 16"/></svg></button></div>`,
			[]overlay{{"popup", "Join the kettle club", "*", 28}}},
		"loading veil":  {`<div style="position:fixed;inset:0;background:rgb(255 255 255/.6)"></div>`, []overlay{{"overlay", "", "", 100}}},
		"tooltip":       {`<div role="tooltip" style="position:absolute;left:40px;top:200px;width:400px;height:120px;background:#ffd">This kettle is loud</div>`, nil},
		"list box":      {`<ul role="listbox" style="position:absolute;left:40px;top:150px;width:700px;height:300px;background:#fff"><li role=option>One<li role=option>Two</ul>`, nil},
		"class name":    {`<div class="modal overlay popup cookie-banner"><p>We use cookies</p><button>Accept</button></div>`, nil},
		"hidden banner": {`<div style="position:fixed;inset:0;visibility:hidden">We use cookies <button>Accept</button></div>`, nil},
		"card veils":    {`<style>.card::after{content:"";position:absolute;inset:0}</style>`, nil},
		"two: a toast over a consent dialog": {`<div role=alert style="position:fixed;left:20px;top:20px;background:#222;color:#fff;padding:12px;z-index:2">Offline</div><div role=dialog aria-modal=true aria-label=Consent style="position:fixed;inset:0;background:#fff"><p>Cookies, please</p><button>OK</button></div>`,
			[]overlay{{"consent_dialog", "Consent", "OK", 0}, {"notification", "Offline", "", 0}}},
		"a question on a modal": {`<div role=dialog aria-modal=true aria-label="Edit kettle" style="position:fixed;left:200px;top:60px;width:880px;height:600px;background:#fff"><input aria-label="Name"><p style="margin:200px 300px">Boils well</p><button>Save</button><button>Close</button>
			<div role=alertdialog aria-label="Discard changes?" style="position:absolute;left:200px;top:180px;width:480px;height:260px;background:#ffe"><button>Discard</button><button>Cancel</button></div></div>`,
			[]overlay{{"modal", "Discard changes?", "Cancel", 0}, {"modal", "Edit kettle", "Close", 0}}},
	}
	tab := chrome.Tab(t)
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := read(t, chrometest.Load(t, tab, chrometest.Page(t, shopWith(tc.layers))))
			got := c.Page.Overlays
			var kinds []string
			for _, o := range got {
				kinds = append(kinds, fmt.Sprintf("%s %q %.2f", o.Kind, o.Title, o.Share))
			}
			require.Len(t, got, len(tc.want), "%v", kinds)
			for k, want := range tc.want {
				o := got[k]
				require.Equal(t, want.kind, o.Kind, kinds)
				require.Equal(t, want.title, o.Title)
				press := ""
				if o.Press != nil {
					press = c.Node(*o.Press).Name
					require.Equal(t, snapshot.VerdictRef, c.Node(*o.Press).Verdict, "what to press has a number")
					if want.press == "*" {
						press = "*"
					}
				}
				require.Equal(t, want.press, press)
				require.True(t, o.Share > 0 && o.Share <= 1, "%g", o.Share)
				if want.share > 0 {
					require.InDelta(t, want.share/100, o.Share, 0.02)
				}
			}
			// Offline: from the JSON of a recorded turn, and from its kept nodes.
			data, err := json.Marshal(c)
			require.NoError(t, err)
			var again snapshot.Capture
			require.NoError(t, json.Unmarshal(data, &again))
			again.Page.Overlays = nil
			pagefacts.Describe(&again)
			require.Equal(t, c.Page, again.Page)
			kept := c.Kept()
			for _, o := range got {
				require.NotNil(t, kept.Node(o.Node))
			}
		})
	}
}

// TestAppShellIsNoOverlay: a page that lives in one fixed layer, and what lies on it.
func TestAppShellIsNoOverlay(t *testing.T) {
	shell := func(inner string) *snapshot.Capture {
		page := shopWith("")
		page = strings.Replace(page, "<header>", `<div id="root" style="position:fixed;inset:0;overflow:auto"><header>`, 1) + inner + `</div><noscript>Please allow cookies. Accept?</noscript>`
		return read(t, chrome.Open(t, chrometest.Page(t, page)))
	}
	require.Empty(t, shell("").Page.Overlays)
	c := shell(`<div style="position:absolute;inset:0;background:rgb(0 0 0/.4)"><div style="position:absolute;left:300px;top:100px;width:600px;height:300px;background:#fff"><h2>Session ends soon</h2><button>Stay</button><button>Close</button></div></div>`)
	require.Len(t, c.Page.Overlays, 1)
	require.Equal(t, "modal", c.Page.Overlays[0].Kind)
	require.Equal(t, "Session ends soon", c.Page.Overlays[0].Title)
}

// TestOverlayInAFrame: consent managers put their dialog into a frame.
func TestOverlayInAFrame(t *testing.T) {
	inner := chrometest.Page(t, `<body style="margin:0;background:#fff"><h2>Before you go on</h2><p>We use cookies.</p><button>Accept all</button><button>Continue without accepting, reject</button>`)
	c := read(t, chrome.Open(t, chrometest.Page(t, shopWith(`<div style="position:fixed;inset:auto 0 0 0;height:240px;background:#fff"><iframe style="width:100%;height:100%;border:0" src="`+inner+`"></iframe></div>`))))
	require.Len(t, c.Page.Overlays, 1)
	o := c.Page.Overlays[0]
	require.Equal(t, "cookie_banner", o.Kind)
	require.Equal(t, "Before you go on", o.Title)
	require.NotNil(t, o.Press)
	require.Contains(t, c.Node(*o.Press).Name, "reject")
	require.Less(t, math.Abs(o.Share-1.0/3), 0.02)
}

// TestDemoOverlays: the cookie banner of the demo shop, its basket and its toast.
func TestDemoOverlays(t *testing.T) {
	site := chrometest.Folder(t, "../../assets/demo")
	tab := chrome.Open(t, site+"index.html")
	ctx := chrometest.Context(t)
	one := func(script string) (*snapshot.Capture, snapshot.Overlay) {
		if script != "" {
			_, err := tab.Session().Eval(ctx, tab.ID(), script+";''")
			require.NoError(t, err)
		}
		c := read(t, tab)
		require.NotEmpty(t, c.Page.Overlays)
		return c, c.Page.Overlays[0]
	}
	c, o := one("")
	require.Len(t, c.Page.Overlays, 1)
	require.Equal(t, "cookie_banner", o.Kind)
	require.Equal(t, "Cookies", o.Title)
	require.Equal(t, "Only essential", c.Node(*o.Press).Name)
	require.InDelta(t, 0.1, o.Share, 0.05)
	c, o = one(`document.querySelector('[data-add]').click()`)
	require.Len(t, c.Page.Overlays, 2)
	require.Equal(t, "cookie_banner", o.Kind)
	require.Equal(t, "notification", c.Page.Overlays[1].Kind)
	c, o = one(`document.querySelector('[data-open]').click()`)
	require.Equal(t, "modal", o.Kind)
	require.Equal(t, "Your basket", o.Title)
	require.Equal(t, "Keep looking", c.Node(*o.Press).Name)
	require.InDelta(t, 1, o.Share, 0.02)
	for _, page := range []string{"checkout.html", "orders.html", "widgets.html"} {
		require.NoError(t, tab.Navigate(ctx, site+page))
		for _, o := range read(t, tab).Page.Overlays {
			t.Logf("%s: %s %q %.2f", page, o.Kind, o.Title, o.Share)
		}
	}
}

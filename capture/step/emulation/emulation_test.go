package emulation_test

import (
	"os"
	"testing"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/step/emulation"
	"github.com/refscope/refscope/capture/step/steptest"
	"github.com/stretchr/testify/require"
)

var chrome chrometest.Chrome

func TestMain(m *testing.M) { os.Exit(chrome.Main(m)) }

func on(t testing.TB, html string) *steptest.Bench {
	t.Helper()
	return steptest.On(t, &chrome, html)
}

func TestViewport(t *testing.T) {
	b := on(t, `<meta name=viewport content="width=device-width"><p>Hello</p>`)
	was := b.Eval(`[innerWidth, innerHeight, devicePixelRatio].join()`)
	a := b.Run(`[{"viewport":"iPhone_15_Pro"},{"reload":true}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	out := steptest.OutputOf[emulation.Viewported](t, a.Steps[0].Output)
	require.Equal(t, emulation.Viewported{Preset: "iphone-15-pro", Width: 393, Height: 852, DeviceScaleFactor: 3, Mobile: true, HasTouch: true, UserAgent: out.UserAgent}, out)
	require.Equal(t, `"393,852,3"`, b.Eval(`[innerWidth, innerHeight, devicePixelRatio].join()`))
	require.Equal(t, `"true,iPhone,5,portrait-primary"`, b.Eval(`['ontouchstart' in window, navigator.platform, navigator.maxTouchPoints, screen.orientation.type].join()`))
	require.Contains(t, b.Eval(`navigator.userAgent`), "iPhone; CPU iPhone OS 17_5")
	a = b.Run(`[{"viewport":"pixel-7-landscape"},{"reload":true}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Equal(t, `"915,412,2.625,landscape-primary"`, b.Eval(`[innerWidth, innerHeight, devicePixelRatio, screen.orientation.type].join()`))
	require.Contains(t, b.Eval(`navigator.userAgent`), "Android 10; K")
	a = b.Run(`[{"viewport":{"width":800,"height":600,"deviceScaleFactor":2}}]`)
	require.Equal(t, `"800,600,2"`, b.Eval(`[innerWidth, innerHeight, devicePixelRatio].join()`))
	a = b.Run(`[{"viewport":null},{"reload":true}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Equal(t, was, b.Eval(`[innerWidth, innerHeight, devicePixelRatio].join()`))
	require.NotContains(t, b.Eval(`navigator.userAgent`), "Android")
	require.Equal(t, `"false"`, b.Eval(`String('ontouchstart' in window)`))
}

func TestGeolocation(t *testing.T) {
	b := on(t, `<p>Where</p><script>where = () => new Promise((done) => navigator.geolocation.getCurrentPosition((p) => done([p.coords.latitude, p.coords.longitude, p.coords.accuracy].join()), (e) => done('error ' + e.code)))</script>`)
	a := b.Run(`[{"geolocation":{"latitude":52.52,"longitude":13.405,"accuracy":20}}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Equal(t, `"52.52,13.405,20"`, b.Eval(`where()`))
	a = b.Run(`[{"reload":true}]`)
	require.Equal(t, `"52.52,13.405,20"`, b.Eval(`where()`))
	a = b.Run(`[{"geolocation":null}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Equal(t, `"prompt"`, b.Eval(`navigator.permissions.query({name: 'geolocation'}).then((s) => s.state)`))
}

const dialogPage = `<p id=out>-</p>
<button id=alert onclick="alert('Hi there'); out.textContent='alerted'">Alert</button>
<button id=confirm onclick="out.textContent=confirm('Really?')">Confirm</button>
<button id=prompt onclick="out.textContent=prompt('Your name?','Nobody')">Prompt</button>`

// C-23, section 19.2.
func TestSection19_2_Dialogs(t *testing.T) {
	b := on(t, dialogPage)
	text := func() string { return b.Eval(`out.textContent`) }
	// By default they are cancelled, and told in the step that opened them.
	a := b.Run(`[{"click":"#confirm"},{"click":"#alert"}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Len(t, a.Steps[0].Dialogs, 1)
	require.Equal(t, "Really?", a.Steps[0].Dialogs[0].Message)
	require.False(t, a.Steps[0].Dialogs[0].Accepted)
	require.Len(t, a.Steps[1].Dialogs, 1)
	require.Equal(t, "Hi there", a.Steps[1].Dialogs[0].Message)
	// The answer can be said beforehand.
	a = b.Run(`[{"dialog":{"accept":true,"promptText":"Ada"}},{"click":"#prompt"}]`)
	require.JSONEq(t, `{"next":true,"accepted":true}`, string(a.Steps[0].Output))
	require.True(t, a.Steps[1].Dialogs[0].Accepted)
	require.Equal(t, `"Ada"`, text())
	// Or for all.
	a = b.Run(`[{"dialog":{"policy":"accept"}},{"click":"#prompt"}]`)
	require.Equal(t, `"Nobody"`, text())
	// Or each is asked about: the click returns, and what would need the page fails by name.
	a = b.Run(`[{"dialog":{"policy":"ask"}},{"click":"#confirm"},{"dialog":{"accept":true}}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Contains(t, string(a.Steps[1].Output), `"dialog":{"type":"confirm","message":"Really?"}`)
	require.Contains(t, string(a.Steps[1].Output), `"clicked":true`)
	require.Contains(t, string(a.Steps[2].Output), `"answered":true`)
	require.Equal(t, `"true"`, text())
	a = b.Run(`[{"click":"#prompt"},{"scroll":"top"}]`)
	require.Equal(t, "error", a.Status)
	require.Equal(t, "DialogBlockedError", a.Steps[1].Subtype)
	require.True(t, a.Steps[1].RetrySuggested)
	require.NotNil(t, a.Dialog)
	require.Equal(t, emulation.Dialog{"prompt", "Your name?", "Nobody"}, *a.Dialog)
	// It stays answerable in the next command.
	a = b.Run(`[{"dialog":{"accept":true,"promptText":"Grace"}}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Equal(t, `"Grace"`, text())
	require.Nil(t, a.Dialog)
	b.R.Page().Tab().SetDialogs(browser.DialogDismiss)
}

func TestADialogInTheWayOfANavigation(t *testing.T) {
	b := on(t, `<p>First</p>`)
	other := steptest.Serve(t, `<script>alert('Welcome')</script><p>Second</p>`)
	a := b.Run(`[{"dialog":{"policy":"ask"}},{"goto":"` + other + `"},{"dialog":{"accept":true}},{"click":"p"}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Contains(t, string(a.Steps[1].Output), `"interrupted":true`)
	require.Contains(t, a.ViewportSnapshot, "Second")
}

func TestCookies(t *testing.T) {
	b := on(t, `<p>Biscuits</p>`)
	a := b.Run(`[{"cookies":{"set":[{"name":"theme","value":"dark","expires":"7d"},{"name":"sid","value":"abcdef123456","httpOnly":true,"sameSite":"lax"}]}},{"cookies":{"get":true}}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	out := steptest.OutputOf[struct {
		Count   int
		Cookies []browser.Cookie
	}](t, a.Steps[1].Output)
	require.Equal(t, 2, out.Count)
	for _, c := range out.Cookies {
		switch c.Name {
		case "theme":
			require.Equal(t, "dark", c.Value)
			require.NotEmpty(t, c.Expires)
		case "sid":
			require.Equal(t, "[redacted: cookie, 12 characters]", c.Value)
			require.Equal(t, "Lax", c.SameSite)
		default:
			t.Fatal(c.Name)
		}
	}
	require.Equal(t, `"theme=dark"`, b.Eval(`document.cookie`))
	rec, err := b.Opt.Store.Load(b.Ctx, 1)
	require.NoError(t, err)
	require.NotContains(t, string(rec.Steps), "abcdef123456")
	a = b.Run(`[{"cookies":{"clear":["theme"]}},{"cookies":{"get":true,"name":"theme"}},{"cookies":{"clear":true}},{"cookies":{"get":true}}]`)
	require.JSONEq(t, `{"cleared":1,"names":["theme"]}`, string(a.Steps[0].Output))
	require.JSONEq(t, `{"count":0,"cookies":[]}`, string(a.Steps[1].Output))
	require.JSONEq(t, `{"cleared":1,"names":["sid"]}`, string(a.Steps[2].Output))
	require.JSONEq(t, `{"count":0,"cookies":[]}`, string(a.Steps[3].Output))
}

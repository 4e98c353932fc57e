package step

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/browser"
)

func (b *bench) eval(js string) string {
	b.t.Helper()
	raw, err := b.r.Page().Evaluate(b.ctx, "", js)
	require.NoError(b.t, err)
	return string(raw)
}

// next is the runner of the next command, which finds the tab as this one leaves it.
func output[T any](t *testing.T, raw json.RawMessage) T {
	t.Helper()
	var v T
	require.NoError(t, json.Unmarshal(raw, &v), string(raw))
	return v
}

func TestParseRefusesOutputsAndEmulation(t *testing.T) {
	for in, want := range map[string]string{
		`{"viewport":"iphone-99x"}`:                                         "there is no preset",
		`{"viewport":"iphne-15"}`:                                           `did you mean "iphone-15"?`,
		`{"viewport":{"width":100}}`:                                        "width and height are both needed",
		`{"viewport":{"width":100000,"height":10}}`:                         "at most 16384",
		`{"viewport":5}`:                                                    "want a preset's name",
		`{"viewport":{"width":9,"height":9,"touch":true}}`:                  `there is no parameter "touch"`,
		`{"geolocation":{"latitude":1}}`:                                    "both needed",
		`{"geolocation":{"latitude":91,"longitude":0}}`:                     "want -90 to 90",
		`{"dialog":{}}`:                                                     "give accept",
		`{"dialog":{"policy":"aks"}}`:                                       `did you mean "ask"?`,
		`{"dialog":{"policy":"ask","accept":true}}`:                         "use two steps",
		`{"dialog":{"accept":false,"promptText":"x"}}`:                      "belongs to accept:true",
		`{"cookies":{}}`:                                                    "give one of get, set and clear",
		`{"cookies":{"get":true,"clear":true}}`:                             "give one of",
		`{"cookies":{"get":["nowhere"]}}`:                                   "is no address",
		`{"cookies":{"set":[{"value":"x"}]}}`:                               "name is missing",
		`{"cookies":{"set":[{"name":"a","value":"x","sameSite":"Loose"}]}}`: "there is no sameSite",
		`{"cookies":{"set":[{"name":"a","value":"x","expires":"soon"}]}}`:   "want 30m, 2h",
		`{"screenshot":false}`:                                              "want true",
		`{"screenshot":"x.gif"}`:                                            "picture format",
		`{"screenshot":{"path":"a.png","format":"jpeg"}}`:                   "make them the same",
		`{"screenshot":{"format":"jpeg","quality":101}}`:                    "want 0 to 100",
		`{"screenshot":{"quality":50}}`:                                     "quality is for jpeg and webp",
		`{"screenshot":{"format":"jpeg","omitBackground":true}}`:            "cannot be transparent",
		`{"screenshot":{"selector":"#a","fullPage":true}}`:                  "exclude each other",
		`{"screenshot":{"padding":4}}`:                                      "padding belongs to an element",
		`{"screenshot":{"clip":{"x":0,"y":0,"width":0,"height":4}}}`:        "more than 0",
		`{"pdf":"x.png"}`:                                                   "ends in .pdf",
		`{"pdf":{"scale":3}}`:                                               "want 0.1 to 2",
		`{"pdf":{"pageRanges":"3-1"}}`:                                      "want pages as",
		`{"pdf":{"pageRanges":"one"}}`:                                      "want pages as",
		`{"pdf":{"paper":"A44"}}`:                                           `there is no paper "A44"`,
		`{"pdf":{"margins":-1}}`:                                            "0 inches or more",
		`{"pdf":{"margins":20}}`:                                            "no room",
		`{"pdf":{"headerTemplate":"x"}}`:                                    "displayHeaderFooter",
	} {
		_, err := Parse([]byte(`{"tab":"t1","steps":[` + in + `]}`))
		var e *Error
		require.ErrorAs(t, err, &e, in)
		require.Equal(t, TypeValidation, e.Type)
		require.Contains(t, e.Error(), want, in)
	}
}

func TestViewport(t *testing.T) {
	b := on(t, `<meta name=viewport content="width=device-width"><p>Hello</p>`)
	was := b.eval(`[innerWidth, innerHeight, devicePixelRatio].join()`)
	a := b.run(`[{"viewport":"iPhone_15_Pro"},{"reload":true}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	out := output[viewported](t, a.Steps[0].Output)
	require.Equal(t, viewported{Preset: "iphone-15-pro", Width: 393, Height: 852, DeviceScaleFactor: 3, Mobile: true, HasTouch: true, UserAgent: out.UserAgent}, out)
	require.Equal(t, `"393,852,3"`, b.eval(`[innerWidth, innerHeight, devicePixelRatio].join()`))
	require.Equal(t, `"true,iPhone,5,portrait-primary"`, b.eval(`['ontouchstart' in window, navigator.platform, navigator.maxTouchPoints, screen.orientation.type].join()`))
	require.Contains(t, b.eval(`navigator.userAgent`), "iPhone; CPU iPhone OS 17_5")
	a = b.run(`[{"viewport":"pixel-7-landscape"},{"reload":true}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Equal(t, `"915,412,2.625,landscape-primary"`, b.eval(`[innerWidth, innerHeight, devicePixelRatio, screen.orientation.type].join()`))
	require.Contains(t, b.eval(`navigator.userAgent`), "Android 10; K")
	a = b.run(`[{"viewport":{"width":800,"height":600,"deviceScaleFactor":2}}]`)
	require.Equal(t, `"800,600,2"`, b.eval(`[innerWidth, innerHeight, devicePixelRatio].join()`))
	a = b.run(`[{"viewport":null},{"reload":true}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Equal(t, was, b.eval(`[innerWidth, innerHeight, devicePixelRatio].join()`))
	require.NotContains(t, b.eval(`navigator.userAgent`), "Android")
	require.Equal(t, `"false"`, b.eval(`String('ontouchstart' in window)`))
}

func TestGeolocation(t *testing.T) {
	b := on(t, `<p>Where</p><script>where = () => new Promise((done) => navigator.geolocation.getCurrentPosition((p) => done([p.coords.latitude, p.coords.longitude, p.coords.accuracy].join()), (e) => done('error ' + e.code)))</script>`)
	a := b.run(`[{"geolocation":{"latitude":52.52,"longitude":13.405,"accuracy":20}}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Equal(t, `"52.52,13.405,20"`, b.eval(`where()`))
	a = b.run(`[{"reload":true}]`)
	require.Equal(t, `"52.52,13.405,20"`, b.eval(`where()`))
	a = b.run(`[{"geolocation":null}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Equal(t, `"prompt"`, b.eval(`navigator.permissions.query({name: 'geolocation'}).then((s) => s.state)`))
}

const dialogPage = `<p id=out>-</p>
<button id=alert onclick="alert('Hi there'); out.textContent='alerted'">Alert</button>
<button id=confirm onclick="out.textContent=confirm('Really?')">Confirm</button>
<button id=prompt onclick="out.textContent=prompt('Your name?','Nobody')">Prompt</button>`

// C-23, section 19.2.
func TestSection19_2_Dialogs(t *testing.T) {
	b := on(t, dialogPage)
	text := func() string { return b.eval(`out.textContent`) }
	// By default they are cancelled, and told in the step that opened them.
	a := b.run(`[{"click":"#confirm"},{"click":"#alert"}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Len(t, a.Steps[0].Dialogs, 1)
	require.Equal(t, "Really?", a.Steps[0].Dialogs[0].Message)
	require.False(t, a.Steps[0].Dialogs[0].Accepted)
	require.Len(t, a.Steps[1].Dialogs, 1)
	require.Equal(t, "Hi there", a.Steps[1].Dialogs[0].Message)
	// The answer can be said beforehand.
	a = b.run(`[{"dialog":{"accept":true,"promptText":"Ada"}},{"click":"#prompt"}]`)
	require.JSONEq(t, `{"next":true,"accepted":true}`, string(a.Steps[0].Output))
	require.True(t, a.Steps[1].Dialogs[0].Accepted)
	require.Equal(t, `"Ada"`, text())
	// Or for all.
	a = b.run(`[{"dialog":{"policy":"accept"}},{"click":"#prompt"}]`)
	require.Equal(t, `"Nobody"`, text())
	// Or each is asked about: the click returns, and what would need the page fails by name.
	a = b.run(`[{"dialog":{"policy":"ask"}},{"click":"#confirm"},{"dialog":{"accept":true}}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Contains(t, string(a.Steps[1].Output), `"dialog":{"type":"confirm","message":"Really?"}`)
	require.Contains(t, string(a.Steps[1].Output), `"clicked":true`)
	require.Contains(t, string(a.Steps[2].Output), `"answered":true`)
	require.Equal(t, `"true"`, text())
	a = b.run(`[{"click":"#prompt"},{"scroll":"top"}]`)
	require.Equal(t, "error", a.Status)
	require.Equal(t, "DialogBlockedError", a.Steps[1].Subtype)
	require.True(t, a.Steps[1].RetrySuggested)
	require.NotNil(t, a.Dialog)
	require.Equal(t, Waiting{"prompt", "Your name?", "Nobody"}, *a.Dialog)
	// It stays answerable in the next command.
	a = b.run(`[{"dialog":{"accept":true,"promptText":"Grace"}}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Equal(t, `"Grace"`, text())
	require.Nil(t, a.Dialog)
	b.r.Page().Tab().SetDialogs(browser.DialogDismiss)
}

func TestADialogInTheWayOfANavigation(t *testing.T) {
	b := on(t, `<p>First</p>`)
	other := serve(t, `<script>alert('Welcome')</script><p>Second</p>`)
	a := b.run(`[{"dialog":{"policy":"ask"}},{"goto":"` + other + `"},{"dialog":{"accept":true}},{"click":"p"}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Contains(t, string(a.Steps[1].Output), `"interrupted":true`)
	require.Contains(t, a.ViewportSnapshot, "Second")
}

func TestCookies(t *testing.T) {
	b := on(t, `<p>Biscuits</p>`)
	a := b.run(`[{"cookies":{"set":[{"name":"theme","value":"dark","expires":"7d"},{"name":"sid","value":"abcdef123456","httpOnly":true,"sameSite":"lax"}]}},{"cookies":{"get":true}}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	out := output[struct {
		Count   int
		Cookies []shownCookie
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
	require.Equal(t, `"theme=dark"`, b.eval(`document.cookie`))
	rec, err := b.r.opt.Store.Load(b.ctx, 1)
	require.NoError(t, err)
	require.NotContains(t, string(rec.Steps), "abcdef123456")
	a = b.run(`[{"cookies":{"clear":["theme"]}},{"cookies":{"get":true,"name":"theme"}},{"cookies":{"clear":true}},{"cookies":{"get":true}}]`)
	require.JSONEq(t, `{"cleared":1,"names":["theme"]}`, string(a.Steps[0].Output))
	require.JSONEq(t, `{"count":0,"cookies":[]}`, string(a.Steps[1].Output))
	require.JSONEq(t, `{"cleared":1,"names":["sid"]}`, string(a.Steps[2].Output))
	require.JSONEq(t, `{"count":0,"cookies":[]}`, string(a.Steps[3].Output))
}

func TestFailedRequestsInTheContext(t *testing.T) {
	b := on(t, `<button id=b onclick="fetch('/missing.json?token=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U').catch(()=>{}); fetch('http://127.0.0.1:9/').catch(()=>{})">Load</button>`)
	a := b.run(`[{"click":{"selector":"#b","settledWhen":"() => false"},"timeout":1500},{"click":"#gone","timeout":300}]`)
	require.Equal(t, "error", a.Status)
	b.run(`[{"scroll":"top"}]`)
	a = b.run(`[{"click":{"selector":"#b","observe":"() => { throw new Error('no') }","settledWhen":"() => performance.getEntriesByType('resource').length >= 4"},"timeout":3000}]`)
	require.Equal(t, "error", a.Status)
	require.NotNil(t, a.Steps[0].Context)
	require.NotEmpty(t, a.Steps[0].Context.FailedRequests)
	require.NotContains(t, a.raw, "dozjgNryP4J3")
}

package frames_test

import (
	"encoding/json"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/capture/step/frames"
	"github.com/refscope/refscope/capture/step/steptest"
	"github.com/refscope/refscope/capture/tabs"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

var chrome chrometest.Chrome

func TestMain(m *testing.M) { os.Exit(chrome.Main(m)) }

func on(t testing.TB, html string) *steptest.Bench {
	t.Helper()
	return steptest.On(t, &chrome, html)
}

// Sections 19.1 and 19.12: frames of another origin work like any other.
func TestFrames(t *testing.T) {
	testneed.Long(t, "every way to a frame")
	pay := chrometest.Page(t, `<!doctype html><title>Pay</title><main><h2>Card</h2><label>Holder <input id=h></label><button onclick="document.title='paid ' + h.value">Pay</button><iframe name=deep srcdoc="<p id=p>deep down</p>"></iframe></main>`)
	pay = strings.Replace(pay, "127.0.0.1", "localhost", 1)
	b := on(t, `<h1>Top</h1><button>Pay</button><iframe id=one name=first srcdoc="<p>one</p>"></iframe><iframe id=two class=embed name=pay width=500 height=300 src="`+pay+`"></iframe>`)
	var list frames.FramesOutput
	a := b.Run(`[{"frame":{"list":true}}]`)
	a.Out(t, &list)
	require.Len(t, list.Frames, 4)
	require.Equal(t, list.MainFrameID, list.CurrentFrameID)
	require.Nil(t, list.Frames[0].ParentID)
	cross := 0
	for _, f := range list.Frames {
		if f.CrossOrigin && f.OutOfProcess {
			cross++
		}
	}
	require.Positive(t, cross)
	for _, spec := range []string{`"iframe.embed"`, `{"selector":"#two"}`, `1`, `{"index":1}`, `{"name":"pay"}`} {
		a = b.Run(`[{"frame":"top"},{"frame":` + spec + `},{"query":"h2"},{"query":{"role":"button"}},{"assert":{"text":"Card"}},{"snapshot":true},{"fill":{"selector":"#h","value":"Ada"}},{"click":{"selector":"button","observe":"() => document.title"}}]`)
		require.Equal(t, "ok", a.Status, "%s: %v", spec, a.Errors)
		require.Contains(t, string(a.Steps[1].Output), `"crossOrigin":true`)
		require.Contains(t, string(a.Steps[2].Output), "Card")
		require.Contains(t, string(a.Steps[3].Output), `"total":1`, "the other Pay is not in the frame")
		require.Contains(t, string(a.Steps[5].Output), "Card")
		require.NotContains(t, string(a.Steps[5].Output), "Top")
		require.JSONEq(t, `"paid Ada"`, string(a.Steps[7].Observation))
	}
	a = b.Run(`[{"frame":"#two"},{"frame":0},{"getDom":"#p"},{"frame":{"list":true}},{"frame":"top"},{"query":"h1"}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Contains(t, string(a.Steps[2].Output), "deep down")
	require.Contains(t, string(a.Steps[5].Output), "Top")
	require.Contains(t, b.Run(`[{"frame":{"name":"payy"}}]`).Steps[0].Error, `did you mean "pay"`)
	require.Contains(t, b.Run(`[{"frame":"h1"}]`).Steps[0].Error, "h1 is not a frame")
	require.Contains(t, b.Run(`[{"frame":7}]`).Steps[0].Error, "has 2, numbered from 0")

	// A frame that is gone is never taken for another one.
	c, err := step.Parse([]byte(`{"tab":"t1","steps":[{"frame":"#one"},{"query":"p"}]}`))
	require.NoError(t, err)
	res := b.R.Run(b.Ctx, c)
	require.Equal(t, "ok", res[1].Status, res[1].Error)
	_, err = b.R.Page().Evaluate(b.Ctx, "", "one.remove(), 1")
	require.NoError(t, err)
	for _, s := range []string{`{"query":"h1"}`, `{"click":"button"}`, `{"snapshot":true}`} {
		c, err = step.Parse([]byte(`{"tab":"t1","timeout":3000,"steps":[` + s + `]}`))
		require.NoError(t, err)
		res = b.R.Run(b.Ctx, c)
		require.Equal(t, "StaleElementError", res[0].Subtype, res[0].Error)
		require.Contains(t, res[0].Error, `{"frame":"top"}`)
	}
}

// Section 19.12: the frame belongs to the alias, and outlasts the command.
func TestFrameIsCarriedByAlias(t *testing.T) {
	ctx := chrometest.Context(t)
	u, err := url.Parse(chrome.Browser(t).Endpoint())
	require.NoError(t, err)
	home := t.TempDir()
	page := chrometest.Page(t, `<!doctype html><title>P</title><h1>Top</h1><iframe id=f srcdoc="<h1>Inner</h1><button>Go</button>"></iframe><button>Go</button>`)
	command := func(in string) steptest.Answer {
		h := tabs.NewHost(tabs.Options{Home: home, Choice: tabs.Choice{Attach: u.Host}, Tool: "test"})
		defer func() { require.NoError(t, h.Close()) }()
		r, err := step.New(ctx, nil, step.Options{Host: h, Files: t.TempDir(), Tool: "test"})
		require.NoError(t, err)
		defer r.Close(ctx)
		c, err := step.Parse([]byte(in))
		require.NoError(t, err)
		a, err := r.Execute(ctx, c)
		require.NoError(t, err)
		var out steptest.Answer
		require.NoError(t, json.Unmarshal(a.Body, &out), string(a.Body))
		return out
	}
	a := command(`{"steps":[{"openTab":"` + page + `"},{"frame":"#f"}]}`)
	require.Equal(t, "ok", a.Status, a.Errors)
	tab := a.Tab
	defer command(`{"steps":[{"closeTab":"` + tab + `"}]}`)
	a = command(`{"tab":"` + tab + `","steps":[{"query":"h1"}]}`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Contains(t, string(a.Steps[0].Output), "Inner")
	a = command(`{"tab":"` + tab + `","steps":[{"click":{"text":"Go"}},{"pageFunction":"() => [document.hasFocus(), parent.document.activeElement.localName]"}]}`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Contains(t, string(a.Steps[1].Output), `"iframe"`, "the click was in the frame")
	a = command(`{"tab":"` + tab + `","steps":[{"frame":"top"}]}`)
	require.Equal(t, "ok", a.Status, a.Errors)
	a = command(`{"tab":"` + tab + `","steps":[{"query":"h1"},{"frame":"#f"}]}`)
	require.Contains(t, string(a.Steps[0].Output), "Top")
	a = command(`{"tab":"` + tab + `","steps":[{"reload":true}]}`)
	require.Equal(t, "ok", a.Status, a.Errors)
	a = command(`{"tab":"` + tab + `","steps":[{"query":"h1"}]}`)
	require.Contains(t, string(a.Steps[0].Output), "Top", "another page has no frame that was switched to")
}

// What is done by words and by keys is done in the frame that was switched to, also where the next command finds the
// frame by the tab's alias; a ref means its element in whatever frame, and keys follow it there.
func TestActionsStayInTheFrame(t *testing.T) {
	const doc = `<button onclick="document.title += ' paid'">Pay</button><label>Name <input></label>
		<script>addEventListener('keydown', (e) => { document.title += ' ' + e.key; })</script>`
	inner := strings.Replace(chrometest.Page(t, `<!doctype html><title>inner</title>`+doc), "127.0.0.1", "localhost", 1)
	b := on(t, `<iframe srcdoc="`+strings.ReplaceAll(doc, `"`, "&quot;")+`"></iframe>`+doc+`<iframe id=x src="`+inner+`"></iframe>`)
	titles := func() string {
		a := b.Run(`[{"frame":"top"},{"pageFunction":"() => document.title"},{"frame":0},{"pageFunction":"() => document.title"},
			{"frame":"top"},{"frame":"#x"},{"pageFunction":"() => document.title"}]`)
		require.Equal(t, "ok", a.Status, a.Errors)
		var out []string
		for _, i := range []int{1, 3, 6} {
			out = append(out, steptest.OutputOf[struct{ Value string }](t, a.Steps[i].Output).Value)
		}
		return strings.Join(out, "|")
	}
	a := b.Run(`[{"query":"input"},{"frame":"#x"},{"click":{"text":"Pay"}},{"click":{"role":"button","name":"Pay"}},
		{"fill":{"label":"Name","value":"Ada"}},{"press":"F2"},{"type":"q"}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Equal(t, "Bench||inner paid paid F2 q", titles())
	ref := steptest.OutputOf[struct{ Results []struct{ Ref string } }](t, a.Steps[0].Output).Results[0].Ref

	// A focus that was elsewhere is fetched, and that is said.
	a = b.Run(`[{"frame":"top"},{"click":"input"},{"frame":"#x"},{"press":"F4"}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Contains(t, a.Steps[3].Warning, "the frame that was switched to has it now")
	require.Equal(t, "Bench||inner paid paid F2 q F4", titles())
	a = b.Run(`[{"frame":"top"},{"frame":"#x"},{"click":{"ref":"` + ref + `"}},{"press":"F7"}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Empty(t, a.Steps[3].Warning)
	require.Equal(t, "Bench F7||inner paid paid F2 q F4", titles())

	a = b.Run(`[{"frame":"top"},{"frame":0},{"click":{"text":"Nowhere","timeout":200}}]`)
	require.Contains(t, a.Steps[2].Error, "only the frame that was switched to was looked in")
}

// The ref on a frame's line of a snapshot goes into the frame, and in a frame of that one too.
func TestTheRefOfAFramesLineGoesIntoIt(t *testing.T) {
	b := on(t, `<h1>Top</h1><iframe title=Outer srcdoc="<h2>Out</h2><iframe title=Inner srcdoc='<h3>In</h3>'></iframe>"></iframe>`)
	text := b.Run(`[{"snapshot":true}]`).ViewportSnapshot
	for title, heading := range map[string]string{"Outer": "Out", "Inner": "In"} {
		a := b.Run(`[{"frame":"` + steptest.RefIn(t, text, `document "`+title) + `"},{"getDom":"h2, h3"},{"frame":"top"}]`)
		require.Equal(t, "ok", a.Status, a.Raw)
		require.Contains(t, string(a.Steps[1].Output), heading)
	}
}

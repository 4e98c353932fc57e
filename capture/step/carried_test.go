package step_test

import (
	"context"
	"encoding/json"
	"net/url"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/capture/step/steptest"
	"github.com/refscope/refscope/capture/tabs"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/stretchr/testify/require"
)

// commands runs each command as a process of its own would: with a host, and so a
// connection, of its own.
type commands struct {
	t     *testing.T
	ctx   context.Context
	home  string
	at    string // HOST:PORT of the browser
	files string
}

func inCommands(t *testing.T) *commands {
	u, err := url.Parse(step.Chrome.Browser(t).Endpoint())
	require.NoError(t, err)
	return &commands{t, chrometest.Context(t), t.TempDir(), u.Host, t.TempDir()}
}

func (c *commands) run(command string) steptest.Answer {
	c.t.Helper()
	h := tabs.NewHost(tabs.Options{Home: c.home, Choice: tabs.Choice{Attach: c.at}, NoLaunch: true, Tool: "test"})
	defer func() { require.NoError(c.t, h.Close()) }()
	return c.in(h, command)
}

// kept is a host that keeps tabs attached between commands, as the broker does.
func (c *commands) kept() *tabs.Host {
	h := tabs.NewHost(tabs.Options{Home: c.home, Choice: tabs.Choice{Attach: c.at}, NoLaunch: true, Tool: "test",
		Keep: true})
	c.t.Cleanup(func() { require.NoError(c.t, h.Close()) })
	return h
}

// in runs a command in a host.
func (c *commands) in(h *tabs.Host, command string) steptest.Answer {
	c.t.Helper()
	cmd, err := step.Parse([]byte(command))
	require.NoError(c.t, err)
	r, err := step.New(c.ctx, nil, step.Options{Host: h, Files: c.files, Tool: "test"})
	require.NoError(c.t, err)
	defer r.Close(c.ctx)
	a, err := r.Execute(c.ctx, cmd)
	require.NoError(c.t, err)
	out := steptest.Answer{Raw: string(a.Body)}
	require.NoError(c.t, json.Unmarshal(a.Body, &out), out.Raw)
	return out
}

const sizes = `"() => [innerWidth, innerHeight, devicePixelRatio, navigator.maxTouchPoints].join()"`

// C-21: the next command finds what the one before has set.
func TestEmulationIsTheAliass(t *testing.T) {
	c := inCommands(t)
	page := steptest.Serve(t, `<meta name=viewport content="width=device-width"><button id=ask onclick="this.textContent=confirm('Sure?')">Ask</button>`)
	a := c.run(`{"steps":[{"openTab":"` + page + `"},{"viewport":"galaxy_s21"},{"geolocation":{"latitude":1.5,"longitude":2.5}},{"dialog":{"policy":"accept"}}]}`)
	require.Equal(t, "ok", a.Status, a.Raw)
	tab := a.Tab
	a = c.run(`{"tab":"` + tab + `","steps":[{"reload":true},{"pageFunction":{"fn":` + sizes + `,"serialize":false}},{"click":{"selector":"#ask","observe":"() => new Promise((d) => navigator.geolocation.getCurrentPosition((p) => d(p.coords.latitude), (e) => d(e.message)))"}}]}`)
	require.Equal(t, "ok", a.Status, a.Raw)
	require.JSONEq(t, `"360,800,3,5"`, string(a.Steps[1].Output))
	require.JSONEq(t, `1.5`, string(a.Steps[2].Observation))
	require.True(t, a.Steps[2].Dialogs[0].Accepted)
	a = c.run(`{"tab":"` + tab + `","steps":[{"viewport":null},{"geolocation":null},{"dialog":{"policy":"dismiss"}}]}`)
	require.Equal(t, "ok", a.Status, a.Raw)
	a = c.run(`{"tab":"` + tab + `","steps":[{"pageFunction":{"fn":` + sizes + `,"serialize":false}},{"closeTab":true}]}`)
	require.JSONEq(t, `"1280,720,1,0"`, string(a.Steps[0].Output), a.Raw)
}

// C-21: a tab of somebody else is not changed, except on request, and then only while we
// are in it.
func TestAForeignTabIsNotChanged(t *testing.T) {
	c := inCommands(t)
	own := step.Chrome.Open(t, steptest.Serve(t, `<p>Mine</p>`)) // of another program, as far as the host knows
	require.NoError(t, own.Resize(c.ctx, 777, 555))
	a := c.run(`{"steps":[{"connectTab":"` + own.ID() + `"},{"pageFunction":{"fn":` + sizes + `,"serialize":false}}]}`)
	require.Equal(t, "ok", a.Status, a.Raw)
	require.JSONEq(t, `"777,555,1,0"`, string(a.Steps[1].Output))
	a = c.run(`{"tab":"` + a.Tab + `","steps":[{"viewport":{"width":400,"height":300}},{"pageFunction":{"fn":` + sizes + `,"serialize":false}}]}`)
	require.JSONEq(t, `"400,300,1,0"`, string(a.Steps[1].Output), a.Raw)
	a = c.run(`{"tab":"` + a.Tab + `","steps":[{"viewport":null}]}`)
	require.Equal(t, "ok", a.Status, a.Raw)
}

// C-23, section 19.2: a dialog that is open when the command ends is told. Without a
// broker nothing keeps the tab attached, and Chrome cancels it then; the answer says so.
func TestADialogAtTheEndOfACommand(t *testing.T) {
	c := inCommands(t)
	page := steptest.Serve(t, `<p id=p>-</p><button id=ask onclick="p.textContent=confirm('Sure?')">Ask</button>`)
	a := c.run(`{"steps":[{"openTab":"` + page + `"},{"dialog":{"policy":"ask"}},{"click":"#ask"}]}`)
	require.Equal(t, "ok", a.Status, a.Raw)
	require.NotNil(t, a.Dialog)
	require.Equal(t, "Sure?", a.Dialog.Message)
	require.Contains(t, a.Raw, "it is dismissed when this command ends")
	a = c.run(`{"tab":"` + a.Tab + `","steps":[{"pageFunction":{"fn":"() => document.querySelector('#p').textContent","serialize":false}},{"closeTab":true}]}`)
	require.Equal(t, "ok", a.Status, a.Raw)
	require.JSONEq(t, `"false"`, string(a.Steps[0].Output))
}

// With the tab kept attached, as the broker does, it stays answerable.
func TestADialogOutlivesACommandWhereTheTabIsKept(t *testing.T) {
	c := inCommands(t)
	page := steptest.Serve(t, `<p id=p>-</p><button id=ask onclick="p.textContent=confirm('Sure?')">Ask</button>`)
	h := c.kept()
	run := func(command string) steptest.Answer { return c.in(h, command) }
	a := run(`{"steps":[{"openTab":"` + page + `"},{"dialog":{"policy":"ask"}},{"click":"#ask"}]}`)
	require.NotNil(t, a.Dialog, a.Raw)
	require.NotContains(t, a.Raw, "dismissed")
	tab := a.Tab
	a = run(`{"tab":"` + tab + `","steps":[{"click":"#ask"}]}`)
	require.Equal(t, "error", a.Status)
	require.Equal(t, "DialogBlockedError", a.Steps[0].Subtype, a.Raw)
	a = run(`{"tab":"` + tab + `","steps":[{"dialog":{"accept":true}},{"pageFunction":{"fn":"() => document.querySelector('#p').textContent","serialize":false}}]}`)
	require.Equal(t, "ok", a.Status, a.Raw)
	require.JSONEq(t, `"true"`, string(a.Steps[1].Output))
	store, err := turn.OpenPath(filepath.Join(c.home, "sessions", tab))
	require.NoError(t, err)
	list, _, err := store.List(c.ctx)
	require.NoError(t, err)
	require.Len(t, list, 1)
	rec, err := store.Load(c.ctx, list[0].N)
	require.NoError(t, err)
	var kept struct {
		Before, Steps []map[string]json.RawMessage
	}
	require.NoError(t, json.Unmarshal(rec.Steps, &kept))
	require.Len(t, kept.Steps, 2)
	require.Len(t, kept.Before, 4, "what was done while the page could not be read is not lost: %s", rec.Steps)
	require.Contains(t, kept.Before[2], "click")
	require.Equal(t, "openTab, dialog, click, and 3 more", list[0].Action, "the turn is called after all of them")
	a = run(`{"tab":"` + tab + `","steps":[{"wait":1}]}`)
	rec, err = store.Load(c.ctx, list[0].N+1)
	require.NoError(t, err)
	require.NotContains(t, string(rec.Steps), "before", "and told once")
	require.Equal(t, "wait", rec.Action)
	a = run(`{"tab":"` + tab + `","steps":[{"closeTab":true}]}`)
	require.Equal(t, "ok", a.Status, a.Raw)
}

// B-9: what the agent was shown lives as long as the tab. An id that another element has by now still means the
// one that the agent saw.
func TestNodeIDsOutliveACommandWhereTheTabIsKept(t *testing.T) {
	c := inCommands(t)
	h := c.kept()
	page := steptest.Serve(t, `<main><button onclick="document.title='alpha'">Alpha</button></main>`)
	a := c.in(h, `{"steps":[{"openTab":"`+page+`"},{"domtoolSnapshot":true}]}`)
	require.Equal(t, "ok", a.Status, a.Raw)
	id := regexp.MustCompile(`"node_id": ?"(nv_[0-9a-f]{8})","tag": ?"button"`).FindSubmatch(a.Steps[1].Output)
	require.NotNil(t, id, string(a.Steps[1].Output))
	const insert = `"() => { const b = document.createElement('button'); b.textContent = 'Other';` +
		` b.onclick = () => document.title = 'other'; document.querySelector('main').prepend(b); }"`
	c.in(h, `{"tab":"`+a.Tab+`","steps":[{"pageFunction":{"fn":`+insert+`,"serialize":false}}]}`)
	a = c.in(h, `{"tab":"`+a.Tab+`","steps":[{"domtoolClick":{"nodeId":"`+string(id[1])+`"}},`+
		`{"pageFunction":{"fn":"() => document.title","serialize":false}},{"closeTab":true}]}`)
	require.Equal(t, "ok", a.Status, a.Raw)
	require.JSONEq(t, `"alpha"`, string(a.Steps[1].Output), a.Raw)
}

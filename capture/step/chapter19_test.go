package step_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/capture/step/steptest"
	"github.com/stretchr/testify/require"
)

func TestSection19_3_RefsInDeepShadowTreesSurviveARerender(t *testing.T) {
	b := on(t, `<host-a></host-a><script>window.hits = [];
		const nest = (at, depth) => { const r = at.attachShadow({mode:'open'}); if (depth === 0) { r.innerHTML = '<button>Deep one</button><button>Other</button>'; for (const x of r.querySelectorAll('button')) x.onclick = () => hits.push(x.textContent + ' ' + window.generation); return; }
			const inner = document.createElement('host-' + depth); r.append(inner); nest(inner, depth - 1); };
		window.generation = 1; nest(document.querySelector('host-a'), 3);
		window.again = () => { const old = document.querySelector('host-a'), fresh = document.createElement('host-a'); old.replaceWith(fresh); generation++; nest(fresh, 3); };</script>`)
	a := b.Run(`[{"scroll":"top"}]`)
	ref := steptest.RefIn(t, a.ViewportSnapshot, "Deep one")
	b.Eval("again()")
	a = b.Run(`[{"click":"` + ref + `"}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Contains(t, string(a.Steps[0].Output), `"reResolved":true`)
	require.Equal(t, `"Deep one 2"`, string(b.Eval("hits.join()")))
}

func TestSection19_4_APageThatNeverRestsIsNoHindrance(t *testing.T) {
	url := chrometest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, `<!doctype html><title>Live</title><button>Go</button><script>(async () => { for (;;) await fetch('/poll').catch(() => 0); })()</script>`)
			return
		}
		select { // long polling: there is always one request under way
		case <-r.Context().Done():
		case <-time.After(200 * time.Millisecond):
		}
	}))
	b := steptest.At(t, step.Chrome, url)
	a := b.Run(`[{"click":{"text":"Go"}}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	a = b.Run(`[{"goto":{"url":"` + url + `","waitUntil":"networkidle"},"timeout":2500}]`)
	require.Equal(t, "error", a.Status, "who asks for an idle network is told that it is not")
	require.Contains(t, a.Steps[0].Error, "requests were still under way")
}

func TestSection19_10_PickersAndInnerScrollers(t *testing.T) {
	b := on(t, `<input type=date id=d><input type=time id=t><input type=color id=c><input type=range id=r min=0 max=50>
		<div role=listbox id=times style="height:80px;overflow:auto">`+hours()+`</div><output id=o></output>
		<script>times.onclick = (e) => o.textContent = e.target.textContent</script>`)
	a := b.Run(`[{"fill":{"#d":"2026-12-31","#t":"23:30","#c":"#00ff00","#r":"35"}},{"click":{"text":"Slot 22:00"}}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Equal(t, `"2026-12-31,23:30,#00ff00,35,Slot 22:00"`, string(b.Eval("[d.value, t.value, c.value, r.value, o.textContent].join()")))
	require.NotContains(t, string(a.Steps[1].Output), "autoForced", "the option is scrolled to, not forced")
}

func hours() string {
	s := ""
	for h := range 24 {
		s += fmt.Sprintf(`<div role=option tabindex=-1>Slot %02d:00</div>`, h)
	}
	return s
}

func TestSection19_11_AStaleRefWhoseNameChangedIsToldSo(t *testing.T) {
	b := on(t, `<div id=box><button>Buy for $9</button></div>`)
	a := b.Run(`[{"scroll":"top"}]`)
	ref := steptest.RefIn(t, a.ViewportSnapshot, "Buy for $9")
	b.Eval("box.innerHTML = '<button>Buy for $12</button>', 1")
	a = b.Run(`[{"click":"` + ref + `"}]`)
	require.Equal(t, "StaleElementError", a.Steps[0].Subtype)
	require.Contains(t, a.Steps[0].Error, "take a new snapshot")
	require.NotEmpty(t, a.Steps[0].Context.VisibleButtons)
}

func TestSection19_13_FilesAreUploaded(t *testing.T) {
	b := on(t, `<label>Photo <input type=file id=f></label>`)
	b.Allow(".")
	a := b.Run(`[{"upload":{"selector":"#f","files":["step_test.go"]}}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Equal(t, `"step_test.go"`, string(b.Eval("f.files[0].name")))
	a = b.Run(`[{"upload":{"selector":"#f","files":["no-such-file"]}}]`)
	require.Contains(t, a.Steps[0].Error, "file not found")
}

func TestSection19_16_AHiddenCheckboxIsClickedThroughItsLabel(t *testing.T) {
	b := on(t, `<style>input{position:absolute;opacity:0}</style><input type=checkbox id=c><label for=c>I agree to all of it</label>`)
	a := b.Run(`[{"click":"#c"}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Contains(t, string(a.Steps[0].Output), `"method":"label"`)
	require.Contains(t, string(a.Steps[0].Output), `"checked":true`)
}

func TestSection19_17_AnAnchorOfThePageDoesNotReload(t *testing.T) {
	loads := 0
	url := chrometest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			loads++
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><title>Long</title><div style="height:4000px"></div><h2 id=end>End</h2>`)
	}))
	b := steptest.At(t, step.Chrome, url)
	before := loads
	a := b.Run(`[{"goto":"` + url + `#end"}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Equal(t, before, loads)
	require.Contains(t, a.ViewportSnapshot, "End")
	require.False(t, a.Navigated)
}

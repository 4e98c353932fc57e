package navigation_test

import (
	"os"
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/capture/step/steptest"
	"github.com/stretchr/testify/require"
)

var chrome chrometest.Chrome

func TestMain(m *testing.M) { os.Exit(chrome.Main(m)) }

func on(t testing.TB, html string) *steptest.Bench {
	t.Helper()
	return steptest.On(t, &chrome, html)
}

func TestWait(t *testing.T) {
	b := on(t, `<div id=spin>…</div><div id=host></div><p id=hid style="display:none">later</p><script>
		later = (ms, f) => setTimeout(f, ms);
		later(120, () => hid.style.display = ''); later(150, () => spin.remove()); later(100, () => document.body.append('Order   SENT'));
		later(130, () => host.attachShadow({mode:'open'}).innerHTML = '<b id=deep>in the shadow</b>'); later(140, () => { if (!location.search) history.pushState(0, '', '/route/done'); });</script>`)
	a := b.Run(`[{"wait":20},{"wait":{"ms":1}},{"wait":"#hid"},{"wait":{"gone":"#spin"}},{"wait":{"text":"order sent"}},{"wait":{"selector":"#deep"}},{"wait":{"text":"in the shadow"}},{"wait":{"url":"/done"}},{"wait":{"load":"networkidle"}},{"wait":{"load":"domcontentloaded"}}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Contains(t, string(a.Steps[7].Output), `/route/done"`)
	for in, want := range map[string]string{
		`{"selector":"#never","timeout":150}`: `no element that matches "#never" could be seen within`,
		`{"text":"never","timeout":150}`:      `the text "never" could not be read within`,
		`{"gone":"#hid","timeout":150}`:       `could still be seen within`,
		`{"url":"/nowhere","timeout":150}`:    `the address does not contain "/nowhere": it is http`,
	} {
		a = b.Run(`[{"wait":` + in + `}]`)
		require.Equal(t, "TimeoutError", a.Steps[0].Subtype, in)
		require.Contains(t, a.Steps[0].Error, want, in)
		require.True(t, a.Steps[0].RetrySuggested)
	}
	a = b.Run(`[{"wait":{"selector":"[[["}}]`)
	require.Equal(t, "StepValidationError", a.Steps[0].Subtype)
	// Across a navigation.
	a = b.Run(`[{"pageFunction":"() => setTimeout(() => location.href = '/?next', 60)"},{"wait":{"url":"?next"}},{"wait":{"load":"load"}},{"wait":{"text":"Order sent"}}]`)
	require.Equal(t, "ok", a.Status, a.Errors)
	for in, want := range map[string]string{
		`{}`: "give one of", `{"ms":1,"text":"x"}`: "give one of", `-5`: "want 0 or more", `true`: "want a time in ms", `{"load":"lod"}`: `did you mean "load"?`, `"s1e4"`: "is a ref", `{"selectr":"x"}`: `did you mean "selector"?`,
	} {
		_, err := step.Parse([]byte(`{"tab":"t1","steps":[{"wait":` + in + `}]}`))
		require.ErrorContains(t, err, want, in)
	}
}

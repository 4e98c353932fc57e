package task_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/chrometest"
)

// Frames that go away, and numbers that are counted for each frame: nothing of another frame is operated, nor taken for
// what an outcome is expected of, in either profile (S-17).
func TestARefOfAFrameThatWentAway(t *testing.T) {
	url := chrometest.Page(t, `<!doctype html><title>Two</title><button onclick="said.textContent='DELETED'">Delete all</button>
<input aria-label="Main field"><p id="said">-</p><iframe id="f" srcdoc="<button>Inside</button><input aria-label=Deep>"></iframe>
<script>addEventListener('answered', () => f.remove())</script>`)
	for _, compat := range []bool{false, true} {
		tab := chrome.Open(t, url)
		away := func(answer string) func(*request) string {
			return func(*request) string {
				frames, err := tab.Frames(context.Background())
				if err == nil {
					_, err = tab.Session().Eval(context.Background(), frames[0].ID, "String(dispatchEvent(new Event('answered')))")
				}
				if err != nil {
					t.Error(err)
				}
				return answer
			}
		}
		e := serve(t,
			away(`{"action":"click(f1_1)"}`), says(`{"action":"click(f1_1)"}`), says(`{"action":"setValue(f5_2, \"x\")"}`),
			says(`{"action":"click(\"f1_1\")"}`), says(`{"action":"wait(1)","expected_outcome":{"type":"value_changes","ref":"f1_2"}}`),
		)
		o := options(t, e)
		o.Compat = compat
		out := run(t, tab, o)
		require.True(t, out.OK(), "%+v", out)
		for k := 1; k < len(e.got); k++ {
			q := e.got[k]
			require.NotNil(t, q.LastActionError, "compat %v, answer %d", compat, k)
			require.NotContains(t, strings.Join(q.Events, "\n"), "DELETED")
		}
		require.Len(t, e.got, 6)
	}
}

// A button of another name far below is not the one that is gone (S-12): the seed's score counts the same text alone.
func TestAnotherNameIsNotRecovered(t *testing.T) {
	url := chrometest.Page(t, `<!doctype html><title>Order</title><p id="said">-</p><div id="list" onclick="said.textContent = 'Clicked ' + event.target.textContent">
<button style="position:absolute;top:40px">Submit order</button></div><script>
addEventListener('answered', () => { list.innerHTML = '<button style="position:absolute;top:460px">Cancel order</button>'; })</script>`)
	tab := chrome.Open(t, url)
	e := serve(t, func(q *request) string {
		frames, err := tab.Frames(context.Background())
		if err == nil {
			_, err = tab.Session().Eval(context.Background(), frames[0].ID, "String(dispatchEvent(new Event('answered')))")
		}
		if err != nil {
			t.Error(err)
		}
		return do("click", "Submit order", "")(q)
	})
	o := options(t, e)
	o.Compat = true
	out := run(t, tab, o)
	require.True(t, out.OK(), "%+v", out)
	require.Empty(t, out.Healed)
	require.NotContains(t, strings.Join(e.got[1].Events, "\n"), "Cancel")
}

package step_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

// A page that opens many long dialogs does not fill the answer with them.
func TestManyDialogsAreBounded(t *testing.T) {
	b := on(t, `<button id=go onclick="for (let i = 0; i < 120; i++) alert(i + ' ' + 'word '.repeat(4000))">Go</button>`)
	a := b.Run(`[{"click":"#go","timeout":60000}]`) // each dialog is answered
	require.Equal(t, "ok", a.Status, a.Errors)
	require.Len(t, a.Steps[0].Dialogs, 50)
	require.Contains(t, a.Steps[0].Dialogs[49].Message, "119 word")
	require.Contains(t, a.Steps[0].Warning, "120 dialogs opened in the step, and the last 50 are listed")
	require.Less(t, len(a.Raw), 100_000)
}

// A turn that cannot be kept is said in the answer: the agent's steps were done all the same.
func TestAnUnkeptTurnIsSaid(t *testing.T) {
	b := on(t, `<p>calm`)
	dir := b.Opt.Store.Path()
	c, err := step.Parse([]byte(`{"tab":"t1","steps":[{"click":{"x":5,"y":5}}]}`))
	require.NoError(t, err)
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "turns")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "turns"), nil, 0o600))
	a, err := b.R.Execute(b.Ctx, c)
	require.Error(t, err)
	require.True(t, a.OK)
	require.Contains(t, string(a.Body), `"warning":"the turn was not kept, so the session does not have what was done: `)
	require.JSONEq(t, string(a.Body), string(a.Body))
}

// A command on a page that never answers, or answers late each time, ends by itself when its time is over, with an
// answer.
func TestHostilePagesEndACommand(t *testing.T) {
	testneed.Long(t, "hostile pages")
	pages := chrometest.Hostile()
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		html := pages[name]
		for _, one := range []string{`{"snapshot":true}`, `{"click":"button"}`} {
			t.Run(name+"/"+one, func(t *testing.T) {
				tab := step.Chrome.Open(t, chrometest.Page(t, html))
				r, err := step.New(t.Context(), tab, step.Options{Alias: "t1", Files: t.TempDir(), Timeout: 500 * time.Millisecond})
				require.NoError(t, err)
				c, err := step.Parse([]byte(`{"tab":"t1","steps":[` + one + `]}`))
				require.NoError(t, err)
				ctx := chrometest.Context(t)
				a, err := r.Execute(ctx, c)
				require.NoError(t, err)
				require.NoError(t, ctx.Err(), "the test did not end it")
				t.Logf("%.300s", a.Body)
				require.NotContains(t, string(a.Body), "context deadline exceeded")
				switch name {
				case "navigation storm", "slow answers", "DOM storm": // these answer now and then
				default:
					require.False(t, a.OK)
					require.Contains(t, string(a.Body), "did not answer within")
				}
			})
		}
	}
}

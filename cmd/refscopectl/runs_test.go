package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/refscope/refscope/snapshot/runs"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/stretchr/testify/require"
)

// secondRun makes another session of one turn in the home of the first.
func secondRun(t *testing.T, home, name string, change func(*turn.Record)) {
	t.Helper()
	s, err := turn.Create(context.Background(), turn.Dir(turn.SessionDir(home, name)), "test")
	require.NoError(t, err)
	recordTurn(t, s, change)
	require.NoError(t, s.Close())
}

// compare names the first divergence and its cause, in words, as JSON, as an exit status and
// in a file; two equal runs have none.
func TestCompare(t *testing.T) {
	s, dir := recordSession(t, "passed", 1)
	require.NoError(t, s.Close())
	home := filepath.Dir(filepath.Dir(dir))
	secondRun(t, home, "again", nil)
	secondRun(t, home, "failed", func(r *turn.Record) {
		r.Capture.Nodes[1].Name = "Sell \x1b[2J<b>"
		r.Capture.Nodes[1].Text = ""
	})

	code, out, errs := ctl(t, "compare", "passed", "again")
	require.Zero(t, code, errs)
	require.Contains(t, out, "do not diverge")

	code, _, errs = ctl(t, "session", "label", "failed", "page", "the button\nis \x1b[2Jnew", "--by", "QA")
	require.Zero(t, code, errs)
	code, _, errs = ctl(t, "session", "label", "failed", "nothing")
	require.Equal(t, 2, code)
	require.Contains(t, errs, "choose from page, payload, answer, actuation")
	_, out, _ = ctl(t, "session", "label", "failed")
	require.Contains(t, out, "* page ")
	_, out, _ = ctl(t, "session", "list")
	require.Regexp(t, `(?m)^failed  1 turn  .*  page$`, out)
	_, out, _ = ctl(t, "--json", "session", "label", "passed")
	require.JSONEq(t, `{"schema":"refscope.sessionlabel/1","label":null}`, out)

	file := filepath.Join(t.TempDir(), "compare.html")
	code, out, errs = ctl(t, "compare", "passed", "failed", "--html", file)
	require.Equal(t, 1, code, errs)
	require.Contains(t, out, "First divergence, turn 1 of the first run, turn 1 of the second: page")
	require.Contains(t, out, `"Buy" → "Sell \u001b[2J<b>"`)
	require.NotContains(t, out, "\x1b")
	html, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(html), "turn 1 of the first run, turn 1 of the second")
	require.NotContains(t, string(html), "<b>\"")
	require.Contains(t, out, "failed is labelled page the button is")
	require.Contains(t, string(html), `<span class="badge">page</span>`)

	var c runs.Comparison
	code, out, errs = ctl(t, "--json", "compare", "passed", "failed")
	require.Equal(t, 1, code, errs)
	require.Contains(t, out, `"pairs":[[1,1]]`)
	refusesMutations(t, "compare", []byte(out))
	require.Regexp(t, `"divergence":\{"a":1,"b":1,"cause":"page","why":".+"\}`, out)
	require.NoError(t, json.Unmarshal([]byte(out), &c))
	require.Equal(t, runs.Page, c.Divergence().Cause)
	require.Nil(t, c.LabelA)
	require.Equal(t, "QA", c.LabelB.By)

	code, _, errs = ctl(t, "compare", "passed")
	require.Equal(t, 2, code)
	require.Contains(t, errs, "name two sessions")
}

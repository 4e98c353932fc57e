package step_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot/testneed"
)

// examplesPage has what the examples of testdata/chapters.jsonl name.
const examplesPage = `<title>Examples</title><style>#menu-trigger:hover + #menu { display: block } #menu { display: none }
	#draggable, #target { width: 60px; height: 30px; background: #ccc }</style>
	<form id=form onsubmit="event.preventDefault()"><label>Email Address <input id=email type=email name=email></label>
	<input id=firstName aria-label=First><input id=lastName aria-label=Last><label><input id=agree type=checkbox> Agree</label>
	<select id=size aria-label=Size><option value=s>Small<option value=m>Medium<option value=l>Large</select>
	<button id=submit-btn data-action=submit>Sign In</button></form>
	<button id=menu-trigger>Menu</button><div id=menu role=menu>Open</div><div id=draggable>drag</div><div id=target>here</div>
	<iframe class=embed name=embed srcdoc="<button id=inner>Inner</button>"></iframe><a href=/one>One</a><a href=/two>Two</a>
	<table><thead><tr><th>Name<th>Price</thead><tbody><tr><td>Tea<td>5</table><ul><li>First<li>Second</ul>
	<div style="height:2000px"></div>`

// Each chapter's forms of input run, as an agent writes them.
func TestExamplesOfTheChapters(t *testing.T) {
	testneed.Long(t, "examples of every chapter")
	b := on(t, examplesPage)
	b.Opt.Profiles = profiles.Home(t.TempDir())
	page := b.Run(`[{"scroll":"top"}]`).Context.URL
	data, err := os.ReadFile("testdata/chapters.jsonl")
	require.NoError(t, err)
	for line := range strings.Lines(string(data)) {
		var example struct {
			Chapter string
			Steps   []json.RawMessage
		}
		require.NoError(t, json.Unmarshal([]byte(line), &example), line)
		steps, err := json.Marshal(append([]json.RawMessage{json.RawMessage(`{"goto":"` + page + `"}`)}, example.Steps...))
		require.NoError(t, err)
		a := b.Run(string(steps))
		require.Len(t, a.Steps, len(example.Steps)+1, "%s: %v", example.Chapter, a.Errors)
		for i, s := range a.Steps[1:] {
			skipped := s.Status == "skipped" && strings.Contains(string(example.Steps[i]), `"optional":true`)
			require.True(t, s.Status == "ok" || skipped, "%s: %s: %s", example.Chapter, example.Steps[i], s.Error)
		}
	}
}

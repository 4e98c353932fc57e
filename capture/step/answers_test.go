package step_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/step/steptest"
)

// An element that became another one since its ref was handed out is acted on, and the answer warns with what it
// was and is: also where a step of the same command has changed it (C-23).
func TestARefWhoseElementChangedItsNameOrRoleIsSaid(t *testing.T) {
	b := on(t, `<button id=b>Save</button><button id=c>Keep</button>`)
	a := b.Run(`[{"snapshot":true}]`)
	save, keep := steptest.RefIn(t, a.ViewportSnapshot, "Save"), steptest.RefIn(t, a.ViewportSnapshot, "Keep")
	a = b.Run(`[{"click":"` + save + `"},{"pageFunction":"() => { b.textContent = 'Delete all'; c.role = 'link' }"},
		{"click":"` + save + `"},{"hover":"` + keep + `"}]`)
	require.Equal(t, "ok", a.Status, a.Raw)
	require.Empty(t, a.Steps[0].Warning)
	require.Equal(t, `ref `+save+` was button "Save" when it was handed out, and is button "Delete all" now`, a.Steps[2].Warning)
	require.Equal(t, `ref `+keep+` was button "Keep" when it was handed out, and is link "Keep" now`, a.Steps[3].Warning)
	a = b.Run(`[{"click":"` + save + `"}]`) // the answer before showed it
	require.Empty(t, a.Steps[0].Warning)
}

// The failed step of a ref whose element is gone lists what may be meant, and names the ref as it was sent.
func TestAFailedStepListsCandidates(t *testing.T) {
	b := on(t, `<main><button>Save draft</button><button>Cancel</button></main>`)
	ref := steptest.RefIn(t, b.Run(`[{"snapshot":true}]`).ViewportSnapshot, "Save draft")
	a := b.Run(`[{"pageFunction":"() => { document.querySelector('main').innerHTML = '<button>Save draft</button>'.repeat(2) }"},{"click":"` + ref + `"}]`)
	require.Equal(t, "error", a.Status, a.Raw)
	require.Contains(t, a.Steps[1].Error, "ref "+ref+" is gone and 2 elements have the same role and name now")
	require.Len(t, a.Steps[1].Context.Candidates, 2, a.Raw)
	for _, c := range a.Steps[1].Context.Candidates {
		require.Equal(t, "Save draft", c.Text)
		require.Equal(t, "button", c.Role)
		require.NotEmpty(t, c.Ref)
	}
	require.Equal(t, "main > button:nth-child(1)", a.Steps[1].Context.Candidates[0].Selector)
	for _, spelled := range []string{"999", "e999", "@e999", "s1e999"} {
		a = b.Run(`[{"click":"` + spelled + `"}]`)
		require.Contains(t, a.Steps[0].Error, "there is no ref "+spelled+" on the page")
	}
}

// A selector that cannot be read fails at once, with its position.
func TestASelectorThatCannotBeReadHasItsPosition(t *testing.T) {
	b := on(t, `<button>b</button>`)
	for selector, want := range map[string]string{
		"[[[invalid": `cannot be read from character 1 on ("[[invalid"): an attribute's name must follow`,
		"div > > p":  `cannot be read from character 3 on (" > > p")`,
		"é]":         `cannot be read from character 1 on ("]")`,
	} {
		a := b.Run(`[{"click":"` + selector + `"}]`)
		require.Contains(t, a.Steps[0].Error, want)
		require.Equal(t, "StepValidationError", a.Steps[0].Subtype)
	}
}

// The selectors of an answer are short and mean the very elements of their refs.
func TestSelectorsInAnswersAreShortAndUnique(t *testing.T) {
	b := on(t, `<main><button id=save>Save</button><button data-testid=push>Push</button><form><input name=mail aria-label=Mail>
		<select name=size aria-label=Size><option>S</select></form><ul><li><a href=#1>One</a><li><a href=#2>Two</a></ul>
		<button id=":r1:">R</button><button id=twice>T1</button><div><button id=twice>T2</button></div></main>`)
	var out struct{ Refs map[string]string }
	a := b.Run(`[{"snapshot":true}]`)
	a.Out(t, &out)
	for text, want := range map[string]string{
		"Save": "#save", "Push": `[data-testid="push"]`, "Mail": `input[name="mail"]`, "Size": `select[name="size"]`,
		`"R"`: `[id=":r1:"]`, "Two": "ul > li:nth-child(2) > a", "T1": "main > button:nth-child(6)", "T2": "div > button",
	} {
		require.Equal(t, want, out.Refs[steptest.RefIn(t, a.ViewportSnapshot, text)], text)
	}
	list, err := json.Marshal(out.Refs)
	require.NoError(t, err)
	fn, err := json.Marshal(`(refs) => { const s = ` + string(list) + `; return Object.keys(s).filter((r) => {
		const all = document.querySelectorAll(s[r]); return all.length !== 1 || all[0] !== refs.get(r) }) }`)
	require.NoError(t, err)
	a = b.Run(`[{"pageFunction":{"fn":` + string(fn) + `,"refs":true,"serialize":false}}]`)
	require.JSONEq(t, `[]`, string(a.Steps[0].Output), a.Raw)
	a = b.Run(`[{"click":{"selector":"#nothing","timeout":100}}]`)
	require.Equal(t, "#save", a.Steps[0].Context.VisibleButtons[0].Selector)
}

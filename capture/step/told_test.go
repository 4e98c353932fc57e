package step_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What a page did not take is in the step's answer, however the step named the field; a secret is in no part of it.
func TestAStepSaysWhatTheFieldHolds(t *testing.T) {
	b := on(t, `<input id=i maxlength=4><input id=p type=password maxlength=4><input id=n type=number><p id=t>text</p>`)
	a := b.Run(`[{"type":{"selector":"#i","text":"abcdef"}},{"fill":{"selector":"#i","value":"uvwxyz"}},
		{"fill":{"fields":{"#i":"ghijkl","#n":"1"}}},{"fill":{"selector":"#i","value":""}},{"click":"#i"},{"type":{"text":"mnopqr"}},
		{"type":{"selector":"#p","text":"hunter2secret"}},{"type":{"selector":"#n","text":"e"}},{"fill":{"selector":"#n","value":"12"}},
		{"press":{"selector":"#t","key":"a"}},{"press":{"selector":"#n","key":"ArrowUp"}}]`)
	require.Equal(t, "ok", a.Status, a.Raw)
	for k, want := range []string{
		`the field holds "abcd", which differs from what was asked`,
		`the field holds "uvwx", which differs from what was asked`,
		`#i: the field holds "ghij", which differs from what was asked`,
		``,
		``,
		`the field holds "mnop", which differs from what was asked`,
		`the field holds another text than was asked (password): 4 characters, not 13`,
		`the field has no value: what it shows is not one of its type`,
		``,
		`the element does not take the focus, so the key went to what had it`,
		``,
	} {
		require.Equal(t, want, a.Steps[k].Warning, "step %d", k+1)
	}
	require.NotContains(t, string(a.Raw), "hunt")
}

// A list box that is inert is chosen from anyway, and that is said.
func TestSelectOptionSaysThatTheListIsInert(t *testing.T) {
	b := on(t, `<div inert id=w><select id=s><option>a<option>b</select></div>`)
	a := b.Run(`[{"selectOption":{"selector":"#s","value":"b","timeout":200}}]`)
	require.Equal(t, "ok", a.Status, a.Raw)
	require.Equal(t, "forced: the element is not ready: it is inert because <div> (#w) has the attribute inert", a.Steps[0].Warning)
}

package collect_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/snapshot/css"
	"github.com/stretchr/testify/require"
)

// refusedThoughValid are the kinds that css.Check refuses and Chrome takes, in the error's
// text: the rule would not do what it says.
var refusedThoughValid = regexp.MustCompile(`is not closed$|a pseudo-element is no|:is\(.*(:nonsense|is missing)$`)

// selectorsToTry are simple selectors, right and wrong ones, alone and in every place
// that a selector can have.
func selectorsToTry() []string {
	simple := strings.Split("a|*|.x|#x|[a]|[a=b]|[ a = 'b' ]|[a=\"b\"i]|[a^=b]|[a!=b]|[a=1]|[a=b s]|[=a]|[]|.1|#1a|.-a|.-1|--x|-|"+
		`\31 a|.\31|.a\:b|é|.日本|a/**/b|a!|a$|a@b|a{}|a;|"a"|<a|a)|(a)|.|#|:|::|: a|**|a*|*a|&|a.b#c[d]:hover|`+
		":hover|:HOVER|:checked|:empty|:modal|:open|:user-valid|:popover-open|:nonsense|:parent|:visible|:first|:blank|"+
		":contains(\"x\")|:nonsense(3)|:eq(1)|:has-text(x)|:matches(a)|:not|:is|:not()|:nth-child()|:nth-child(2n+1)|"+
		":nth-child( odd )|:nth-child(+ 3)|:nth-child(n+ 3)|:nth-child(n 3)|:nth-child(-n-1)|:nth-child(2n-)|"+
		":nth-child(1 of a)|:nth-child(1 of)|:nth-child(1 of .x, b)|:nth-of-type(1 of a)|:nth-last-child(2)|:nth-col(1)|"+
		":lang(en)|:lang()|:dir(ltr)|:state(x)|:host(a)|:-webkit-any(a,b)|:-moz-any(a)|:has(> a)|:has(a, + b)|:has()|"+
		":has(:has(a))|:not(a, b)|:not(a,)|:not(:nonsense)|:is(:nonsense)|:is()|a::before|a:before|a::nonsense|div[|a(|:not(a", "|")
	simple = append(simple, "*|a", "|a", "x|a", "[*|a]", "[|a]", "[x|a]", "[a|=b]", "a||b", "", " ", ",", "a,", ",a", ">a", "a>", "a >> b", "a > > b",
		"a >>> b", "a + b ~ c", "a\n,\tb")
	out := simple
	for _, s := range simple[:len(simple)-12] {
		out = append(out, "div > "+s, s+", p", ":not("+s+")", ":has("+s+")")
	}
	return out
}

// TestSelectorsAsTheBrowser: what css.Check lets pass the browser takes, and what it refuses the
// browser refuses too, or it is one of the kinds that css.Check tells of.
func TestSelectorsAsTheBrowser(t *testing.T) {
	list := selectorsToTry()
	require.Greater(t, len(list), 300)
	data, err := json.Marshal(list)
	require.NoError(t, err)
	tab := chrome.Open(t, chrometest.Page(t, `<p>x`))
	answer, err := tab.Session().Eval(chrometest.Context(t), tab.ID(), `JSON.stringify(`+string(data)+`.map((s) => {
		try { document.createDocumentFragment().querySelector(s); return true } catch { return false }
	}))`)
	require.NoError(t, err)
	var said string
	raw, err := json.Marshal(answer)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &said))
	var valid []bool
	require.NoError(t, json.Unmarshal([]byte(said), &valid))
	stricter, right := 0, 0
	for i, s := range list {
		switch err := css.Check(s); {
		case err == nil && !valid[i]:
			t.Errorf("%q passes and the browser refuses it", s)
		case err != nil && valid[i]:
			stricter++
			require.Regexp(t, refusedThoughValid, err.Error())
		case err == nil:
			right++
		}
		if _, err := css.Parse(s); err == nil && !valid[i] {
			t.Errorf("%q is answered offline and the browser refuses it", s)
		}
	}
	t.Logf("%d selectors: %d valid to both, %d only to the browser", len(list), right, stricter)
}

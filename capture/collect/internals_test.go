package collect_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/aria"
	"github.com/stretchr/testify/require"
)

// spoken are the widgets of [spokenPage]: what each says of itself, as properties of ARIAMixin.
const spoken = `{
	one: { role: 'radio', ariaChecked: 'false' }, two: { role: 'radio', ariaChecked: 'true' },
	bar: { role: 'tablist', ariaLabel: 'Sections' },
	tab: { role: 'tab', ariaSelected: 'true' }, other: { role: 'tab', ariaSelected: 'false' },
	wifi: { role: 'switch', ariaChecked: 'true', ariaLabel: 'Wi-Fi', ariaDisabled: 'true' },
	loud: { role: 'slider', ariaValueNow: '30', ariaLabel: 'Volume' },
	more: { role: 'button', ariaExpanded: 'false', ariaHasPopup: 'menu' }, bold: { role: 'button', ariaPressed: 'mixed' },
	mail: { role: 'textbox', ariaRequired: 'true', ariaInvalid: 'true', ariaReadOnly: 'true', ariaLabel: 'Mail' },
	title: { role: 'heading', ariaLevel: '3' }, plain: {}, card: { role: 'group', ariaLabel: 'key sk-ant-api03-` +
	`Zk3nq8LwT5yHc2VbX9mJr4Gs7PdQ1fAe' },
}`

// spokenPage is a page of custom elements that say what they are: in a closed shadow root among others. By says how:
// with the function in it.
func spokenPage(by string) string {
	return `<!doctype html><title>Spoken</title><style>x-w{display:inline-block;min-width:80px;height:24px}</style>
<label><x-w id=one tabindex=0></x-w> First</label><label><x-w id=two tabindex=0></x-w> Second</label>
<x-w id=bar><x-w id=tab tabindex=0>One</x-w><x-w id=other tabindex=-1>Two</x-w></x-w>
<x-w id=wifi tabindex=0></x-w><x-w id=loud tabindex=0></x-w><x-w id=more tabindex=0>More</x-w><x-w id=bold>Bold</x-w>
<x-w id=title>Part</x-w><x-w id=plain>words</x-w><x-w id=card>card</x-w><x-host></x-host><script>
const says = ` + spoken + `, say = ` + by + `;
customElements.define('x-w', class extends HTMLElement {
	static formAssociated = true;
	#internals = this.attachInternals();
	connectedCallback() {
		say(this, this.#internals, says[this.id]);
		this.addEventListener('turn', () => { this.#internals.ariaChecked = 'true'; });
	}
});
customElements.define('x-host', class extends HTMLElement {
	constructor() { super().attachShadow({ mode: 'closed' }).innerHTML = '<x-w id=mail tabindex=0></x-w>'; }
});
</script>`
}

// TestWhatElementsSayByInternals: role, name, value and states that a custom element gives by ElementInternals are those
// that it would have by attributes, in every format, and redacted likewise.
func TestWhatElementsSayByInternals(t *testing.T) {
	byAttributes := read(t, chrome.Open(t, chrometest.Page(t, spokenPage(`(el, internals, says) => {
		for (const k in says) el[k] = says[k]; }`))))
	tab := chrome.Open(t, chrometest.Page(t, spokenPage(`(el, internals, says) => Object.assign(internals, says)`)))
	got := read(t, tab)
	require.Empty(t, got.Failed)
	require.Zero(t, got.Moment.MutationsDuring)
	require.Len(t, got.Nodes, len(byAttributes.Nodes))
	facts := func(n snapshot.Node) string {
		return fmt.Sprint(n.Tag, n.Attr("id"), " ", n.Role, " ", n.Name, " ", n.Value, " ", n.States, n.Interactive, n.Verdict,
			n.Occlusion != nil)
	}
	told := 0
	for i, n := range got.Nodes {
		require.Equal(t, facts(byAttributes.Nodes[i]), facts(n))
		require.Equal(t, n.Tag == "x-w" && n.Attr("id") != "plain", n.Internals, n.Attr("id"))
		if n.Internals {
			told++
		}
	}
	require.Equal(t, 12, told)
	for _, name := range format.Plain() {
		want, err := format.Render(byAttributes, name, format.Options{})
		require.NoError(t, err)
		have, err := format.Render(got, name, format.Options{})
		require.NoError(t, err)
		if name != format.Full { // the page as it is written
			require.Equal(t, withoutURL(want.Text), withoutURL(have.Text), name)
		}
	}
	play, err := format.Render(got, format.Aria, format.Options{Aria: aria.Options{Playwright: true}})
	require.NoError(t, err)
	require.NotContains(t, play.Text, "radio", "Playwright sees no internals")

	// A state that changes without a mutation is told by the next reading.
	_, err = tab.Session().Eval(chrometest.Context(t), tab.ID(), "one.dispatchEvent(new Event('turn')); ''")
	require.NoError(t, err)
	require.Equal(t, true, byID(t, read(t, tab), "one").States["checked"])
}

// withoutURL is a text without what the address and the attributes of a page alone make different.
func withoutURL(text string) string {
	return regexp.MustCompile(`http://[^"\s<]+|nv_[0-9a-f]{8}`).ReplaceAllString(text, "")
}

// TestManyCustomElements: of elements that say nothing few are asked; of many that do, as many as is written down, and
// the capture says of how many it does not know.
func TestManyCustomElements(t *testing.T) {
	page := func(define string) string {
		return "<!doctype html>" + strings.Repeat("<p><x-w>word</x-w>", 1200) + "<script>" + define + "</script>"
	}
	silent := read(t, chrome.Open(t, chrometest.Page(t, page("customElements.define('x-w', class extends HTMLElement {})"))))
	require.Empty(t, silent.Failed)
	undefined := read(t, chrome.Open(t, chrometest.Page(t, page(""))))
	require.Empty(t, undefined.Failed)
	many := read(t, chrome.Open(t, chrometest.Page(t, page(`customElements.define('x-w', class extends HTMLElement {
	connectedCallback() { this.attachInternals().role = 'button'; } })`))))
	told := 0
	for i := range many.Nodes {
		if n := &many.Nodes[i]; n.Internals {
			require.Equal(t, "button", n.Role)
			told++
		} else {
			require.False(t, n.Tag == "x-w" && n.InViewport, "what is in view is asked first")
		}
	}
	require.Equal(t, 500, told)
	require.Len(t, many.Failed, 1)
	require.Contains(t, many.Failed[0].Why, "700 custom elements")
}

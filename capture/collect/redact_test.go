package collect_test

import (
	"encoding/json"
	"fmt"
	"html"
	"log/slog"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/redact/redacttest"
	"github.com/stretchr/testify/require"
)

// readWith captures with options, and releases.
func readWith(t testing.TB, url string, script string, o collect.Options) *collect.Result {
	t.Helper()
	ctx := chrometest.Context(t)
	tab := chrome.Open(t, url)
	if script != "" {
		_, err := tab.Session().Eval(ctx, tab.ID(), script+";''")
		require.NoError(t, err)
	}
	res, err := collect.Read(ctx, tab, o)
	require.NoError(t, err)
	t.Cleanup(func() { res.Release(ctx) })
	return res
}

func byID(t testing.TB, c *snapshot.Capture, id string) *snapshot.Node {
	t.Helper()
	i := slices.IndexFunc(c.Nodes, func(n snapshot.Node) bool { return n.Attrs["id"] == id })
	require.GreaterOrEqual(t, i, 0, id)
	return &c.Nodes[i]
}

// TestRulesAgreeInThePage runs the rules' table through the page's own code.
func TestRulesAgreeInThePage(t *testing.T) {
	var b strings.Builder
	b.WriteString(`<script id="cases" type="application/json">`)
	var texts []string
	for _, c := range redacttest.Cases() {
		texts = append(texts, c.In)
	}
	data, err := json.Marshal(texts)
	require.NoError(t, err)
	b.Write(data) // encoding/json escapes what could end the script
	b.WriteString(`</script><div id="list"></div><script>
		for (const text of JSON.parse(document.getElementById('cases').textContent)) {
			const p = document.createElement('pre'); p.textContent = text; p.dataset.text = text; document.getElementById('list').append(p);
		}</script>`)
	c := readWith(t, chrometest.Page(t, b.String()), "", collect.Options{}).Capture
	at := 0
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if n.Tag != "pre" {
			continue
		}
		want := redacttest.Cases()[at]
		at++
		require.Equal(t, want.Want, n.Attrs["data-text"], want.Name)
		require.Equal(t, want.Want, n.Text, want.Name)
		changed := want.In != want.Want
		require.Equal(t, changed, slices.Contains(n.Redacted, "text"), want.Name)
		require.Equal(t, changed, slices.Contains(n.Redacted, "attr:data-text"), want.Name)
	}
	require.Equal(t, len(redacttest.Cases()), at)
}

func TestNoSecretByteLeavesThePage(t *testing.T) {
	url := chrometest.Folder(t, "testdata") + "redact.html?token=SECRET-url-9&x=1#access_token=SECRET-hash"
	rules := collect.Rules{Redact: []string{".balance"}, Patterns: []string{`ACME-(\d{8})`}}
	res := readWith(t, url, `document.getElementById('show').click()`, collect.Options{Rules: rules})
	c := res.Capture
	data, err := json.Marshal(c)
	require.NoError(t, err)
	for _, secret := range []string{"SECRET", "SEC889", "4111 1111", "5500 0000", "12345678\"", "ACME-1234", "EUR"} {
		if at := strings.Index(string(data), secret); at >= 0 {
			t.Errorf("%s left the page: …%s…", secret, data[max(0, at-150):min(len(data), at+60)])
		}
	}
	for _, word := range []string{"Hello Ada", "560001-keep", "PROMO-keep", "PT-keep", "order 1234567890123456", "Order #4111111111111111", "+49 151 1234 5678 9012", "of ACME"} {
		require.Contains(t, string(data), word)
	}
	require.Equal(t, "Paid with card [redacted: card] on Monday, order 1234567890123456", byID(t, c, "paid").Text)
	require.Equal(t, []string{"text"}, byID(t, c, "paid").Redacted)
	require.Equal(t, "/cb?code=[redacted]&page=2", byID(t, c, "link").Attrs["href"])
	require.Contains(t, byID(t, c, "link").Redacted, "attr:href")
	require.Equal(t, "[redacted: password]", byID(t, c, "shown").Value, "it was a password field")
	require.Equal(t, "You typed [redacted] so far", byID(t, c, "echo").Text)
	require.Equal(t, "Customer ACME-[redacted] of ACME", byID(t, c, "acme").Text)
	require.Contains(t, byID(t, c, "account").Redacted, "element")
	require.Equal(t, "Balance [redacted]", byID(t, c, "wrap").Name)
	require.Contains(t, c.URL, "?token=[redacted]&x=1#access_token=[redacted]")
	require.Contains(t, c.Title, "[redacted: token]")
	digits := 0
	for i := range c.Nodes {
		if n := &c.Nodes[i]; n.Attrs["class"] == "digit" {
			require.Equal(t, "[redacted: one-time code]", n.Value)
			digits++
		}
	}
	require.Equal(t, 6, digits)

	sealed := res.Seal(chrometest.Context(t), []string{"typed SECRET-typed-6", "ACME-87654321", "?token=a", "calm"})
	require.Equal(t, []string{"typed [redacted]", "ACME-[redacted]", "?token=[redacted]", "calm"}, sealed)
}

// What a password field holds is found wherever the page writes it, in the middle of words too, and however that is
// spelled, whatever letters it is of; the same in Go and on the page.
func TestAPasswordIsFoundInEverySpelling(t *testing.T) {
	passwords := []string{`Core1"a<b&c\d`, `Core1 +ü/😀%Z`, "ПарольCore1", "Жираф Ёлка", "КоРаБлИк", "größer", "x\u00a0Core1;'"}
	kept := []string{"vereinbart", "корабль", "abcdef", "Password", "PassWord", "Пароль"} // words are no secrets of other places
	for _, p := range passwords {
		require.True(t, redact.LooksChosen(p), p)
	}
	for _, p := range kept {
		require.False(t, redact.LooksChosen(p), p)
	}
	list, err := json.Marshal([][]string{passwords, kept})
	require.NoError(t, err)
	const script = `const html = (s) => s.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;').replace(/'/g, '&#39;');
const ascii = (s) => JSON.stringify(s).replace(/[^ -~]|[<>&]/g, (c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));
const spellings = [(s) => s, JSON.stringify, ascii, html, encodeURIComponent, (s) => '' + new URLSearchParams({ s }),
  (s) => JSON.stringify(JSON.stringify({ s })), (s) => html(JSON.stringify(s)), (s) => JSON.stringify({ url: '/?s=' + encodeURIComponent(s) }),
  (s) => [...s].map((c) => '&#' + c.codePointAt(0) + ';').join(''), (s) => encodeURIComponent(JSON.stringify(s))];
for (const s of secrets) {
  const field = document.createElement('input');
  field.type = 'password'; field.value = typed ? '' : s; document.body.append(field);
  spellings.forEach((spell, k) => {
    for (const around of ['', 'pre']) {
      const p = document.createElement('p'), text = around + spell(s) + around;
      p.textContent = text; p.title = text; p.dataset.kind = k; document.body.append(p);
    }
  });
}
for (const tag of ['span', 'div']) {
  const line = document.createElement('div'); line.id = 'line'; document.body.append(line); // letters in elements of their own
  for (const part of ['of ', ...secrets[2].replace('Core', '\\0Core\\0').split('\\0'), ' and ', ...secrets[4]]) {
    line.append(Object.assign(document.createElement(tag), { className: 'letters', textContent: part }));
  }
}
for (const s of words) {
  const field = document.createElement('input');
  field.type = 'password'; field.value = typed ? '' : s; document.body.append(field);
  document.body.append(Object.assign(document.createElement('p'), { className: 'kept', textContent: 'un' + s + 'e' }));
}`
	typed := &redact.Known{} // and the field is empty again
	for _, p := range append(passwords, kept...) {
		typed.Type(p, "password")
	}
	for _, known := range []*redact.Known{nil, typed} {
		ctx := chrometest.Context(t)
		res := readWith(t, chrometest.Page(t, `<!doctype html><meta charset=utf-8><body><script>const [secrets, words] = `+
			string(list)+`, typed = `+strconv.FormatBool(known != nil)+`;`+script+`</script>`), "", collect.Options{Known: known})
		tried := 0
		for n := range marked(res.Capture, "data-kind") {
			tried++
			for _, text := range []string{n.Text, n.Attrs["title"]} {
				bare := strings.TrimSuffix(strings.TrimPrefix(text, "pre"), "pre")
				require.Contains(t, bare, "[redacted", "spelling %s: %s", n.Attrs["data-kind"], text)
				left := strings.ReplaceAll(strings.ReplaceAll(bare, "[redacted: password]", ""), "[redacted]", "")
				require.Regexp(t, `^[ -~]{0,16}$`, left, "spelling %s: %s", n.Attrs["data-kind"], text)
				require.NotContains(t, left, "Core", text)
			}
		}
		require.Equal(t, 2*11*len(passwords), tried)
		letters := ""
		for n, class := range marked(res.Capture, "class") {
			if class == "letters" {
				letters += n.Text
			}
		}
		plain := strings.NewReplacer("[redacted: password]", "[redacted]")
		require.Equal(t, strings.Repeat("of[redacted]and[redacted]", 2), plain.Replace(letters))
		line, err := res.Element(ctx, byID(t, res.Capture, "line").I)
		require.NoError(t, err)
		markup, _, err := res.Markup(ctx, line, true, 1e6)
		require.NoError(t, err)
		require.Equal(t, "of [redacted] and [redacted]", plain.Replace(regexp.MustCompile("<.*?>").ReplaceAllString(markup, "")))
		at := 0
		for n, class := range marked(res.Capture, "class") {
			if class == "kept" {
				require.Equal(t, "un"+kept[at]+"e", n.Text)
				at++
			}
		}
		require.Equal(t, len(kept), at)
	}
}

// What a style sheet writes is withheld with the place where it is drawn, beside the words of the element too.
func TestWithheldTextOfAStyleSheetHasItsPlace(t *testing.T) {
	c := readWith(t, chrometest.Page(t, `<!doctype html><style>body{margin:0}p{margin:0;width:300px;height:30px}
.after::after{content:attr(data-v)}.before::before{content:"Core1-secret "}.kept::after{content:" kept"}</style>
<input type=password value="Core1-secret"><p id=one class=after data-v="Core1-secret">You typed </p><p id=two class=before>was typed</p>
<p id=three class=before></p><p id=four class=kept>You typed Core1-secret,</p><p id=five class=kept>Nothing</p>`), "",
		collect.Options{}).Capture
	for id, whole := range map[string]bool{"one": true, "two": true, "three": true, "four": true, "five": false} {
		n := byID(t, c, id)
		require.NotContains(t, n.Text, "Core1")
		require.Equal(t, whole, slices.Contains(n.TextRects, n.Box), "%s: %v", id, n.TextRects)
	}
}

// What a field of one frame holds is withheld in the page around it and in other frames, whatever process they are of.
func TestWhatOneFrameWithholdsIsWithheldInAll(t *testing.T) {
	var self string
	self = chrometest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/field":
			fmt.Fprint(w, `<!doctype html><input type=password value="Core1 of-frame"><p>Core2-of-page</p>`)
		case "/echo":
			fmt.Fprint(w, `<!doctype html><p id=echo>Core1 of-frame, Core2-of-page</p><a href="/?v=Core1%20of-frame">go</a>`)
		default:
			other := strings.Replace(self, "127.0.0.1", "localhost", 1)
			fmt.Fprintf(w, `<!doctype html><title>Core1 of-frame</title><input type=password value="Core2-of-page">
<p id=said title="Core1 of-frame">You typed Core1 of-frame and Core2-of-page</p><button aria-label="Core1 of-frame">x</button>
<input value="Core1 of-frame"><iframe src="%[1]sfield"></iframe><iframe src="%[1]secho?v=Core2-of-page"></iframe>
<iframe src="%[2]secho?v=Core1+of-frame"></iframe><script>history.replaceState(0, '', '/?v=Core1+of-frame');
addEventListener('load', () => document.body.append(Object.assign(document.createElement('p'), { textContent: 'Core1 of-frame' })))</script>`,
				self, other)
		}
	}))
	c := readWith(t, self, "", collect.Options{}).Capture
	data, err := json.Marshal(c)
	require.NoError(t, err)
	require.NotContains(t, string(data), "Core1")
	require.NotContains(t, string(data), "Core2")
	require.Len(t, c.Frames, 4)
	said := byID(t, c, "said")
	require.Equal(t, "You typed [redacted] and [redacted]", said.Text)
	require.Subset(t, said.Redacted, []string{"text", "attr:title"})
}

func TestAllowedSecretsComeBesideTheCapture(t *testing.T) {
	url := chrometest.Page(t, `<input type=password id=pw value="SECRET-1"><input type=password class=mine value="SECRET-2"><input id=city value="Lisbon">`)
	res := readWith(t, url, "", collect.Options{AllowSecrets: true, Rules: collect.Rules{Redact: []string{".mine"}}})
	data, err := json.Marshal(res.Capture)
	require.NoError(t, err)
	require.NotContains(t, string(data), "SECRET")
	pw := byID(t, res.Capture, "pw")
	require.Contains(t, res.Secrets, pw.I)
	shown := res.Secrets.Reveal(res.Capture)
	require.Equal(t, "SECRET-1", shown.Node(pw.I).Value)
	require.NotContains(t, shown.Node(pw.I).Redacted, "value")
	require.Equal(t, "[redacted: password]", pw.Value, "the capture itself is as it was")

	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "secrets", res.Secrets)
	for _, s := range []string{fmt.Sprint(res.Secrets), fmt.Sprintf("%#v %+v %d", res.Secrets, res.Secrets, res.Secrets), log.String()} {
		require.NotContains(t, s, "SECRET")
	}
	_, err = json.Marshal(res.Secrets)
	require.ErrorContains(t, err, "never written")
	_, err = json.Marshal(struct{ S collect.Secrets }{res.Secrets})
	require.Error(t, err)
	require.Nil(t, readWith(t, url, "", collect.Options{}).Secrets)
}

func TestFiltersTakeOutSubtrees(t *testing.T) {
	url := chrometest.Page(t, `<nav class=global><a href=#>One</a></nav><main><h1>Title</h1><p data-ad>ad <a href=#>buy</a></p><p id=keep>kept</p></main><footer><p>foot</p></footer>`)
	for name, tt := range map[string]struct {
		rules        collect.Rules
		gone, stay   []string
		failed, says string
	}{
		"selectors":            {rules: collect.Rules{Drop: []string{"nav.global", "footer"}}, gone: []string{"nav", "footer"}, stay: []string{"h1", "main"}, says: "profile's filter nav.global"},
		"predicate":            {rules: collect.Rules{Filter: `!el.matches("nav, [data-ad]")`}, gone: []string{"nav"}, stay: []string{"h1", "footer"}, says: "filter expression"},
		"both":                 {rules: collect.Rules{Drop: []string{"footer"}, Filter: `el.localName !== 'nav'`}, gone: []string{"nav", "footer"}, stay: []string{"h1"}, says: "filter expression"},
		"one selector wrong":   {rules: collect.Rules{Drop: []string{"p[=x]", "nav"}}, gone: []string{"nav"}, stay: []string{"footer"}, failed: "not a valid CSS selector", says: "filter nav"},
		"predicate that fails": {rules: collect.Rules{Filter: `el.closest(5).x !== null || el.nope()`}, stay: []string{"nav", "footer"}, failed: "the filter failed on a"},
	} {
		t.Run(name, func(t *testing.T) {
			c := readWith(t, url, "", collect.Options{Rules: tt.rules}).Capture
			said := ""
			for i := range c.Nodes {
				n := &c.Nodes[i]
				if slices.Contains(tt.gone, n.Tag) {
					require.Equal(t, snapshot.VerdictFiltered, n.Verdict, n.Tag)
				}
				if slices.Contains(tt.stay, n.Tag) {
					require.NotEqual(t, snapshot.VerdictFiltered, n.Verdict, n.Tag)
				}
				if up := c.Node(n.Parent); up != nil && up.Verdict == snapshot.VerdictFiltered {
					require.Equal(t, snapshot.VerdictFiltered, n.Verdict, "a subtree goes with its root")
				}
				if n.Tag == "nav" {
					said = n.Evidence
				}
			}
			if tt.says != "" {
				require.Contains(t, said, tt.says)
			}
			if tt.failed == "" {
				require.Empty(t, c.Failed)
			} else {
				require.Len(t, c.Failed, 1)
				require.Contains(t, c.Failed[0].Why, tt.failed)
			}
		})
	}
}

func TestRulesThatCannotBeUsed(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<p>x`))
	for name, tt := range map[string]struct {
		rules collect.Rules
		want  string
	}{
		"a redaction's selector": {collect.Rules{Redact: []string{"p[=x]"}}, `redact selector "p[=x]" is not a valid CSS selector`},
		"a redaction's pattern":  {collect.Rules{Patterns: []string{"("}}, "missing closing"},
		"a filter's syntax":      {collect.Rules{Filter: "el.matches("}, "is not a JavaScript expression of el"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := collect.Read(chrometest.Context(t), tab, collect.Options{Rules: tt.rules})
			require.ErrorContains(t, err, tt.want)
		})
	}
}

// TestWithheldFrame: a selector on a frame element withholds the whole document in it.
func TestWithheldFrame(t *testing.T) {
	site := chrometest.Folder(t, "testdata")
	url := chrometest.Page(t, `<h1>x</h1><iframe class=f src="`+strings.Replace(site, "127.0.0.1", "localhost", 1)+`verdicts.html"></iframe>`)
	open := readWith(t, url, "", collect.Options{}).Capture
	shut := readWith(t, url, "", collect.Options{Rules: collect.Rules{Redact: []string{".f"}}}).Capture
	words := func(c *snapshot.Capture) (out []string) {
		for i := range c.Nodes {
			if n := &c.Nodes[i]; n.Frame > 0 {
				for _, s := range []string{n.Text, n.Name, n.Value, n.Attrs["href"], n.Attrs["title"], n.Attrs["alt"]} {
					if s != "" && !strings.Contains(s, "[redacted") {
						out = append(out, s)
					}
				}
			}
		}
		return out
	}
	require.NotEmpty(t, words(open))
	require.Empty(t, words(shut))
}

// TestDocumentInAnAttribute: srcdoc repeats a whole document, secrets and all.
func TestDocumentInAnAttribute(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, `<body><iframe srcdoc="<input type=password value='hunter2-Xk9'><p>One<br>two</p>"></iframe>`)))
	data, err := json.Marshal(c)
	require.NoError(t, err)
	require.NotContains(t, string(data), "hunter2-Xk9")
	require.Contains(t, string(data), "a document of 58 characters: see the frame")
	require.Contains(t, string(data), `"text":"One two"`, "a line break parts words")
}

// Fields that hold a secret and are no password fields: shown as dots, editable and named so, a
// list box for a PIN. Neither their text nor the choice leaves the page.
func TestMaskedFields(t *testing.T) {
	c := readWith(t, chrometest.Page(t, `<style>.dots{-webkit-text-security:disc}</style>
		<label>Key <input id=dots class=dots value="SECRET-dots-1"></label>
		<div id=edit contenteditable aria-label="Password">SECRET-<b>edit-2</b></div>
		<div id=box role=textbox aria-labelledby=l>SECRET-box-3</div><span id=l>One-time code</span>
		<span id=inline style="-webkit-text-security: disc">SECRET-span-4</span>
		<select id=pin name=pin><option>0000<option selected>SECRET4711</select>
		<div id=note contenteditable aria-label="Note">free text</div><select id=size name=size><option>S<option selected>M</select>
		<p id=echo>You typed SECRET-dots-1</p>`), "", collect.Options{}).Capture
	for id, why := range map[string]string{
		"dots": "password", "edit": "password", "box": "password", "inline": "password", "pin": "one-time code",
	} {
		n := byID(t, c, id)
		require.NotContains(t, n.Value+n.Text+n.Name, "SECRET", id)
		require.NotEmpty(t, n.Redacted, id)
		if id != "inline" && id != "edit" { // these have no value
			require.Equal(t, "[redacted: "+why+"]", n.Value, id)
		}
	}
	for i := range c.Nodes {
		if n := &c.Nodes[i]; n.Tag == "option" && c.Node(n.Parent).Attrs["id"] == "pin" {
			require.NotContains(t, n.States, "selected")
		}
	}
	require.Equal(t, "M", byID(t, c, "size").Value)
	require.Equal(t, "free text", byID(t, c, "note").Text)
	require.Equal(t, "You typed [redacted]", byID(t, c, "echo").Text)
}

// TestSplitSecret: a secret that was typed and that the page shows letter group by letter group is in no text of the
// capture.
func TestSplitSecret(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<div>It is <p>Zebr<b>a7Qu</b><i><u>il</u>t9</i>Moon</p> indeed</div>
		<script>onload = () => { for (const s of ['Zebra7', 'Quilt9', 'Moon']) document.body.append(Object.assign(document.createElement('i'), { textContent: s })) }</script>`))
	known := &redact.Known{}
	known.Type("Zebra7Quilt9Moon", "password")
	res, err := collect.Read(t.Context(), tab, collect.Options{Known: known})
	require.NoError(t, err)
	raw, err := json.Marshal(res.Capture)
	require.NoError(t, err)
	for _, piece := range []string{"Zebr", "a7Qu", "Quilt", "Moon"} {
		require.NotContains(t, string(raw), piece)
	}
	require.Contains(t, texts(res.Capture), "indeed")
}

// A code for one time is in no text and in no attribute of the capture, whether the page has a field for it or not. Other
// numbers stay.
func TestCodeBesideItsField(t *testing.T) {
	const shown = `<title>Verification code 771204</title><p>Your one-time code is 482913.</p>
		<p>Your verification code: <b>736152</b></p><img alt="Security code 9925"><p>Order 482 of 2024, call 5550199.</p>`
	raw := func(page string) string {
		c := readWith(t, chrometest.Page(t, page), "", collect.Options{}).Capture
		c.Timings, c.TakenAt = snapshot.Timings{}, time.Time{} // their digits are any
		b, err := json.Marshal(c)
		require.NoError(t, err)
		return string(b)
	}
	for _, field := range []string{`<label>Verification code <input name=v></label>`, `<label>Search <input name=q></label>`} {
		with := raw(shown + field)
		for _, code := range []string{"771204", "482913", "736152", "9925"} {
			require.NotContains(t, with, code)
		}
		require.Contains(t, with, "Your one-time code is [redacted: one-time code].")
		require.Contains(t, with, "Order 482 of 2024, call 5550199.")
	}
}

// TestNamesAgreeInThePage: the page withholds by a name what package redact would, in each of its places, and keeps what
// stands beside it.
func TestNamesAgreeInThePage(t *testing.T) {
	var b strings.Builder
	canaries, at := map[string]string{}, 0
	add := func(name, place, format string) {
		at++
		canary := fmt.Sprintf("Canary7f%03dX", at)
		if place != "plain" {
			canaries[canary] = name + " as " + place
		}
		fmt.Fprintf(&b, format, html.EscapeString(name), canary)
	}
	attribute := regexp.MustCompile(`^[a-zA-Z0-9_.-]+$`)
	for _, name := range redacttest.Names() {
		add(name, "text field", `<input name="%s" value="%s">`)
		add(name, "hidden field", `<input type=hidden name="%s" value="%s">`)
		add(name, "text area", `<textarea id="%s">%s</textarea>`)
		add(name, "meta tag", `<meta name="%s" content="%s">`)
		if attribute.MatchString(name) {
			add(name, "attribute", `<p data-%s="%s">x</p>`)
			add(name, "parameter", `<a href="/x?a=1&%s=%s&z=2">x</a>`)
			add(name, "parameter in srcset", `<img srcset="/x?%s=%s 2x">`)
			add(name, "storage", `<button onclick="localStorage.setItem('%s', '%s')">x</button>`)
			add(name, "text that is an address", `<p>see https://shop.example/x?%s=%s now</p>`)
		}
	}
	for _, name := range redacttest.QueryNames() {
		add(name, "parameter", `<a href="/x?a=1&%s=%s&z=2">x</a>`)
	}
	for _, label := range redacttest.Labels() {
		add(label, "label", `<label>%s <input value="%s"></label>`)
		add(label, "placeholder", `<input placeholder="%s" value="%s">`)
	}
	want := len(canaries)
	plain := 0
	for _, name := range redacttest.PlainNames() {
		add(name, "plain", `<input name="%s" value="%s">`)
		add(name, "plain", `<p data-%s="%s">x</p>`)
		add(name, "plain", `<a href="/x?a=1&%s=%s">x</a>`)
		plain += 3
	}
	res := readWith(t, chrometest.Page(t, b.String()), "", collect.Options{})
	data, err := json.Marshal(res.Capture)
	require.NoError(t, err)
	left := 0
	for _, canary := range slices.Sorted(maps.Keys(canaries)) {
		if strings.Contains(string(data), canary) {
			t.Errorf("%s left the page", canaries[canary])
			left++
		}
	}
	kept := map[string]bool{}
	for _, c := range regexp.MustCompile(`Canary7f\d+X`).FindAllString(string(data), -1) {
		kept[c] = true
	}
	t.Logf("%d canaries, %d left the page; %d of %d plain values stayed", want, left, len(kept)-left, plain)
	require.Greater(t, want, 600)
	require.Equal(t, plain, len(kept)-left)
}

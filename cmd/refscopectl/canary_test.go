package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// canaries are secrets that were never anywhere else, by what they are and where they are put.
type canaries struct {
	n    int
	made map[string]string // secret by its kind and place
}

// letters are n characters of an alphabet that no other canary has in this order.
func (c *canaries) letters(alphabet string, n int) string {
	c.n++
	seed := uint64(c.n) * 0x9E3779B97F4A7C15
	b := make([]byte, n)
	for i := range b {
		seed ^= seed << 13
		seed ^= seed >> 7
		seed ^= seed << 17
		b[i] = alphabet[seed%uint64(len(alphabet))]
	}
	return string(b)
}

// card is a card number that begins so, with its check digit.
func (c *canaries) card(begin string, digits int) string {
	for {
		d := begin + c.letters("0123456789", digits-len(begin)-1)
		sum := 0
		for i := range len(d) {
			v := int(d[len(d)-1-i] - '0')
			if i%2 == 0 {
				if v *= 2; v > 9 {
					v -= 9
				}
			}
			sum += v
		}
		d += string(rune('0' + (10-sum%10)%10))
		article := 0
		for i := range len(d) {
			article += int(d[i]-'0') * (1 + 2*(i%2))
		}
		if digits != 13 || article%10 != 0 {
			return d
		}
	}
}

// groups parts digits by fours.
func groups(d, by string) string {
	var parts []string
	for i := 0; i < len(d); i += 4 {
		parts = append(parts, d[i:min(i+4, len(d))])
	}
	return strings.Join(parts, by)
}

const (
	alnum = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	hexes = "0123456789abcdef"
	upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
)

// kinds are what is known to be secret by its looks: the text around it, %s for the secret, and
// the secret.
func (c *canaries) kinds() map[string][2]string {
	key := func(begin string, n int) [2]string { return [2]string{"%s", begin + "aZ9" + c.letters(alnum, n-3)} }
	return map[string][2]string{
		"JSON web token": {"%s", "eyJ" + c.letters(alnum, 20) + ".eyJ" + c.letters(alnum, 20) + "." + c.letters(alnum, 20)},
		"sk- key":        key("sk-proj-", 24), "Stripe": key("sk_live_", 24), "GitHub": key("ghp_", 36),
		"GitLab": key("glpat-", 20),
		"AWS":    {"%s", "AKIA" + c.letters(upper, 16)}, "Slack": key("xoxb-123456789012-", 24), "Google": key("AIza", 35),
		"npm":          key("npm_", 36),
		"bearer":       {"Authorization: Bearer %s", "mF9" + c.letters(alnum, 20)},
		"basic":        {"Authorization: Basic %s", c.letters(alnum, 20) + "="},
		"URL password": {"https://ada:%s@host.example/", "uP9" + c.letters(alnum, 12)},
		"access_token": {"/x?access_token=%s&y=1", c.letters(alnum, 16)},
		"pw":           {"/x?pw=%s&y=1", c.letters(alnum, 12)}, "api_key": {"/x?api_key=%s", c.letters(alnum, 16)},
		"api_key in text": {"api_key = %s.", "k9" + c.letters(alnum, 16)},
		"cc":              {"/x?cc=%s", groups(c.card("4", 16), "+")}, "card": {"Card %s", c.card("5555", 16)},
		"card in groups":    {"Card %s", groups(c.card("4111", 16), " ")},
		"card with hyphens": {"Card %s", groups(c.card("4222", 16), "-")},
		"card with dots":    {"Card %s.", groups(c.card("4333", 16), ".")},
		"Visa of 13":        {"Card %s", c.card("4", 13)}, "American Express": {"Card %s", c.card("37", 15)},
		"password in text": {"Your password is %s now", "pT9!" + c.letters(alnum, 10)},
		"Shopify":          {"%s", "shpat_" + c.letters(hexes, 32)},
		"SendGrid":         {"%s", "SG." + c.letters(alnum, 22) + "." + c.letters(alnum, 43)},
		"Twilio":           {"%s", "SK" + c.letters(hexes, 32)}, "Hugging Face": key("hf_", 34),
		"Telegram": {"%s", "123456789:AAaZ9" + c.letters(alnum, 30)},
		"Slack webhook": {"https://hooks.slack.com/services/%s",
			"T" + c.letters(upper, 8) + "/B" + c.letters(upper, 8) + "/" + c.letters(alnum, 24)},
	}
}

// put is a new secret of each kind for a place, in the text around it.
func (c *canaries) put(place string) []string {
	var out []string
	all := c.kinds()
	for _, kind := range slices.Sorted(maps.Keys(all)) {
		c.made[kind+", "+place] = all[kind][1]
		out = append(out, fmt.Sprintf(all[kind][0], all[kind][1]))
	}
	return out
}

// one is a new secret of no known looks.
func (c *canaries) one(place string) string {
	s := "Cq7-" + c.letters(alnum, 9)
	c.made[place] = s
	return s
}

// page has a secret of each kind in each place of a page.
func (c *canaries) page() string {
	var b strings.Builder
	b.WriteString(`<!doctype html><meta charset=utf-8><title>` + html.EscapeString(strings.Join(c.put("title"), " ")) +
		`</title>`)
	markups := map[string]string{
		"text": `<p>%s</p>`, "alt": `<img alt="%s" width=9 height=9>`, "title attribute": `<b title="%s">t</b>`,
		"data attribute": `<i data-x="%s">d</i>`,
		"link":           `<a href="%s">l</a>`, "label": `<button aria-label="%s">b</button>`,
		"placeholder": `<input placeholder="%s">`, "value": `<input value="%s">`,
		"option": `<select><option>%s</select>`, "heading": `<h2>%s</h2>`, "error": `<p class=error>%s</p>`,
		"meta":     `<meta name=description content="%s">`,
		"editable": `<div contenteditable>%s</div>`, "description": `<p role=alert>%s</p>`,
	}
	for _, place := range slices.Sorted(maps.Keys(markups)) {
		for _, s := range c.put(place) {
			fmt.Fprintf(&b, markups[place], html.EscapeString(s))
		}
	}
	fmt.Fprintf(&b, `<iframe srcdoc="%s"></iframe>`, html.EscapeString("<p>"+strings.Join(c.put("frame"), "</p><p>")+
		"</p>"))
	js := func(v any) string { s, _ := json.Marshal(v); return string(s) }
	// What only the site's profile withholds, and the page repeats wherever it can.
	told := []string{c.one("withheld by the profile, text"), c.one("withheld by the profile, value"), c.one("withheld by the profile, attribute"),
		"Zoë " + c.one("withheld by the profile, two words")}
	c.made["withheld by a pattern"] = "7" + c.letters("0123456789", 9)
	fmt.Fprintf(&b, `<p class=told>%s</p><input class=told aria-label=told value="%s"><a class=told href=# aria-label="%s">a</a><p class=told>%s</p>
		<p>Invoice ACME-%s</p><script>const told = %s;
		for (const s of told) { console.warn('told ' + s); fetch('/gone/?q=' + encodeURIComponent(s)).catch(() => 0); }
		setTimeout(() => { throw new Error('told ' + told.join(' ')); });</script>`, told[0], told[1], told[2], told[3], c.made["withheld by a pattern"],
		js(append(slices.Clone(told), "ACME-"+c.made["withheld by a pattern"])))
	fmt.Fprintf(&b, `<div id=host></div><style>.dots{-webkit-text-security:disc}</style>
		<label>Password <input type=password id=pw></label><label>Key <input id=dots class=dots></label>
		<label>Code <input id=otp autocomplete=one-time-code></label>
		<label>Security code <input id=cvc autocomplete=cc-csc></label><div id=edit contenteditable aria-label="Password">%s</div>
		<select name=pin><option selected>%s</select>
		<label>Old password <input type=password id=old value="%s"></label>
		<input type=hidden name=csrf_token value="%s"><p id=echo></p>
		<button id=say>Say</button><button id=ask>Ask</button><button id=fail>Fail</button><script>
		const shadow = %s, logs = %s, alerts = %s, prompts = %s, requests = %s;
		host.attachShadow({mode:'open'}).innerHTML = shadow.map((s) => '<p></p>').join('');
		host.shadowRoot.querySelectorAll('p').forEach((p, i) => { p.textContent = shadow[i]; });
		for (const s of logs) console.error(s);
		say.onclick = () => { for (const s of told) alert(s); for (const s of alerts) alert(s); for (const s of prompts) prompt('?', s); };
		ask.onclick = () => prompt('Is it ' + prompts.join(' ') + '?', prompts.join(' '));
		fail.onclick = () => {
			for (const s of requests) fetch('/gone/' + s).catch(() => 0);
			throw new Error(logs.join(' '));
		};
		for (const f of [pw, dots, otp, cvc]) f.oninput = f.onchange = () => {
			const v = f.value;
			if (v.length < 9) return;
			f.remove();
			document.title = 'Hi ' + v;
			echo.textContent += ' You are ' + v;
			console.log('got ' + v);
			history.replaceState(0, '', '?echo=' + v);
		};
		</script>`, c.one("in an editable"), c.one("in a list for a PIN"), c.one("in a password field"),
		c.one("in a hidden field"),
		js(c.put("shadow")), js(c.put("console")), js(c.put("alert")), js(c.put("prompt")), js(c.put("failed request")))
	return b.String()
}

// ofField reports whether a secret is what a field of the page holds: a password, or a card number
// in a field or list of any name.
func ofField(what string) bool {
	kind, place, _ := strings.Cut(what, ", ")
	card := kind == "cc" || kind == "American Express" || strings.HasPrefix(kind, "card") ||
		strings.HasPrefix(kind, "Visa")
	return what == "in a password field" || what == "in a list for a PIN" || card &&
		(place == "value" || place == "option")
}

// arguments notes the command lines of all processes, which other users of the machine can read; where the system does
// not list them in files there are none.
func arguments(note func(what, text string)) {
	names, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range names {
		if b, err := os.ReadFile(name); err == nil && len(b) > 0 {
			note(name, string(b))
		}
	}
}

// TestCanaries puts some 600 secrets into a page, types more into its fields, and asks for all of
// it through the doors for agents. None may be in an answer or in a file.
func TestCanaries(t *testing.T) {
	c := &canaries{made: map[string]string{}}
	markup := c.page()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if strings.HasPrefix(r.URL.Path, "/gone") {
			w.WriteHeader(http.StatusNotFound)
		}
		fmt.Fprint(w, markup)
	}))
	t.Cleanup(srv.Close)
	u := newUser(t)
	require.NoError(t, os.MkdirAll(filepath.Join(u.home, "profiles"), 0o700))
	rules := "---\nredact:\n  - selector: .told\n  - pattern: ACME-(\\d{10})\n---\n# the canaries' page\n"
	require.NoError(t, os.WriteFile(filepath.Join(u.home, "profiles", "127.0.0.1.md"), []byte(rules), 0o600))
	places := map[string][]byte{}
	note := func(what, text string) { places[fmt.Sprintf("%s (%d)", what, len(places))] = []byte(text) }
	page := srv.URL + "/?" + strings.TrimPrefix(strings.Join(slices.DeleteFunc(c.put("address"),
		func(s string) bool { return !strings.HasPrefix(s, "/x?") }), "&"), "/x?")
	page = strings.ReplaceAll(page, "/x?", "")
	pieces := func(s string) (out []string) {
		for _, r := range s {
			out = append(out, fmt.Sprintf(`{"press":%q}`, string(r)))
		}
		return out
	}
	pressed := c.one("pressed key by key")
	for _, steps := range []string{
		fmt.Sprintf(`{"steps":[{"openTab":%q},{"listTabs":true},{"chromeStatus":true},{"snapshot":true}]}`, page),
		fmt.Sprintf(`{"tab":"t1","steps":[{"fill":{"selector":"#pw","value":%q}},{"fill":{"selector":"#nothing","value":%q,`+
			`"timeout":100}}]}`, c.one("filled"), c.one("filled in vain")),
		`{"tab":"t1","steps":[{"inspect":true},{"getDom":true},{"snapshot":true},{"snapshotSearch":{"text":"You ` +
			`are"}},{"console":true},{"listTabs":true},{"formState":"form","optional":true},{"query":{"selector":"input",` +
			`"output":"value"}}]}`,
		`{"tab":"t1","stopOnError":false,"steps":[{"click":"#say"},{"click":"#fail"},{"click":{"selector":"#none",` +
			`"timeout":100}},{"wait":{"ms":100}}]}`,
		`{"tab":"t1","steps":[{"dialog":{"policy":"ask"}},{"click":"#ask"}]}`,
		`{"tab":"t1","steps":[{"dialog":{"accept":true}},{"dialog":{"policy":"dismiss"}}]}`,
		fmt.Sprintf(`{"tab":"t1","stopOnError":false,"steps":[{"click":"#dots"},%s,{"title":true,"optional":true}]}`,
			strings.Join(pieces(pressed), ",")),
		fmt.Sprintf(`{"tab":"t1","steps":[{"pipeline":[{"find":"#otp","fill":%q},{"return":"() => document.title + `+
			`echo.textContent"}]}]}`, c.one("filled in a pipeline")),
		`{"tab":"t1","steps":[{"pageFunction":"() => [told.join(), document.querySelector('.told').textContent, document.title, echo.textContent, location.href, ` +
			`document.querySelector('[name=pin]').value, edit.textContent, ` +
			`old.value]"},{"snapshot":true},{"listTabs":true},{"screenshot":true}]}`,
		fmt.Sprintf(`{"tab":"t1","steps":[{"fill":{"selector":"#cvc","value":{"no":%q}}}]}`, c.one("in a rejected step")),
		fmt.Sprintf(`{"tab":"t1","timeout":"%s","steps":[]}`, c.one("in a rejected command")),
		fmt.Sprintf(`{"tab":"t1","steps":[{"fill":{"selector":"#cvc","value":"%s"`, c.one("in a command that is no JSON")),
	} {
		_, out, errs := u.run("--debug", "--attach", u.address(), "run", steps)
		note("run "+steps[:min(60, len(steps))], out+errs)
	}
	arguments(note) // of the broker and the browser, while both run
	for _, flags := range [][]string{{}, {"--allow-secrets"}} {
		cmd := u.command(append([]string{"--debug", "--attach", u.address(), "mcp", "--session",
			fmt.Sprint("mcp", len(flags))}, flags...)...)
		var errs bytes.Buffer
		cmd.Stderr = &errs
		cs, err := sdk.NewClient(&sdk.Implementation{Name: "canary", Version: "1"}, nil).Connect(t.Context(),
			&sdk.CommandTransport{Command: cmd}, nil)
		require.NoError(t, err)
		call := func(tool string, args map[string]any) {
			t.Helper()
			res, err := cs.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
			require.NoError(t, err)
			b, err := json.Marshal(res)
			require.NoError(t, err)
			note("mcp "+fmt.Sprint(flags)+tool, string(b))
		}
		call("browse_navigate", map[string]any{"url": page, "snapshot": true})
		call("run_steps", map[string]any{"steps": []any{map[string]any{"fill": map[string]any{"selector": "#pw",
			"value": c.one("filled by MCP" + fmt.Sprint(flags))}}}})
		call("run_steps",
			map[string]any{"steps": []any{map[string]any{"pageFunction": "() => document.title + echo.textContent + " +
				"location.href"}, map[string]any{"console": true}}})
		call("run_steps", map[string]any{"steps": "x" + c.one("rejected by MCP"+fmt.Sprint(flags))})
		call("browse_tabs", map[string]any{"action": "list"})
		call("run_steps", map[string]any{"steps": []any{map[string]any{"click": "#say"}, map[string]any{"click": "#fail"}}})
		call("browse_snapshot", map[string]any{})
		arguments(note)
		require.NoError(t, cs.Close())
		note("mcp's log", errs.String())
	}
	answers := []string{
		`{"action":"setValue(REF, \"` + c.one("typed by task") + `\")","thought":"x"}`,
		`{"action":"setValue(1, \"` + c.one("with an unknown status") + `\")","status":"dancing"}`,
		`{"action":"setValue(999, \"` + c.one("for a field that is not there") + `\")"}`,
		`{"status":"completed","thought":"done"}`,
	}
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var b bytes.Buffer
		_, _ = b.ReadFrom(r.Body)
		note("task's request", b.String())
		ref := regexp.MustCompile(`(?:\bid=|\bi\W+:)\W*(\d+)\W[^<{]*?Old password`).FindStringSubmatch(b.String())
		if !assert.NotNil(t, ref, "the request has the password field: %q",
			regexp.MustCompile(`.{0,200}Old password`).FindString(b.String())) {
			ref = []string{"", "1"}
		}
		fmt.Fprint(w, strings.Replace(answers[0], "REF", ref[1], 1))
		answers = answers[min(1, len(answers)-1):]
	}))
	t.Cleanup(endpoint.Close)
	_, out, errs := u.run("--debug", "task", "--session", "task", "--endpoint", endpoint.URL, "--query", "log in",
		srv.URL+"/")
	note("task", out+errs)
	_, out, errs = u.run("--debug", "turn", "--session", "turn", page)
	note("turn", out+errs)

	for _, dir := range []string{u.home, u.dir, envOf(u.env, "TMPDIR")} {
		require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() || strings.Contains(path, string(filepath.Separator)+"chrome") {
				return nil // gone meanwhile, a socket, or the browser's own
			}
			if b, err := os.ReadFile(path); err == nil {
				places[path] = b
			}
			return nil
		}))
	}
	unpackParts(t, places)
	require.Greater(t, len(places), 40, "there is something to look into")
	found := map[string][]string{}
	for where, data := range places {
		for what, secret := range c.made {
			if strings.Contains(where, "[--allow-secrets]") && ofField(what) {
				continue // it is what the flag is for
			}
			if bytes.Contains(data, []byte(secret)) {
				found[what] = append(found[what], where)
			}
		}
	}
	t.Logf("%d canaries, %d places, %d bytes", len(c.made), len(places), func() (n int) {
		for _, b := range places {
			n += len(b)
		}
		return n
	}())
	for _, what := range slices.Sorted(maps.Keys(found)) {
		slices.Sort(found[what])
		t.Errorf("%s (%s) is in %d places: %.300s", what, c.made[what], len(found[what]), strings.Join(found[what], "; "))
	}
}

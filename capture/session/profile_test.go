package session_test

import (
	"bytes"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/stretchr/testify/require"
)

const secretPage = `<!doctype html><title>Pay ?token=SECRET-title</title><body style="margin:20px;font:16px monospace">
	<h1>Checkout</h1><p>Paid with 5500 0000 0000 0004 today</p><p>Your key: sk-SECRETabc123SECRETabc123</p>
	<p>Password <input type=password id=pw value="SECRET-pass-1"> <button id=b type=button>Show</button></p>
	<p class=balance style="width:300px;background:#def">Balance 1,234 SECRETS</p>
	<nav class=ads><a href="#">Buy now</a></nav>
	<script>
		b.onclick = () => { pw.type = 'text'; console.log('now it is SECRET-pass-1', 'Bearer SECRET1234567890abcdef'); }
		b.click(); setTimeout(() => { const m = document.createElement('main'); m.id = 'late'; m.textContent = 'late'; document.body.append(m) }, 1200)
	</script>`

func TestProfileAndSecretsOfATurn(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, secretPage))
	dir := t.TempDir()
	store, err := turn.OpenOrCreate(chrometest.Context(t), turn.Dir(dir), "test")
	require.NoError(t, err)
	file := &profiles.File{Domain: "127.0.0.1", Text: "---\nfilter:\n  - .ads\n  - p[=x]\nredact:\n  - selector: .balance\nwait:\n  for: '#late'\n---\n"}
	shot := take(t, tab, session.Options{Store: store, Profile: file, AllowSecrets: true, Settle: session.Settle{Max: 5 * time.Second}})
	c := shot.Capture
	require.Len(t, shot.Secrets, 1)
	require.True(t, c.SecretsAllowed)
	require.True(t, c.Settled)
	data, err := json.Marshal(c)
	require.NoError(t, err)
	require.NotContains(t, string(data), "SECRET")
	require.NotContains(t, string(data), "5500 0000")
	require.Contains(t, string(data), "late", "the element was waited for")
	require.NotEmpty(t, c.Console)
	require.Len(t, c.Failed, 1)
	require.Contains(t, c.Failed[0].Why, `"p[=x]": not a valid CSS selector`)
	require.Positive(t, c.Verdicts[snapshot.VerdictFiltered])
	_, err = json.Marshal(shot)
	require.NoError(t, err, "a shot is written without its secrets")
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		require.False(t, bytes.Contains(raw, []byte("SECRET")), path)
		return err
	}))
	rec, err := store.Load(chrometest.Context(t), shot.N)
	require.NoError(t, err)
	require.Equal(t, &turn.Profile{Name: "127.0.0.1", Bytes: []byte(file.Text)}, rec.Profile, "the turn keeps what applied")
	img, err := shot.Image()
	require.NoError(t, err)
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if n.Attrs["class"] != "balance" {
			continue
		}
		corner := img.RGBAAt(int(n.Box.X())+1, int(n.Box.Y())+1)
		require.NotEqual(t, uint8(0xff), corner.B, "the withheld element is filled")
		require.Equal(t, corner, img.RGBAAt(int(n.Box.Right())-2, int(n.Box.Bottom())-2), "from corner to corner")
	}
	if out := os.Getenv("REFSCOPE_LOOK"); out != "" {
		require.NoError(t, os.WriteFile(out, shot.Picture, 0o600))
	}
}

func TestAnElementThatDoesNotCome(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<p>x`))
	shot := take(t, tab, session.Options{NoPicture: true, Profile: &profiles.File{Domain: "x", Text: "---\nwait:\n  max: 700ms\n  for: .never\n---\n"}})
	require.False(t, shot.Capture.Settled)
	require.Len(t, shot.Capture.Failed, 1)
	require.Contains(t, shot.Capture.Failed[0].Why, `".never" that the profile waits for did not come within 700ms`)
	shot = take(t, tab, session.Options{NoPicture: true, Profile: &profiles.File{Domain: "x", Text: "---\nfilter:\n  .ads\nredact:\n- selector: .a\n---\n"}})
	require.Contains(t, shot.Capture.Failed[0].Why, "profile x, line 3: a filter is a CSS selector")
}

func TestABrokenRedactionStopsTheTurn(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<p>x`))
	for _, text := range []string{"---\nredact:\n  - selector: p[=x]\n---\n", "---\nredact:\n  - pattern: '('\n---\n"} {
		_, err := session.Take(chrometest.Context(t), tab, session.Options{Profile: &profiles.File{Domain: "x", Text: text}})
		require.Error(t, err)
	}
}

// What a profile withholds on a page is withheld beside its elements too: in the console and in the addresses of
// requests, however they are spelled, and on the pages after it in the session; until the profile is changed.
func TestWhatAProfileWithholdsIsNowhereElse(t *testing.T) {
	const order, owner, note = "AB-12345-ZZ", "Jürgen Ødegård", "blue & heron 9"
	page := chrometest.Page(t, `<!doctype html><meta charset=utf-8><title>Orders</title><p id=order>`+order+`</p><p class=who>`+owner+`</p>
<input id=note value="`+strings.ReplaceAll(note, "&", "&amp;")+`"><p>Invoice ACME-55443322</p><script>
const said = [document.getElementById('order').textContent, document.querySelector('.who').textContent, document.getElementById('note').value, 'ACME-55443322'];
for (const s of said) { console.log('it is ' + s, encodeURIComponent(s)); for (const q of [encodeURIComponent(s), encodeURI(s), new URLSearchParams({q: s})]) fetch('/x?' + q).catch(() => 0); }
</script>`)
	tab := chrome.Open(t, page)
	profile := func(rules string) *profiles.File {
		return &profiles.File{Domain: "127.0.0.1", Text: "---\nredact:\n" + rules + "---\n"}
	}
	all := profile("  - selector: '#order'\n  - selector: .who\n  - selector: '#note'\n  - pattern: ACME-(\\d{8})\n")
	o := session.Options{Profile: all}
	o.Collect.Known = &redact.Known{}
	spelled := func(c *snapshot.Capture) string {
		data, err := json.Marshal(c)
		require.NoError(t, err)
		var out []string
		for _, s := range []string{order, owner, note, "55443322"} {
			for _, as := range []string{s, url.QueryEscape(s), url.PathEscape(s), strings.ReplaceAll(s, "&", `\u0026`), strings.ReplaceAll(s, " ", "%20")} {
				if strings.Contains(string(data), as) {
					out = append(out, as)
				}
			}
		}
		return strings.Join(out, ", ")
	}
	c := take(t, tab, o).Capture
	require.NotEmpty(t, c.Console)
	require.Greater(t, len(c.Network.Requests), 10)
	require.Empty(t, spelled(c))
	require.NoError(t, tab.Navigate(chrometest.Context(t), chrometest.Page(t, `<meta charset=utf-8><title>`+order+`</title><h1>Thanks, `+owner+
		`</h1><p>55443322</p><p title="`+strings.ReplaceAll(note, "&", "&amp;")+`">bye</p>`)))
	require.Empty(t, spelled(take(t, tab, o).Capture))
	o.Profile = profile("  - selector: .none\n")
	require.Contains(t, spelled(take(t, tab, o).Capture), order, "other rules of the site")
}

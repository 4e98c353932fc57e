package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"image"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/refscope/refscope/overlay/codec"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/payload"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/stretchr/testify/require"
)

// planted are secrets by where the page has them. None may be in anything that Refscope
// writes: session, session file, report, payload, picture, log (N-10).
var planted = map[string]string{
	"a password field":               "Tr0ub4dor-and-3x",
	"a password that the page shows": "Kx9-shown-as-text",
	"a one-time code":                "QXR7PLM93Z",
	"a card field":                   "5555555555554444",
	"a card in text":                 "4111 1111 1111 1111",
	"a card in the title":            "378282246310005",
	"a key in an attribute":          "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc",
	"a token in text":                "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a",
	"a token in the address":         "addr-f3kd92jf02mq",
	"a token in a link":              "link-8vj2kq0dm3xx",
	"a token in the console":         "mF9B5f41JqM0123zzTop",
	"a password in the console":      "Tr0ub4dor-and-3x",
	"a token in a dialog":            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
	"a cookie":                       "cookie-only-5b1d77aa",
	"a password in a frame":          "framed-pw-77-xyz",
	"what the profile withholds":     "ACME-90210777",
}

// secretPage has them all.
func secretPage(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, &http.Cookie{Name: "sid", Value: planted["a cookie"]})
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><title>Pay %s</title>
<style>input{font:20px monospace;width:300px;height:30px;color:#000;background:#fff}</style>
<h1>Checkout</h1><form><label>Password <input id=pw type=password value="%s"></label><br>
<label>Shown <input id=shown type=text autocomplete=current-password value="%s"></label><br>
<label>Code <input id=otp autocomplete=one-time-code value="%s"></label><br>
<label>Card number <input id=card autocomplete=cc-number value="%s"></label><button data-key="%s">Pay</button></form>
<p>Your password is %s. Paid with %s.</p><p>Token: %s</p><p>Customer %s</p><a href="/reset?token=%s">Reset</a>
<iframe srcdoc='<input type=password value="%s"><p>in a frame</p>'></iframe>
<script>console.error('Authorization: Bearer %s'); console.warn('typed %s');
setTimeout(() => alert('token %s'), 50)</script>`,
		planted["a card in the title"], planted["a password field"], planted["a password that the page shows"],
		planted["a one-time code"], planted["a card field"],
		planted["a key in an attribute"], planted["a password that the page shows"], planted["a card in text"],
		planted["a token in text"], planted["what the profile withholds"],
		planted["a token in a link"], planted["a password in a frame"], planted["a token in the console"],
		planted["a password in the console"], planted["a token in a dialog"])
}

// TestNoSecretGetsAnywhere takes turns of a page full of secrets, makes everything of
// them that there is to make, and looks into every byte.
func TestNoSecretGetsAnywhere(t *testing.T) {
	needChrome(t)
	home, work := t.TempDir(), t.TempDir()
	t.Setenv("REFSCOPE_HOME", home)
	srv := httptest.NewServer(http.HandlerFunc(secretPage))
	t.Cleanup(srv.Close)
	target := srv.URL + "/pay?access_token=" + planted["a token in the address"]
	domain, err := profiles.Domain(target)
	require.NoError(t, err)
	store := profiles.Home(home)
	_, err = store.Save(context.Background(), domain, "---\nredact:\n  - pattern: ACME-\\d{8}\n---\n# it\n", "")
	require.NoError(t, err)

	said := map[string][]byte{}
	do := func(args ...string) string {
		t.Helper()
		code, out, errs := ctl(t, append([]string{"--debug"}, args...)...)
		require.Equal(t, 0, code, "%v: %s", args, errs)
		said["output of "+strings.Join(args, " ")[:min(40, len(strings.Join(args, " ")))]+
			fmt.Sprint(len(said))] = []byte(out + errs)
		return out
	}
	do("turn", "--session", "s", target, "--debug-surface")
	do("turn", "--session", "s", target)
	do("snap", "--session", "s", target)
	for _, f := range format.Plain() {
		do("snap", "s#1", "--format", string(f))
		do("snap", "s#1", "--format", string(f), "--compat")
	}
	do("snap", "s#1", "--format", "capture", "--all")
	for _, d := range payload.Dialects() {
		if slices.Contains(payload.Takes(d), "query") {
			do("payload", "s#1", "--dialect", d, "--query", "pay")
		} else {
			do("payload", "s#1", "--dialect", d)
		}
	}
	do("payload", "s#1", "--dialect", "agent-interact", "--mode", "full")
	do("diff", "s#1", "s#2")
	do("mark", "s#1", "-o", filepath.Join(work, "m.png"), "--manifest", filepath.Join(work, "m.json"), "--legend",
		filepath.Join(work, "m.txt"), "--clean", filepath.Join(work, "c.png"))
	do("session", "show", "s")
	do("session", "check", "s")
	do("session", "export", "s", "-o", filepath.Join(work, "s.refscope"))
	do("session", "report", "s", "-o", filepath.Join(work, "s.html"))
	do("session", "import", filepath.Join(work, "s.refscope"), "--session", "copy")

	places := said
	readBelow(t, places, home, work)
	unpack(t, places)
	var shown image.Image
	for n := 1; n <= 3; n++ { // what reading makes of the parts, whatever they are stored as
		s, err := turn.Open(turn.Dir(turn.SessionDir(home, "s")))
		require.NoError(t, err)
		rec, err := s.Load(context.Background(), n)
		require.NoError(t, err)
		places[fmt.Sprint("turn ", n)], err = json.Marshal(rec)
		require.NoError(t, err)
		for i, p := range rec.Payloads {
			places[fmt.Sprint("turn ", n, " payload ", i)] = p.Bytes
		}
		if n == 1 {
			shown, err = codec.DecodePNG(rec.Picture)
			require.NoError(t, err)
			for _, id := range []string{"pw", "shown", "otp", "card"} {
				for i := range rec.Capture.Nodes {
					if k := &rec.Capture.Nodes[i]; k.Attrs["id"] == id {
						b := k.Box
						flat(t, id, shown, image.Rect(int(b.X())+3, int(b.Y())+3, int(b.Right())-3, int(b.Bottom())-3))
					}
				}
			}
		}
	}
	require.NotNil(t, shown)
	// The places are not empty: what was there says that it was withheld.
	for _, mark := range []string{"Authorization: Bearer [redacted", "typed [redacted", "token [redacted",
		"Paid with [redacted: card]", "Customer [redacted]", "Pay [redacted: card]", "access_token=[redacted]"} {
		require.Contains(t, string(places["turn 2"]), mark)
	}
	require.Greater(t, len(places), 60, "there is something to look into")
	for where, data := range places {
		for what, secret := range planted {
			for _, form := range spellings(secret) {
				if i := bytes.Index(data, []byte(form)); i >= 0 {
					t.Errorf("%s is in %s: …%q…", what, where, data[max(0, i-40):min(len(data), i+len(form)+10)])
				}
			}
		}
	}
}

// spellings are the ways in which a text can be in a file.
func spellings(s string) []string {
	out := []string{s, url.QueryEscape(s), url.PathEscape(s), html.EscapeString(s), strings.ReplaceAll(s, " ", "")}
	if len(s) >= 10 { // base64, at each of the three places in a group of bytes
		for pad := range 3 {
			e := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", pad) + s))
			out = append(out, e[4:len(e)-4])
		}
	}
	var wide strings.Builder
	for _, r := range s {
		wide.WriteString(string(r) + "\x00")
	}
	return append(out, wide.String())
}

// readBelow puts what the files below folders hold into places.
func readBelow(t *testing.T, places map[string][]byte, dirs ...string) {
	t.Helper()
	for _, dir := range dirs {
		require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			places[path], err = os.ReadFile(path)
			return err
		}))
	}
}

// unpack adds the content of zip files and of Zstandard parts.
func unpack(t *testing.T, places map[string][]byte) {
	t.Helper()
	found := map[string][]byte{}
	for name, data := range places {
		if z, err := zip.NewReader(bytes.NewReader(data), int64(len(data))); err == nil {
			for _, f := range z.File {
				r, err := f.Open()
				require.NoError(t, err)
				var b bytes.Buffer
				_, err = b.ReadFrom(r)
				require.NoError(t, err)
				require.NoError(t, r.Close())
				found[name+"!"+f.Name] = b.Bytes()
			}
		}
	}
	require.NotEmpty(t, found)
	maps.Copy(places, found)
	unpackParts(t, places)
}

// unpackParts adds the content of Zstandard parts.
func unpackParts(t *testing.T, places map[string][]byte) {
	t.Helper()
	dec, err := zstd.NewReader(nil)
	require.NoError(t, err)
	defer dec.Close()
	found := map[string][]byte{}
	for name, data := range places {
		if plain, err := dec.DecodeAll(data, nil); err == nil && len(plain) > 0 {
			found[name+"!zstd"] = plain
		}
	}
	require.NotEmpty(t, found)
	maps.Copy(places, found)
}

// flat fails where a part of the picture has the strokes of a text: a filled box has one
// colour, and its label another.
func flat(t *testing.T, what string, img image.Image, r image.Rectangle) {
	t.Helper()
	colours := map[[3]uint32]int{}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			cr, cg, cb, _ := img.At(x, y).RGBA()
			colours[[3]uint32{cr, cg, cb}]++
		}
	}
	most := 0
	for _, n := range colours {
		most = max(most, n)
	}
	require.Greater(t, most*100, 60*r.Dx()*r.Dy(), "%s is one colour but for the word on it", what)
	require.Less(t, colours[[3]uint32{0xffff, 0xffff, 0xffff}]*100, 30*r.Dx()*r.Dy(),
		"%s is covered: its white ground is gone", what)
}

package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/redact/redacttest"
)

// namedPlaces are the places of a page that give a value a name: %[1]s is the name in HTML, %[2]s the value, %[3]s the
// name in an address and %[4]s in a script.
var namedPlaces = map[string]string{
	"text field":       `<input name="%[1]s" value="%[2]s">`,
	"nested name":      `<input name="user[%[1]s]" value="%[2]s">`,
	"hidden field":     `<input type=hidden name="%[1]s" value="%[2]s">`,
	"text area":        `<textarea name="%[1]s">%[2]s</textarea>`,
	"radio button":     `<input type=radio name="%[1]s" value="%[2]s">`,
	"option":           `<select name="%[1]s"><option>One<option>%[2]s</select>`,
	"label":            `<label>%[1]s <input value="%[2]s"></label>`,
	"placeholder":      `<input placeholder="%[1]s" value="%[2]s">`,
	"editable":         `<div contenteditable aria-label="%[1]s">%[2]s</div>`,
	"meta":             `<meta property="%[1]s" content="%[2]s">`,
	"link":             `<a href="/go?a=1&amp;%[3]s=%[2]s&amp;z=2">l</a>`,
	"fragment":         `<a href="/go#a=1&amp;%[3]s=%[2]s">l</a>`,
	"picture":          `<img alt=i width=5 height=5 srcset="/i?%[3]s=%[2]s 2x" src="/i?%[3]s=%[2]s">`,
	"form's address":   `<button formaction="/send?%[3]s=%[2]s">s</button>`,
	"address in text":  `<p>https://shop.example/x?%[3]s=%[2]s</p>`,
	"JSON":             `<i data-config="{&quot;%[1]s&quot;:&quot;%[2]s&quot;,&quot;a&quot;:1}">j</i>`,
	"handler":          `<button onclick="login({'%[1]s': '%[2]s'})">b</button>`,
	"line of the log":  `<script>console.log(%[4]s + '=%[2]s')</script>`,
	"JSON in the log":  `<script>console.warn(JSON.stringify({a: 1, [%[4]s]: '%[2]s'}))</script>`,
	"error":            `<script>setTimeout(() => { throw new Error(%[4]s + ': %[2]s'); })</script>`,
	"failed request":   `<script>fetch('/gone?%[3]s=%[2]s').catch(() => 0)</script>`,
	"name of the data": `<i data-%[1]s="%[2]s">d</i>`,
}

// TestNoSecretByAnyName puts a value by each name of the table into each place that a page has for one, and looks for
// it in everything that is made of the page.
func TestNoSecretByAnyName(t *testing.T) {
	needChrome(t)
	home, work := t.TempDir(), t.TempDir()
	t.Setenv("REFSCOPE_HOME", home)
	var names []string // in the spellings that every place can have
	for _, name := range redacttest.Names() {
		if !strings.ContainsFunc(name, func(r rune) bool { return r > 127 || strings.ContainsRune("$[ .", r) }) {
			names = append(names, name)
		}
	}
	c := &canaries{made: map[string]string{}}
	var b strings.Builder
	b.WriteString("<!doctype html><meta charset=utf-8><title>Names</title><h1>Names</h1>")
	for _, place := range slices.Sorted(maps.Keys(namedPlaces)) {
		for _, name := range names {
			secret := "Zq" + c.letters("23456789", 3) + c.letters(alnum, 9)
			c.made[place+", "+name] = secret
			quoted, err := json.Marshal(name)
			require.NoError(t, err)
			fmt.Fprintf(&b, namedPlaces[place]+"\n", name, secret, url.QueryEscape(name), quoted)
		}
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path != "/" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		fmt.Fprint(w, b.String())
	}))
	t.Cleanup(srv.Close)
	places := map[string][]byte{}
	do := func(args ...string) {
		t.Helper()
		code, out, errs := ctl(t, append([]string{"--debug"}, args...)...)
		require.Zero(t, code, "%v: %.1000s", args, errs)
		places[strings.Join(args, " ")] = []byte(out + errs)
	}
	file := func(name string) string { return filepath.Join(work, name) }
	do("turn", "--session", "names", "--timeout", "2m", srv.URL+"/")
	for _, f := range format.Plain() {
		do("snap", "names#1", "--format", string(f), "--max-chars", "-1")
	}
	do("snap", "names#1", "--format", "capture", "--all")
	do("payload", "names#1", "--dialect", "openai-chat")
	do("network", "names#1")
	do("session", "show", "names")
	do("session", "report", "names", "-o", file("r.html"), "--formats", "full,aria")
	do("session", "export", "names", "-o", file("s.refscope"))
	do("session", "export", "names", "--as", "har", "-o", file("s.har"))
	do("audit", "names#1", "--sarif", "-o", file("a.sarif"))
	do("dataset", "build", "names", "-o", file("set"), "--as", "screenspot-pro")
	readBelow(t, places, home, work)
	unpack(t, places)
	require.Contains(t, string(places["snap names#1 --format full --max-chars -1"]), "[redacted: ")
	of := map[string]string{}
	for what, secret := range c.made {
		of[secret] = what
	}
	leaks := map[string]string{}
	for where, data := range places {
		for _, word := range canaryWord.FindAll(data, -1) {
			if what, ok := of[string(word)]; ok {
				leaks[what] = where
			}
		}
	}
	t.Logf("%d values by %d names in %d places of a page, looked for in %d files and answers", len(c.made), len(names),
		len(namedPlaces), len(places))
	for _, what := range slices.Sorted(maps.Keys(leaks)) {
		t.Errorf("%s (%s) is in %s", what, c.made[what], leaks[what])
	}
}

var canaryWord = regexp.MustCompile(`Zq[2-9]{3}[A-Za-z0-9]{9}`)

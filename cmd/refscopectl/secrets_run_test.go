package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNoSecretGetsAnywhereByRunning acts on a page full of secrets, types more of them,
// asks for them in every way that a step has, and looks into every byte of the answers,
// the session, the files, the debug logs and the metrics. What the agent itself writes
// into a command is not in the answer, and what the page holds is withheld from it.
func TestNoSecretGetsAnywhereByRunning(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(secretPage))
	t.Cleanup(srv.Close)
	u := newUser(t)
	metrics := filepath.Join(u.dir, "metrics.jsonl")
	u.env = append(u.env, "CDP_METRICS_FILE="+metrics)
	typed := map[string]string{"a password that was typed": "typed-pw-9ab2c-long", "a code that was typed": "ZQ81XYPLM",
		"what was to be typed nowhere": "nowhere-pw-77xq"}

	said := map[string][]byte{}
	do := func(want int, steps string) string {
		t.Helper()
		code, out, errs := u.run("--debug", "--attach", u.address(), "run", steps)
		require.Equal(t, want, code, "%s\n%s\n%s", steps, out, errs)
		said[fmt.Sprintf("answer %d", len(said))] = []byte(out + errs)
		return out
	}
	do(0, `{"steps":[{"openTab":"`+srv.URL+`/pay"}]}`)
	do(0, `{"tab":"t1","steps":[{"fill":{"selector":"#pw","value":"`+typed["a password that was typed"]+
		`"}},{"type":{"selector":"#otp","text":"`+typed["a code that was typed"]+`"}},{"snapshot":true}]}`)
	do(1, `{"tab":"t1","steps":[{"fill":{"selector":"#nowhere","value":"`+typed["what was to be typed nowhere"]+
		`","timeout":200}}]}`)
	out := do(0, `{"tab":"t1","steps":[{"pageFunction":"() => [...document.querySelectorAll('input')].map((i) => i.value)"},
		{"getDom":true},{"formState":"form"},
		{"query":{"selector":"input","output":"value"}},{"cookies":{"get":true}},{"console":true},
		{"inspect":true},{"elementsAt":{"x":200,"y":150}},{"snapshotSearch":{"text":"paid"}},
		{"hover":{"selector":"h1","observe":"() => document.querySelector('#pw').value"}},
		{"poll":"() => document.querySelector('#pw').value"}]}`)
	require.Contains(t, out, "[redacted", "what was withheld leaves a mark")
	do(0, `{"tab":"t1","steps":[{"screenshot":"all.png"},{"reload":true}]}`)

	places := said
	for _, dir := range []string{u.home, u.dir, filepath.Join(envOf(u.env, "TMPDIR"))} {
		require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return nil // gone meanwhile, or a socket
			}
			if strings.Contains(path, string(filepath.Separator)+"chrome"+string(filepath.Separator)) {
				return nil // the browser's own profile is the browser's
			}
			if b, err := os.ReadFile(path); err == nil {
				places[path] = b
			}
			return nil
		}))
	}
	require.Contains(t, places, metrics)
	unpackParts(t, places)
	require.Greater(t, len(places), 20, "there is something to look into")
	for where, data := range places {
		for _, secrets := range []map[string]string{planted, typed} {
			for what, secret := range secrets {
				if what == "what the profile withholds" {
					continue // there is no profile here
				}
				for _, form := range spellings(secret) {
					if i := bytes.Index(data, []byte(form)); i >= 0 {
						t.Errorf("%s is in %s: …%q…", what, where, data[max(0, i-60):min(len(data), i+len(form)+10)])
					}
				}
			}
		}
	}
}

// envOf is the last value of a variable in an environment.
func envOf(env []string, name string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if v, ok := strings.CutPrefix(env[i], name+"="); ok {
			return v
		}
	}
	return ""
}

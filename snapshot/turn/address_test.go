package turn

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseTarget(t *testing.T) {
	home := filepath.FromSlash("/h")
	for in, want := range map[string]Address{
		"shop#3":               {"/h/sessions/shop", 3},
		"shop-1.b_C#12":        {"/h/sessions/shop-1.b_C", 12},
		"t1#1":                 {"/h/sessions/t1", 1},
		"out/demo#7":           {"out/demo", 7},
		"./demo#7":             {"demo", 7},
		"/x/y z#7":             {"/x/y z", 7},
		"demo/turns/0004":      {"demo", 4},
		"/a/demo/turns/0004/":  {"/a/demo", 4},
		"turns/12345":          {".", 12345},
		"../turns/0001":        {"..", 1},
		"/a#b/demo/turns/0004": {"/a#b/demo", 4},
		"":                     {}, "shop": {}, "#3": {}, "shop#": {}, "shop#0": {}, "shop#-1": {}, "shop#03": {},
		"shop#1e3":         {},
		"shop#99999999999": {}, "..#1": {}, ".#1": {}, ".hidden#1": {}, "a b#1": {}, "päge#1": {}, "con#1": {},
		"NUL.txt#1": {}, "com1#2": {}, "end.#1": {},
		"https://a.example/#3": {}, "http://a.example/turns/0001": {}, "file:///x/turns/0001": {}, "page.html": {},
		"a\x00b/x#1":   {},
		"demo/turns/4": {}, "demo/turns/00004": {}, "demo/turns/0000": {}, "demo/parts/0004": {},
		strings.Repeat("a", 65) + "#1": {},
	} {
		got, err := ParseTarget(home, in)
		if want.N == 0 {
			require.ErrorIs(t, err, ErrNotTurn, "%q gives %v", in, got)
			continue
		}
		require.NoError(t, err, in)
		want.Dir = filepath.FromSlash(want.Dir)
		require.Equal(t, want, got, in)
	}
}

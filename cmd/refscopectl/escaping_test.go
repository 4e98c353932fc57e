package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// Page text is escaped once, whatever prints it: a backslash of the page is two in quotes and one elsewhere, a
// character that draws nothing is spelled out, and a page that has such a spelling as its text is told apart.
func TestPageTextIsEscapedOnce(t *testing.T) {
	needChrome(t)
	dir := t.TempDir()
	file := func(name, html string) string {
		name = filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(name, []byte(html), 0o600))
		return name
	}
	captured := func(name, html string) string {
		code, out, stderr := ctl(t, "snap", "--json", "--format", "capture", file(name+".html", html))
		require.Zero(t, code, stderr)
		return file(name+".json", out)
	}
	const head = `<!doctype html><html lang=en><title>C:\dir \u{41}</title>`
	page := captured("page", head+`<h1>D:\dir \u{42}&#x202e;</h1><button aria-label="E:\dir">F:\dir</button>
		<div onclick="1" style="cursor:pointer">G:\dir \u{43}&#x202e;</div>`)
	after := captured("after", head+`<h1>D:\else \u{42}&#x202e;</h1><button aria-label="E:\dir">F:\dir</button>`)
	many := regexp.MustCompile(`\\{3,}`)
	for name, x := range map[string]struct {
		args []string
		want []string
	}{
		"snap":  {[]string{"snap", page}, []string{`TITLE: C:\dir \\u{41}`, `D:\dir \\u{42}\u{202e}`}},
		"aria":  {[]string{"snap", "--format", "aria", page}, []string{`"D:\\dir \\u{42}\u202e"`}},
		"audit": {[]string{"audit", page}, []string{`"C:\\dir \\u{41}"`, `"E:\\dir"`, `"G:\\dir \\u{43}\u202e"`}},
		"why":   {[]string{"why", page, "1"}, []string{`"D:\\dir \\u{42}\u202e"`}},
		"find":  {[]string{"find", "--text", "dir", page}, []string{`"D:\\dir \\u{42}\u202e"`}},
		"diff":  {[]string{"diff", page, after}, []string{`"D:\\dir \\u{42}\u202e"`, `"D:\\else \\u{42}\u202e"`}},
	} {
		t.Run(name, func(t *testing.T) {
			_, out, stderr := ctl(t, x.args...) // audit's code is that of its findings
			for _, want := range x.want {
				require.Contains(t, out, want, stderr)
			}
			require.NotRegexp(t, many, out)
		})
	}
}

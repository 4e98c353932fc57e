package mcp

import (
	"bytes"
	"strings"
	"testing"
)

// A file of Codex gets the tap before its servers, in whatever way they are written, and what else is in it stays.
func TestWrapTOML(t *testing.T) {
	codex, err := ClientOf("codex")
	if err != nil {
		t.Fatal(err)
	}
	file := []byte(`# mine
model = "gpt-5"   # [mcp_servers.no]
notify = [
  "a ] b", # and so on
  'c',
]
"mcp_servers".dotted.command = 'playwright-mcp'
when = 1979-05-27 07:32:00
[mcp_servers.browser]
command = "npx"
args = ["-y",
  "@playwright/mcp@latest", # the newest
]
env = { "KEY" = "v", command = "untouched" }
[mcp_servers."dev tools"]
args = [ "chrome-devtools-mcp@latest" ]
command="npx"
[mcp_servers.inline.env]
X = """
[mcp_servers.none]
command = "npx"""""
[mcp_servers]
short = { command = "playwright-mcp", startup_timeout_sec = 20 }
files = { command = 'C:\bin\server.exe', args = ["a\"bA"] }
far = { url = "https://example.org/mcp" }
[[mcp_servers_of_others]]
command = "playwright-mcp"`)
	tap := []string{"/opt/refscopectl", "tap", "mcp"}
	wrapped, names, err := codex.Wrap(file, "", tap, nil)
	if err != nil || strings.Join(names, ", ") != "dotted, browser, dev tools, short" {
		t.Fatalf("%q %v", names, err)
	}
	for _, want := range []string{
		"command = \"/opt/refscopectl\"\nargs = [\"tap\", \"mcp\", \"--\", \"npx\", \"-y\",\n  \"@playwright/mcp@latest\", # the newest\n]\nenv",
		"args = [\"tap\", \"mcp\", \"--\", \"npx\",  \"chrome-devtools-mcp@latest\" ]\ncommand=\"/opt/refscopectl\"\n",
		"\"mcp_servers\".dotted.command = \"/opt/refscopectl\"\n\"mcp_servers\".dotted.args = [\"tap\", \"mcp\", \"--\", 'playwright-mcp']\n",
		`short = { command = "/opt/refscopectl", args = ["tap", "mcp", "--", "playwright-mcp"], startup_timeout_sec = 20 }`,
		`files = { command = 'C:\bin\server.exe', args = ["a\"bA"] }`, "[[mcp_servers_of_others]]\ncommand = \"playwright-mcp\"",
	} {
		if !bytes.Contains(wrapped, []byte(want)) {
			t.Errorf("%s\nis not in\n%s", want, wrapped)
		}
	}
	back, _, err := codex.Unwrap(wrapped)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(back, file) {
		t.Errorf("what comes back is not what it was\n%s", back)
	}
	wrapped, names, err = codex.Wrap(file, "", tap, []string{"files"})
	if want := `"--", 'C:\bin\server.exe', "a\"bA"]`; err != nil || len(names) != 1 || !bytes.Contains(wrapped, []byte(want)) {
		t.Errorf("%v: %s is not in\n%s", err, want, wrapped)
	}
	for _, bad := range []string{"a = ", "a", "[mcp_servers", "a = [1", "a = \"x", "a = 1 2 # \n= 3", "a = {b = 1", "a = 'x' 2"} {
		if _, _, err := codex.Wrap([]byte("ok = 1\n"+bad), "", tap, nil); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

// Whatever stands in a file, the change touches only commands and arguments, and can be taken back.
func FuzzWrapTOML(f *testing.F) {
	f.Add("[mcp_servers.a]\ncommand = \"playwright-mcp\"\nargs = ['--x']\n")
	f.Add("mcp_servers = { a = { command = \"playwright-mcp\" } }\n")
	f.Fuzz(func(t *testing.T, file string) {
		codex, err := ClientOf("codex")
		if err != nil {
			t.Fatal(err)
		}
		tap := []string{"refscopectl", "tap", "mcp"}
		wrapped, names, err := codex.Wrap([]byte(file), "", tap, nil)
		if err != nil {
			return
		}
		back, again, err := codex.Unwrap(wrapped)
		if err != nil || strings.Join(names, "\n") != strings.Join(again, "\n") {
			t.Fatalf("%q: %v: %q, %q", file, err, names, again)
		}
		if string(back) != file {
			t.Fatalf("%q: %q, then %q", file, wrapped, back)
		}
	})
}

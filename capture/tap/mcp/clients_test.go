package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

func TestWrapAndUnwrap(t *testing.T) {
	vscode, err := ClientOf("vscode")
	if err != nil {
		t.Fatal(err)
	}
	file := []byte(`{
	// servers of mine
	"inputs": [{"id": "key", "command": "untouched"}],
	"servers": {
		"browser": { "type": "stdio", "command": "npx", "args": ["-y", "@playwright/mcp@latest", "--headless",], },
		"devtools": {"args": ["chrome-devtools-mcp@latest"], "command": "npx"}, /* "x": { */
		"files": {"command": "npx", "args": ["server-filesystem", "/tmp/a\"b"]},
		"bare": {"command": "playwright-mcp"},
		"far": {"type": "http", "url": "https://example.org/mcp"}
	},
}
`)
	tap := []string{"/opt/refscopectl", "tap", "mcp", "--session", "mine"}
	wrapped, names, err := vscode.Wrap(file, "", tap, nil)
	if err != nil || strings.Join(names, " ") != "browser devtools bare" {
		t.Fatalf("%v %v", names, err)
	}
	for _, want := range []string{
		`"command": "/opt/refscopectl", "args": ["tap", "mcp", "--session", "mine", "--", "npx", "-y", "@playwright/mcp@latest", ` +
			`"--headless",], }`,
		`{"args": ["tap", "mcp", "--session", "mine", "--", "npx", "chrome-devtools-mcp@latest"], "command": "/opt/refscopectl"}`,
		`"bare": {"command": "/opt/refscopectl", "args": ["tap", "mcp", "--session", "mine", "--", "playwright-mcp"]}`,
		`// servers of mine`, `/* "x": { */`, `"files": {"command": "npx", "args": ["server-filesystem", "/tmp/a\"b"]}`,
	} {
		if !bytes.Contains(wrapped, []byte(want)) {
			t.Errorf("%s is not in\n%s", want, wrapped)
		}
	}
	if _, _, err := vscode.Wrap(wrapped, "", tap, nil); err == nil {
		t.Error("the tap is put before servers twice")
	}
	back, names, err := vscode.Unwrap(wrapped)
	if err != nil || len(names) != 3 {
		t.Fatalf("%v %v", names, err)
	}
	if !bytes.Equal(back, file) {
		t.Errorf("what comes back is\n%s\nand not\n%s", back, file)
	}
	if _, names, err := vscode.Wrap(file, "", tap, []string{"files"}); err != nil || len(names) != 1 {
		t.Errorf("a server that is named: %v %v", names, err)
	}
	if _, _, err := vscode.Wrap(file, "", tap, []string{"none"}); err == nil || !strings.Contains(err.Error(), "devtools") {
		t.Errorf("a server that is not there: %v", err)
	}
}

// Claude Code keeps the servers that it has in one folder only beside those that it has everywhere, and it writes its
// file anew, every list over several lines, while the tap is in it.
func TestWrapServersOfAFolder(t *testing.T) {
	claude, err := ClientOf("claude")
	if err != nil {
		t.Fatal(err)
	}
	shop := t.TempDir()
	file := fmt.Appendf(nil, `{
  "projects": {
    %q: {
      "mcpServers": {
        "playwright": {
          "type": "stdio",
          "command": "npx",
          "args": [
            "@playwright/mcp@latest"
          ],
          "env": {}
        },
        "bare": {"command": "playwright-mcp", "args": []}
      }
    },
    "/somewhere/else": {"mcpServers": {"playwright": {"command": "npx", "args": [ "@playwright/mcp" ]}}}
  },
  "mcpServers": {"devtools": {"command": "npx", "args": ["chrome-devtools-mcp"]}}
}
`, shop)
	tap := []string{"/opt/refscopectl", "tap", "mcp"}
	for dir, want := range map[string]string{shop: "playwright bare devtools", filepath.Join(shop, "below"): "playwright bare devtools",
		filepath.Dir(shop): "devtools"} {
		wrapped, names, err := claude.Wrap(file, dir, tap, nil)
		if err != nil || strings.Join(names, " ") != want {
			t.Fatalf("%s: %v %v, want %s", dir, names, err, want)
		}
		if back, _, err := claude.Unwrap(wrapped); err != nil || !bytes.Equal(back, file) {
			t.Errorf("%s: %v: what comes back is\n%s", dir, err, back)
		}
		var anew bytes.Buffer
		if err := json.Indent(&anew, wrapped, "", "  "); err != nil {
			t.Fatal(err)
		}
		back, _, err := claude.Unwrap(anew.Bytes())
		var got, was bytes.Buffer
		if err := errors.Join(err, json.Compact(&got, back), json.Compact(&was, file)); err != nil || got.String() != was.String() {
			t.Errorf("%s: %v: once it was written anew, what comes back is\n%s", dir, err, back)
		}
	}
	if _, _, err := claude.Wrap(file, "", tap, []string{"playwright"}); err == nil || !strings.Contains(err.Error(), shop) {
		t.Errorf("a server of another folder: %v", err)
	}
	wrapped, _, err := claude.Wrap(file, shop, tap, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := claude.Wrap(wrapped, shop, tap, nil); err == nil || !strings.Contains(err.Error(), "already") {
		t.Errorf("a second time: %v", err)
	}
}

func TestKnown(t *testing.T) {
	for command, want := range map[string]string{
		"npx -y @playwright/mcp@latest --headless":                             "Playwright MCP",
		"npx @playwright/mcp":                                                  "Playwright MCP",
		"node /home/x/node_modules/@playwright/mcp/cli.js":                     "Playwright MCP",
		"cmd /c npx chrome-devtools-mcp@1.11.0":                                "chrome-devtools-mcp",
		`node C:\x\node_modules\chrome-devtools-mcp\build\src\index.js`:        "chrome-devtools-mcp",
		"refscopectl mcp":                                                      "Refscope",
		"playwright-mcp --headless":                                            "Playwright MCP",
		"/usr/bin/mcp-server-playwright":                                       "Playwright MCP",
		"npx -y -p @playwright/mcp@latest mcp-server-playwright":               "Playwright MCP",
		"npx.cmd -y playwright-mcp":                                            "",
		"npx @automatalabs/mcp-server-playwright":                              "",
		"npm exec -- playwright-mcp":                                           "",
		"pnpm dlx @playwright/mcp@latest":                                      "Playwright MCP",
		"bunx playwright-mcp@latest":                                           "",
		"node /srv/node_modules/playwright-mcp/dist/server.js":                 "",
		"npx @browsermcp/mcp@latest":                                           "Browser MCP",
		"npx -y @modelcontextprotocol/server-filesystem /srv/@playwright/mcpx": "",
	} {
		got := ""
		if s := Known(strings.Fields(command)); s != nil {
			got = s.Name
		}
		if got != want {
			t.Errorf("%s is %q, want %q", command, got, want)
		}
	}
}

func TestHand(t *testing.T) {
	argv := strings.Fields("npx chrome-devtools-mcp --executablePath /usr/bin/chromium -e=x --headless --viewport 800x600")
	s := Known(argv)
	none := func(string) string { return "" }
	b := s.Browser(argv, none)
	if b.Named || !b.Headless || b.Chrome != "/usr/bin/chromium" || b.Width != 800 || b.Height != 600 {
		t.Errorf("%+v", b)
	}
	got, env := s.Hand(argv, "127.0.0.1:9")
	want := "npx chrome-devtools-mcp --headless --viewport 800x600 --browserUrl=http://127.0.0.1:9"
	if env != nil || strings.Join(got, " ") != want {
		t.Errorf("%q, want %q", got, want)
	}
	own := strings.Fields("npx @playwright/mcp --cdp-endpoint http://localhost:9222/")
	if b := Known(own).Browser(own, none); !b.Named || b.Own != "localhost:9222" {
		t.Errorf("%+v", b)
	}
	if other := strings.Fields("npx @playwright/mcp --browser firefox"); !Known(other).Browser(other, none).Other {
		t.Error("Firefox passes for a Chrome")
	}
	// What only the browser has that the server starts itself: that one is left to it, or ours gets it too.
	for command, want := range map[string]string{"--mobile": "", "--device=Pixel": "", "--storage-state a.json": "",
		"--user-agent me": "user-agent=me", "--ignore-https-errors --proxy-bypass .a": "ignore-certificate-errors proxy-bypass-list=.a"} {
		argv := strings.Fields("npx @playwright/mcp " + command)
		if b := Known(argv).Browser(argv, none); b.Named != (want == "") || b.Own != "" || strings.Join(b.Flags, " ") != want {
			t.Errorf("%s: %+v", command, b)
		}
	}
	plain := strings.Fields("npx @playwright/mcp")
	set := func(s string) string {
		return map[string]string{"PLAYWRIGHT_MCP_CDP_ENDPOINT": "http://127.0.0.1:9", "PLAYWRIGHT_MCP_MOBILE": "false",
			"PLAYWRIGHT_MCP_HEADLESS": "true"}[s]
	}
	if b := Known(plain).Browser(plain, set); b.Own != "127.0.0.1:9" || !b.Named || !b.Headless {
		t.Errorf("%+v", b)
	}
	// agent-browser's calls are commands of their own, which a switch of the server does not reach.
	commands := strings.Fields("npx agent-browser mcp")
	if got, env := Known(commands).Hand(commands, "127.0.0.1:9"); strings.Join(got, " ") != "npx agent-browser mcp --cdp 9" ||
		strings.Join(env, " ") != "AGENT_BROWSER_CDP=9" {
		t.Errorf("%q, %q", got, env)
	}
	if b := Known(commands).Browser(commands, func(string) string { return "9222" }); b.Own != "127.0.0.1:9222" || !b.Named {
		t.Errorf("%+v", b)
	}
}

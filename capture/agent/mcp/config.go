package mcp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot/text"
)

// Client is a program whose settings [Config] can write.
type Client struct {
	Name  string // claude-desktop, claude-code, cursor, vscode, codex, windsurf, gemini
	Title string // as a person knows it
	// Where tells a person where the text belongs.
	Where  string
	Syntax string // json, toml, sh
	// HTTP: it can also be pointed at a server that runs.
	HTTP bool
}

// Clients lists the clients that [Config] knows, in the order of a menu.
func Clients() []Client {
	return []Client{
		{"claude-code", "Claude Code", "run it in a terminal", "sh", true},
		{"claude-desktop", "Claude Desktop", "claude_desktop_config.json: Settings, Developer, Edit Config",
			"json", false},
		{"cursor", "Cursor", "~/.cursor/mcp.json, or .cursor/mcp.json in the project", "json", true},
		{"vscode", "VS Code", ".vscode/mcp.json in the project, or the command MCP: Open User Configuration",
			"json", true},
		{"codex", "Codex", "~/.codex/config.toml", "toml", true},
		{"gemini", "Gemini CLI", "~/.gemini/settings.json", "json", true},
		{"generic", "Another client", "its settings, where MCP servers are listed", "json", true},
	}
}

// Place describes how a client reaches a server: by starting one, or, where URL is set, over
// HTTP.
type Place struct {
	Program string   // path of refscopectl
	Home    string   // --home; "" leaves it out
	Session string   // --session; "" leaves it out
	Args    []string // further flags, such as --attach 127.0.0.1:9222
	URL     string   // http://127.0.0.1:PORT/
	Token   string   // that a client shows at URL
}

// args are those of the program.
func (p Place) args() []string {
	out := []string{"mcp"}
	if p.Home != "" {
		out = append(out, "--home", p.Home)
	}
	if p.Session != "" {
		out = append(out, "--session", p.Session)
	}
	return append(out, p.Args...)
}

// Config is the text that connects a client, ready to be pasted. It ends in a line break.
// The errors are an unknown client, a place without Program and URL, and a URL for a
// client that starts its servers itself.
func Config(client string, p Place) (string, error) {
	list := Clients()
	i := slices.IndexFunc(list, func(c Client) bool { return c.Name == client })
	switch {
	case i < 0:
		var names []string
		for _, c := range list {
			names = append(names, c.Name)
		}
		return "", fmt.Errorf("unknown MCP client %q: choose from %s", client, strings.Join(names, " | "))
	case p.URL == "" && p.Program == "":
		return "", fmt.Errorf("the settings of %s need the path of refscopectl, or an address", list[i].Title)
	case p.URL != "" && !list[i].HTTP:
		return "", fmt.Errorf("%s starts its servers itself: give it the path of refscopectl", list[i].Title)
	}
	switch client {
	case "claude-code":
		return p.shell(), nil
	case "codex":
		return p.toml(), nil
	}
	return p.json(client)
}

// entry is one server in a client's JSON. The members that a client does not have are
// left out.
type entry struct {
	Type    string            `json:"type,omitempty"`
	Command string            `json:"command,omitempty"`
	Args    []string          `json:"args,omitempty"`
	URL     string            `json:"url,omitempty"`
	HTTPURL string            `json:"httpUrl,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
}

func (p Place) json(client string) (string, error) {
	e := entry{Command: p.Program, Args: p.args()}
	if p.URL != "" {
		e = entry{URL: p.URL}
		if p.Token != "" {
			e.Headers = map[string]string{"Authorization": "Bearer " + p.Token}
		}
	}
	member := "mcpServers"
	switch client {
	case "vscode":
		member, e.Type = "servers", "stdio"
		if p.URL != "" {
			e.Type = "http"
		}
	case "gemini":
		e.URL, e.HTTPURL = "", e.URL
	case "generic":
		if p.URL != "" {
			e.Type = "http"
		}
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(map[string]map[string]entry{member: {"refscope": e}})
	return b.String(), err
}

// shell is a command of Claude Code, quoted for a POSIX shell.
func (p Place) shell() string {
	words := []string{"claude", "mcp", "add"}
	if p.URL != "" {
		words = append(words, "--transport", "http", "refscope", p.URL)
		if p.Token != "" {
			words = append(words, "--header", "Authorization: Bearer "+p.Token)
		}
	} else {
		words = append(append(words, "refscope", "--", p.Program), p.args()...)
	}
	for i, w := range words {
		words[i] = text.ShellWord(w)
	}
	return strings.Join(words, " ") + "\n"
}

// toml is a table of Codex. A JSON string of our paths is a basic string of TOML too.
func (p Place) toml() string {
	var b strings.Builder
	b.WriteString("[mcp_servers.refscope]\n")
	if p.URL != "" {
		fmt.Fprintf(&b, "url = %s\n", quoteTOML(p.URL))
		if p.Token != "" {
			fmt.Fprintf(&b, "http_headers = { Authorization = %s }\n", quoteTOML("Bearer "+p.Token))
		}
		return b.String()
	}
	args := p.args()
	for i := range args {
		args[i] = quoteTOML(args[i])
	}
	fmt.Fprintf(&b, "command = %s\nargs = [%s]\n", quoteTOML(p.Program), strings.Join(args, ", "))
	return b.String()
}

// quoteTOML is a basic string: of its escapes, all that are used are \" \\ \uXXXX.
func quoteTOML(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

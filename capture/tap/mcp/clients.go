package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"strings"
)

// Client is a program whose file of servers can be changed.
type Client struct {
	Name  string // as a command line has it
	Title string // as a person knows it
	// member is the member of the file that lists servers.
	member string
	// project and home are its files, in the folder of a project and below that of the user. One that ends in .toml is
	// TOML, any other JSON.
	project, home string
}

// isTOML reports whether its file is TOML.
func (c Client) isTOML() bool { return strings.HasSuffix(c.home, ".toml") }

// Clients are those that are known.
func Clients() []Client {
	settings := ".config"
	switch runtime.GOOS {
	case "darwin":
		settings = "Library/Application Support"
	case "windows":
		settings = "AppData/Roaming"
	}
	return []Client{
		{"claude", "Claude Code", "mcpServers", ".mcp.json", ".claude.json"},
		{"claude-desktop", "Claude Desktop", "mcpServers", "", settings + "/Claude/claude_desktop_config.json"},
		{"cursor", "Cursor", "mcpServers", ".cursor/mcp.json", ".cursor/mcp.json"},
		{"vscode", "VS Code", "servers", ".vscode/mcp.json", settings + "/Code/User/mcp.json"},
		{"codex", "Codex", "mcp_servers", ".codex/config.toml", ".codex/config.toml"},
		{"gemini", "Gemini CLI", "mcpServers", ".gemini/settings.json", ".gemini/settings.json"},
		{"windsurf", "Windsurf", "mcpServers", "", ".codeium/windsurf/mcp_config.json"},
	}
}

// ClientOf is the client with that name.
func ClientOf(name string) (Client, error) {
	var names []string
	for _, c := range Clients() {
		if c.Name == name {
			return c, nil
		}
		names = append(names, c.Name)
	}
	return Client{}, fmt.Errorf("unknown client %q: choose from %s", name, strings.Join(names, " | "))
}

// File is the client's file that is there: that of the project in the folder dir, else that of the user.
func (c Client) File(dir, home string) (string, error) {
	var tried []string
	for _, name := range []string{in(dir, c.project), in(home, c.home)} {
		if name == "" {
			continue
		}
		if st, err := os.Stat(name); err == nil && st.Mode().IsRegular() {
			return name, nil
		}
		tried = append(tried, name)
	}
	return "", fmt.Errorf("%s has no list of servers at %s: set the server up in it first, or name the file", c.Title,
		strings.Join(tried, " or "))
}

func in(folder, name string) string {
	if folder == "" || name == "" {
		return ""
	}
	return filepath.Join(folder, filepath.FromSlash(name))
}

// entryOf is the entry of a server in a client's file.
type entryOf struct {
	name          string
	command       string
	args          []string
	commandAt     place
	argsAt        place  // 0, 0 where there are none
	addArgs       string // what stands between the command and the arguments that are added to it
	overHTTP      bool
	readOtherwise bool // its command is no text, or an argument is none
}

// place is where a value lies in a file, bytes.
type place struct{ from, to int }

// Wrap puts the tap before the servers of a client's file: before those that are named, else before all that are known
// to drive a browser. tap is the tap's own command line, up to and without "--". It returns the file with these
// changes and no other, and the names of the servers.
func (c Client) Wrap(file []byte, tap, names []string) ([]byte, []string, error) {
	list, err := c.entries(file)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range names {
		if !slices.ContainsFunc(list, func(e entryOf) bool { return e.name == name }) {
			return nil, nil, fmt.Errorf("unknown server %q: it has %s", name, namesOf(list))
		}
	}
	var changed []string
	out := change(file, list, func(e entryOf) (string, []string, bool) {
		argv := append([]string{e.command}, e.args...)
		known := Known(argv)
		wanted := slices.Contains(names, e.name) || len(names) == 0 && known != nil && known.Name != "Refscope"
		if _, is := tapped(e); is || !wanted || e.overHTTP || e.readOtherwise {
			return "", nil, false
		}
		changed = append(changed, e.name)
		return tap[0], slices.Concat(tap[1:], []string{"--"}, argv), true
	})
	if len(changed) == 0 {
		return nil, nil, fmt.Errorf(
			"there is no server in it that the tap can be put before: it has %s; name one, or for "+
				"one over HTTP run tap mcp --url", namesOf(list))
	}
	return out, changed, nil
}

// Unwrap takes the tap out of all servers of a client's file.
func (c Client) Unwrap(file []byte) ([]byte, []string, error) {
	list, err := c.entries(file)
	if err != nil {
		return nil, nil, err
	}
	var changed []string
	out := change(file, list, func(e entryOf) (string, []string, bool) {
		argv, is := tapped(e)
		if !is {
			return "", nil, false
		}
		changed = append(changed, e.name)
		return argv[0], argv[1:], true
	})
	if len(changed) == 0 {
		return nil, nil, fmt.Errorf("the tap is before none of its servers: it has %s", namesOf(list))
	}
	return out, changed, nil
}

func namesOf(list []entryOf) string {
	if len(list) == 0 {
		return "none"
	}
	var names []string
	for _, e := range list {
		names = append(names, e.name)
	}
	return strings.Join(names, ", ")
}

// tapped is the server's own command where the tap is before it.
func tapped(e entryOf) ([]string, bool) {
	program := strings.TrimSuffix(filepath.Base(strings.ReplaceAll(e.command, `\`, "/")), ".exe")
	at := slices.Index(e.args, "--")
	ours := program == "refscopectl" && len(e.args) > 3 && e.args[0] == "tap" && e.args[1] == "mcp"
	if !ours || at < 0 || at+1 == len(e.args) {
		return nil, false
	}
	return e.args[at+1:], true
}

// change writes new commands into a file; what it does not change stays byte for byte.
func change(file []byte, list []entryOf, to func(e entryOf) (command string, args []string, ok bool)) []byte {
	type edit struct {
		at   place
		with []byte
	}
	var edits []edit
	for _, e := range list {
		command, args, ok := to(e)
		if !ok {
			continue
		}
		list := written(args)
		if e.argsAt.to == 0 {
			edits = append(edits, edit{e.commandAt, append(append(written(command), e.addArgs...), list...)})
			continue
		}
		edits = append(edits, edit{e.commandAt, written(command)}, edit{e.argsAt, list})
	}
	sort.Slice(edits, func(i, k int) bool { return edits[i].at.from > edits[k].at.from })
	out := bytes.Clone(file)
	for _, e := range edits {
		out = slices.Concat(out[:e.at.from], e.with, out[e.at.to:])
	}
	return out
}

// written is a value as JSON on one line, with a space behind each comma.
func written(v any) []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	switch v := v.(type) {
	case []string:
		out.WriteByte('[')
		for i, s := range v {
			if i > 0 {
				out.WriteString(", ")
			}
			out.Write(written(s))
		}
		out.WriteByte(']')
	default:
		if enc.Encode(v) != nil {
			return nil // texts can be written
		}
		out.Truncate(out.Len() - 1) // the line feed
	}
	return out.Bytes()
}

// entries are the servers of a file.
func (c Client) entries(file []byte) ([]entryOf, error) {
	if c.isTOML() {
		return c.entriesOfTOML(file)
	}
	plain := withoutComments(file)
	if !json.Valid(plain) {
		return nil, fmt.Errorf("the list of servers of %s cannot be read: it is not JSON", c.Title)
	}
	var out []entryOf
	each(plain, place{0, len(plain)}, func(key string, at place) {
		if key != c.member {
			return
		}
		each(plain, at, func(name string, at place) {
			e := entryOf{name: name, addArgs: `, "args": `}
			each(plain, at, func(key string, at place) {
				raw := plain[at.from:at.to]
				switch key {
				case "command":
					e.commandAt = at
					e.readOtherwise = e.readOtherwise || json.Unmarshal(raw, &e.command) != nil
				case "args":
					e.argsAt = at
					e.readOtherwise = e.readOtherwise || json.Unmarshal(raw, &e.args) != nil
				case "url", "httpUrl", "serverUrl":
					e.overHTTP = true
				}
			})
			if e.command == "" {
				e.readOtherwise = true
			}
			out = append(out, e)
		})
	})
	return out, nil
}

// each calls with the members of an object; nothing of another value.
func each(file []byte, at place, call func(key string, at place)) {
	d := json.NewDecoder(bytes.NewReader(file[at.from:at.to]))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return
		}
		var raw json.RawMessage
		if d.Decode(&raw) != nil {
			return
		}
		to := at.from + int(d.InputOffset())
		name, _ := key.(string)
		call(name, place{to - len(raw), to})
	}
}

// withoutComments is a file in which comments, and commas before a closing bracket, are spaces, as VS Code lets people
// write them: then it is JSON, each byte at its place.
func withoutComments(file []byte) []byte {
	out := bytes.Clone(file)
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			if out[i] != '\n' && out[i] != '\r' {
				out[i] = ' '
			}
		}
	}
	comma := -1
	for i := 0; i < len(out); i++ {
		switch b := out[i]; {
		case b == '"':
			for i++; i < len(out) && out[i] != '"'; i++ {
				if out[i] == '\\' {
					i++
				}
			}
			comma = -1
		case b == '/' && i+1 < len(out) && out[i+1] == '/':
			end := i + len(out[i:])
			if n := bytes.IndexByte(out[i:], '\n'); n >= 0 {
				end = i + n
			}
			blank(i, end)
			i = end - 1
		case b == '/' && i+1 < len(out) && out[i+1] == '*':
			end := len(out)
			if n := bytes.Index(out[i+2:], []byte("*/")); n >= 0 {
				end = i + 2 + n + 2
			}
			blank(i, end)
			i = end - 1
		case b == ',':
			comma = i
		case (b == '}' || b == ']') && comma >= 0:
			blank(comma, comma+1)
			comma = -1
		case b != ' ' && b != '\t' && b != '\n' && b != '\r':
			comma = -1
		}
	}
	return out
}

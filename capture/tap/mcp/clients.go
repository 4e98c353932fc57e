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
	// folders is the member of the user's file that has, by folder, settings with lists of their own; "" for none.
	folders string
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
		{"claude", "Claude Code", "mcpServers", "projects", ".mcp.json", ".claude.json"},
		{"claude-desktop", "Claude Desktop", "mcpServers", "", "", settings + "/Claude/claude_desktop_config.json"},
		{"cursor", "Cursor", "mcpServers", "", ".cursor/mcp.json", ".cursor/mcp.json"},
		{"vscode", "VS Code", "servers", "", ".vscode/mcp.json", settings + "/Code/User/mcp.json"},
		{"codex", "Codex", "mcp_servers", "", ".codex/config.toml", ".codex/config.toml"},
		{"gemini", "Gemini CLI", "mcpServers", "", ".gemini/settings.json", ".gemini/settings.json"},
		{"windsurf", "Windsurf", "mcpServers", "", "", ".codeium/windsurf/mcp_config.json"},
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

// Files are the client's files that are there: that of the project in the folder dir, then that of the user.
func (c Client) Files(dir, home string) ([]string, error) {
	var tried, there []string
	for _, name := range []string{in(dir, c.project), in(home, c.home)} {
		if name == "" {
			continue
		}
		if st, err := os.Stat(name); err == nil && st.Mode().IsRegular() {
			there = append(there, name)
		}
		tried = append(tried, name)
	}
	if len(there) == 0 {
		return nil, fmt.Errorf("%s has no list of servers at %s: set the server up in it first, or name the file",
			c.Title, strings.Join(tried, " or "))
	}
	return there, nil
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
	folder        string // in which alone the client has it, "" for everywhere
	command       string
	args          []string
	commandAt     place
	argsAt        place // 0, 0 where there are none
	argAt         []place
	addArgs       string // what stands between the command and the arguments that are added to it
	overHTTP      bool
	readOtherwise bool // its command is no text, or an argument is none
}

// place is where a value lies in a file, bytes.
type place struct{ from, to int }

// Wrap puts the tap before the servers of a client's file that the client has in the folder dir: before those that are
// named, else before all that are known to drive a browser. tap is the tap's own command line, up to and without "--".
// It returns the file with these changes and no other, and the names of the servers.
func (c Client) Wrap(file []byte, dir string, tap, names []string) ([]byte, []string, error) {
	list, err := c.entries(file)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range names {
		if !slices.ContainsFunc(list, func(e entryOf) bool { return e.name == name && e.here(dir) }) {
			return nil, nil, fmt.Errorf("unknown server %q: it has %s", name, namesOf(list))
		}
	}
	var changed []string
	var edits []edit
	for _, e := range list {
		known := Known(append([]string{e.command}, e.args...))
		wanted := slices.Contains(names, e.name) || len(names) == 0 && known != nil && known.Name != "Refscope"
		if _, is := tapped(e); is || !wanted || !e.here(dir) || e.overHTTP || e.readOtherwise {
			continue
		}
		changed, edits = append(changed, e.name), append(edits, e.wrap(file, tap)...)
	}
	if len(changed) == 0 {
		if i := slices.IndexFunc(list, func(e entryOf) bool {
			own, is := tapped(e)
			return is && e.here(dir) && (Known(e.args[own:]) != nil || slices.Contains(names, e.name))
		}); i >= 0 {
			return nil, nil, fmt.Errorf("the tap is before %s already", list[i].name)
		}
		return nil, nil, fmt.Errorf(
			"there is no server in it that the tap can be put before: it has %s; name one, or for "+
				"one over HTTP run tap mcp --url", namesOf(list))
	}
	return changedBy(file, edits), changed, nil
}

// Unwrap takes the tap out of all servers of a client's file.
func (c Client) Unwrap(file []byte) ([]byte, []string, error) {
	list, err := c.entries(file)
	if err != nil {
		return nil, nil, err
	}
	var changed []string
	var edits []edit
	for _, e := range list {
		if own, is := tapped(e); is {
			changed, edits = append(changed, e.name), append(edits, e.unwrap(file, own)...)
		}
	}
	if len(changed) == 0 {
		return nil, nil, fmt.Errorf("the tap is before none of its servers: it has %s", namesOf(list))
	}
	return changedBy(file, edits), changed, nil
}

func namesOf(list []entryOf) string {
	if len(list) == 0 {
		return "none"
	}
	var names []string
	for _, e := range list {
		name := e.name
		if e.folder != "" {
			name += " for the folder " + e.folder
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// here reports whether the client has the server in a folder.
func (e entryOf) here(dir string) bool {
	if e.folder == "" {
		return true
	}
	below, err := filepath.Rel(resolved(e.folder), resolved(dir))
	return err == nil && filepath.IsLocal(below)
}

// resolved is a folder without links, as it is where that cannot be found out.
func resolved(dir string) string {
	if name, err := filepath.EvalSymlinks(dir); err == nil {
		return name
	}
	return dir
}

// tapped is which of the arguments is the server's own command, where the tap is before it.
func tapped(e entryOf) (own int, is bool) {
	program := strings.TrimSuffix(filepath.Base(strings.ReplaceAll(e.command, `\`, "/")), ".exe")
	at := slices.Index(e.args, "--")
	ours := program == "refscopectl" && len(e.args) > 3 && e.args[0] == "tap" && e.args[1] == "mcp"
	if !ours || e.readOtherwise || at < 0 || at+1 == len(e.args) {
		return 0, false
	}
	return at + 1, true
}

// edit is what is written at a place of a file.
type edit struct {
	at   place
	with []byte
}

// wrap writes the tap's command line before the server's, which stays as it is spelled.
func (e entryOf) wrap(file []byte, tap []string) []edit {
	own := file[e.commandAt.from:e.commandAt.to]
	lead := written(append(slices.Clone(tap[1:]), "--"))
	lead = slices.Concat(lead[1:len(lead)-1], []byte(", "), own)
	if e.argsAt.to == 0 {
		return []edit{{e.commandAt, slices.Concat(written(tap[0]), []byte(e.addArgs), []byte("["), lead, []byte("]"))}}
	}
	at := e.argsAt.from + 1
	switch next := file[at]; {
	case len(e.args) == 0: // the blank tells this list from one that was added
		lead = append([]byte(" "), lead...)
	case next == '\n' || next == '\r':
		lead = append(lead, ',')
	default:
		lead = append(lead, ", "...)
	}
	return []edit{{e.commandAt, written(tap[0])}, {place{at, at}, lead}}
}

// unwrap takes out what wrap wrote. own is which of the arguments is the server's own command.
func (e entryOf) unwrap(file []byte, own int) []edit {
	at := e.argAt[own]
	command := edit{e.commandAt, bytes.Clone(file[at.from:at.to])}
	between := ""
	if e.commandAt.to <= e.argsAt.from {
		between = string(file[e.commandAt.to:e.argsAt.from])
	}
	if own+1 == len(e.args) && between == e.addArgs && e.argAt[0].from == e.argsAt.from+1 {
		return []edit{command, {place{e.commandAt.to, e.argsAt.to}, nil}}
	}
	end := at.to
	if rest := bytes.TrimLeft(file[end:], " \t\r\n"); len(rest) > 0 && rest[0] == ',' {
		if end = len(file) - len(rest) + 1; own+1 < len(e.args) && file[end] == ' ' {
			end++
		}
	}
	return []edit{command, {place{e.argsAt.from + 1, end}, nil}}
}

// changedBy is a file with edits; what they do not touch stays byte for byte.
func changedBy(file []byte, edits []edit) []byte {
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
	servers := func(folder string) func(key string, at place) {
		return func(key string, at place) {
			if key == c.member {
				each(plain, at, func(name string, at place) { out = append(out, entryIn(plain, at, name, folder)) })
			}
		}
	}
	each(plain, place{0, len(plain)}, func(key string, at place) {
		if servers("")(key, at); key == c.folders && c.folders != "" {
			each(plain, at, func(folder string, at place) { each(plain, at, servers(folder)) })
		}
	})
	return out, nil
}

// entryIn is the entry of a server that lies at a place of a file.
func entryIn(plain []byte, at place, name, folder string) entryOf {
	e := entryOf{name: name, folder: folder, addArgs: `, "args": `}
	each(plain, at, func(key string, at place) {
		raw := plain[at.from:at.to]
		switch key {
		case "command":
			e.commandAt = at
			e.readOtherwise = e.readOtherwise || json.Unmarshal(raw, &e.command) != nil
		case "args":
			e.argsAt, e.argAt = at, elements(plain, at)
			e.readOtherwise = e.readOtherwise || json.Unmarshal(raw, &e.args) != nil || len(e.args) != len(e.argAt)
		case "url", "httpUrl", "serverUrl":
			e.overHTTP = true
		}
	})
	e.readOtherwise = e.readOtherwise || e.command == ""
	return e
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

// elements are the places of the values in a list; none of another value.
func elements(file []byte, at place) []place {
	d := json.NewDecoder(bytes.NewReader(file[at.from:at.to]))
	if open, err := d.Token(); err != nil || open != json.Delim('[') {
		return nil
	}
	var out []place
	for d.More() {
		var raw json.RawMessage
		if d.Decode(&raw) != nil {
			return nil
		}
		to := at.from + int(d.InputOffset())
		out = append(out, place{to - len(raw), to})
	}
	return out
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

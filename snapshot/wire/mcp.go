package wire

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// MCP is the dialect of a server of tools (Model Context Protocol, schema 2025-11-25): each document is a message of
// JSON-RPC 2.0. The server's answer is what the model is given, so it is the request of a turn; the client's tools/call
// is what the model asked for, so it is the answer. Given were
//
//	{"id", "result": {"content": [{"type": "text" | "image" | "audio" | "resource_link" | "resource", …}], "isError"}}
//	{"id", "result": {"tools": [{"name", "description", "inputSchema"}]}}
//	{"id", "error": {"code", "message"}}
//
// Our own server keeps the call, {"name", "arguments"}, and the result, {"content", …}, without the message around
// them.
const MCP = "mcp"

// mcpContent is a block of what a tool answers.
type mcpContent struct {
	Type        string `json:"type"`
	Text        string `json:"text"`
	Data        string `json:"data"`
	Media       string `json:"mimeType"`
	URI         string `json:"uri"` // of a link
	Name        string `json:"name"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Resource    *struct {
		URI   string `json:"uri"`
		Media string `json:"mimeType"`
		Text  string `json:"text"`
		Blob  string `json:"blob"`
	} `json:"resource"` // that is embedded
}

// parts are what the model is given by a block.
func (c mcpContent) parts(id string) []Part {
	switch {
	case c.Type == "image":
		p := embedded(c.Media, c.Data)
		p.ID = id
		return []Part{p}
	case c.Type == "audio":
		return []Part{{Kind: Result, ID: id, Media: c.Media, Text: "a sound, " + c.Media}}
	case c.Type == "resource_link":
		words := strings.TrimSpace(strings.Join([]string{cmp.Or(c.Title, c.Name), c.URI, c.Description}, " "))
		return []Part{{Kind: Result, ID: id, URL: c.URI, Media: c.Media, Text: words}}
	case c.Resource != nil && c.Resource.Blob != "" && strings.HasPrefix(c.Resource.Media, "image/"):
		p := embedded(c.Resource.Media, c.Resource.Blob)
		p.ID, p.URL = id, c.Resource.URI
		return []Part{p}
	case c.Resource != nil:
		return []Part{{Kind: Result, ID: id, URL: c.Resource.URI, Media: c.Resource.Media,
			Text: cmp.Or(c.Resource.Text, c.Resource.URI)}}
	case c.Text != "":
		return []Part{{Kind: Result, ID: id, Text: c.Text}}
	}
	return nil
}

// mcpID is the id of a message as text.
func mcpID(raw json.RawMessage) string { return strings.Trim(string(raw), `"`) }

func readMCP(fields map[string]json.RawMessage, r *Request) {
	id := mcpID(fields["id"])
	var result struct {
		Content    json.RawMessage `json:"content"`
		Structured json.RawMessage `json:"structuredContent"`
		Tools      json.RawMessage `json:"tools"`
		IsError    bool            `json:"isError"`
	}
	if !get(fields["result"], &result) {
		bare, _ := json.Marshal(fields) // raw members of a document that was read
		get(bare, &result)
	}
	type tool struct {
		Name string `json:"name"`
	}
	for _, t := range list[tool](result.Tools) {
		r.Tools = append(r.Tools, t.Name)
	}
	var parts []Part
	for _, c := range list[mcpContent](result.Content) {
		parts = append(parts, c.parts(id)...)
	}
	if len(parts) == 0 && len(result.Structured) > 0 {
		parts = []Part{{Kind: Result, ID: id, Text: string(result.Structured)}}
	}
	if text := mcpError(fields["error"]); text != "" {
		parts = append(parts, Part{Kind: Result, ID: id, Text: text})
	}
	r.add("tool", failing(result.IsError || len(fields["error"]) > 0, parts))
}

// BareCall reports whether a document is a call of a tool without the message of JSON-RPC around it, as our own server
// keeps the calls of its tools.
func BareCall(body []byte) bool {
	top, err := membersOf(MCP, body)
	return err == nil && slices.ContainsFunc(top, func(m span) bool { return m.key == "name" })
}

// mcpError is the message of an error, "" where there is none.
func mcpError(raw json.RawMessage) string {
	var e struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	if !get(raw, &e) {
		return ""
	}
	return strings.TrimSpace(fmt.Sprintf("error %d: %s", e.Code, e.Message))
}

// takeMCP takes the client's call of a tool.
func takeMCP(a *assembly, _ string, fields map[string]json.RawMessage) {
	var params struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	get(fields["method"], &a.Finish)
	asked := a.Finish == "tools/call" && get(fields["params"], &params)
	if asked || get(fields["name"], &params.Name) {
		get(fields["arguments"], &params.Arguments) // of a call without the message around it
		a.Calls = append(a.Calls, ToolCall{mcpID(fields["id"]), params.Name, params.Arguments})
	}
}

// mcpSections are the sections of what a server of tools gave to a model.
func mcpSections(body []byte) ([]Section, error) {
	top, err := membersOf(MCP, body)
	if err != nil {
		return nil, err
	}
	id := ""
	for _, m := range top {
		if m.key == "id" {
			id = mcpID(body[m.start:m.end])
		}
	}
	var out []Section
	add := func(name string, at span, parts []Part) {
		if len(parts) > 0 {
			out = append(out, Section{Name: name, Role: "tool", Start: at.start, End: at.end, Parts: parts})
		}
	}
	if slices.ContainsFunc(top, func(m span) bool { return m.key == "content" }) { // a result of our own server
		top = []span{{key: "result", end: len(body)}}
	}
	for _, m := range top {
		switch m.key {
		case "error":
			add(m.key, m, []Part{{Kind: Result, ID: id, Text: mcpError(body[m.start:m.end]), Failed: true}})
		case "result":
			inner := children(body, m)
			failed := slices.ContainsFunc(inner, func(p span) bool {
				return p.key == "isError" && string(body[p.start:p.end]) == "true"
			})
			for _, part := range inner {
				switch part.key {
				case "tools":
					for i, t := range children(body, part) {
						out = append(out, Section{Name: fmt.Sprintf("result.tools[%d]", i), Role: "tools", Message: -1,
							Start: t.start, End: t.end})
					}
				case "content":
					for i, block := range children(body, part) {
						var c mcpContent
						if get(body[block.start:block.end], &c) {
							add(fmt.Sprintf("result.content[%d]", i), block, failing(failed, c.parts(id)))
						}
					}
				}
			}
			at := slices.IndexFunc(inner, func(p span) bool { return p.key == "structuredContent" })
			if len(out) == 0 && at >= 0 {
				p := inner[at]
				add("result.structuredContent", p, failing(failed, []Part{{Kind: Result, ID: id,
					Text: string(body[p.start:p.end])}}))
			}
		}
	}
	return out, nil
}

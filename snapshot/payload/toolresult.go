package payload

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/refscope/refscope/snapshot/format"
)

// The dialects that are answers of tools and hold the page and nothing else (P-1).
//
// domtool is the PageSerialized of seed "DomTool", as dump format domtool writes it, line
// feeds included (B-1). Its sections are the members of page: context, body, iframe,
// shadowDom, meta.
//
// wraith is the result of Wraith's browse_snapshot (W-3, seed "Snapshot Model and @ref
// IDs"): the agent text as the one content of an MCP tool result (Model Context Protocol
// 2025-06-18, CallToolResult), without the JSON-RPC envelope, whose id is the client's:
//
//	{"content":[{"type":"text","text":…}],"isError":false}
//
// Its section is dump. Neither has a picture: the originals have other tools for it.

func domtool(b *body, in Input) error {
	d, err := format.Render(in.Capture, format.DomTool, in.DumpOptions)
	if err != nil {
		return err
	}
	text := []byte(d.Text)
	dec := json.NewDecoder(bytes.NewReader(text))
	for range 3 { // { "page" {
		if _, err := dec.Token(); err != nil {
			return fmt.Errorf("reading the sections of domtool: %w", err)
		}
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return fmt.Errorf("reading the sections of domtool: %w", err)
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return fmt.Errorf("reading the sections of domtool: %v: %w", key, err)
		}
		b.Out = text[:dec.InputOffset()]
		b.section(fmt.Sprint(key), len(b.Out)-len(value), string(value))
	}
	b.Out = text
	return nil
}

func wraith(b *body, in Input) error {
	d, err := format.Render(in.Capture, format.Wraith, in.DumpOptions)
	if err != nil {
		return err
	}
	b.Open("", '{').Open("content", '[')
	b.textPart("text")("dump", d.Text)
	b.Close("]").Bool("isError", false).Close("}")
	return nil
}

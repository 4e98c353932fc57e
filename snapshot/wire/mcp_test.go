package wire

import (
	"slices"
	"testing"
)

func TestMCP(t *testing.T) {
	given := `{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"- button \"Buy\" [ref=e4]"},` +
		`{"type":"image","data":"aGk=","mimeType":"image/png"},` +
		`{"type":"resource_link","uri":"file:///shot.png","name":"shot","mimeType":"image/png"},` +
		`{"type":"resource","resource":{"uri":"file:///a.yml","mimeType":"text/yaml","text":"- list"}}]}}`
	r, err := ReadRequest(MCP, []byte(given))
	if err != nil || len(r.Messages) != 1 || r.Messages[0].Role != "tool" {
		t.Fatalf("%+v %v", r, err)
	}
	want := []string{`- button "Buy" [ref=e4]`, "shot file:///shot.png", "- list"}
	if got := r.Texts(); !slices.Equal(got, want) {
		t.Errorf("texts %q, want %q", got, want)
	}
	if images := r.Images(); len(images) != 1 || string(images[0].Data) != "hi" || images[0].ID != "7" {
		t.Errorf("images %+v", images)
	}
	sections, err := Sections(MCP, []byte(given))
	if err != nil || len(sections) != 4 || sections[3].Name != "result.content[3]" {
		t.Fatalf("%+v %v", sections, err)
	}
	for _, s := range sections { // each is the block itself
		if given[s.Start] != '{' || given[s.End-1] != '}' {
			t.Errorf("%s is %q", s.Name, given[s.Start:s.End])
		}
	}
	for name, body := range map[string]string{
		"error":      `{"id":"a","error":{"code":-32602,"message":"no such tool"}}`,
		"structured": `{"id":1,"result":{"structuredContent":{"pages":[1]}}}`,
	} {
		if s, err := Sections(MCP, []byte(body)); err != nil || len(s) != 1 || s[0].Text() == "" {
			t.Errorf("%s: %+v %v", name, s, err)
		}
	}
	tools, err := Sections(MCP, []byte(`{"id":1,"result":{"tools":[{"name":"a"},{"name":"b","description":"c"}]}}`))
	if err != nil || len(tools) != 2 || tools[1].Role != "tools" || tools[1].Name != "result.tools[1]" {
		t.Errorf("%+v %v", tools, err)
	}
	a, err := ReadAnswer(MCP, []byte(`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"browser_click",`+
		`"arguments":{"element":"Buy","target":"e4"}}}`))
	if err != nil || len(a.Calls) != 1 || a.Calls[0].Name != "browser_click" || a.Calls[0].ID != "8" {
		t.Fatalf("%+v %v", a, err)
	}
	if actions := a.Actions(nil); len(actions) != 1 || actions[0].Ref != "e4" {
		t.Errorf("actions %+v", actions)
	}
}

package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/refscope/refscope/snapshot/redact"
)

// FuzzArguments: whatever a client sends, the arguments are read or refused by name, those
// that are read are of their kinds, and what is kept of a call is JSON without what is typed.
func FuzzArguments(f *testing.F) {
	for _, s := range []string{`{}`, `null`, ``, `{"ref":12,"value":"x","force":true}`, `{"ref":"12"}`, `{"value":1e400}`, `{"steps":[{"click":1}]}`, `{"a":{`, `[1]`, `{"ref":1}{}`, ` { "value" : "a\ud800" } `, `{"value":"hunter22","valeu":"hunter22"}`} {
		f.Add("browse_fill", []byte(s))
		f.Add("run_steps", []byte(s))
	}
	all := tools()
	redactor := redact.Standard()
	f.Fuzz(func(t *testing.T, name string, raw []byte) {
		tl := &all[0]
		for i := range all {
			if all[i].name == name {
				tl = &all[i]
			}
		}
		got, err := tl.read(raw)
		var wrong *ArgumentError
		if err != nil && (!errors.As(err, &wrong) || wrong.Tool != tl.name) {
			t.Fatalf("%v is no ArgumentError of %s", err, tl.name)
		}
		for _, p := range tl.params {
			v, ok := got[p.name]
			if !ok {
				continue
			}
			switch p.kind {
			case integer:
				if n := v.(int); p.max != 0 && (n < p.min || n > p.max) {
					t.Fatalf("%s is %d", p.name, n)
				}
			case text:
				_ = v.(string)
			case boolean:
				_ = v.(bool)
			default:
				if !json.Valid(v.(json.RawMessage)) {
					t.Fatalf("%s is %s", p.name, v)
				}
			}
		}
		if !json.Valid(raw) && len(bytes.TrimSpace(raw)) > 0 {
			return // the SDK refuses it before
		}
		c := &call{tool: tl, raw: raw, args: got, redactor: redactor}
		kept := c.asked()
		if !json.Valid(kept.Bytes) {
			t.Fatalf("kept as %s", kept.Bytes)
		}
		for _, s := range kept.Redacted {
			if s.Start < 0 || s.End <= s.Start || s.End > len(kept.Bytes) {
				t.Fatalf("span %v of %d", s, len(kept.Bytes))
			}
		}
		if v, ok := got["value"].(string); ok && tl.name == "browse_fill" && len(v) > 3 && !strings.Contains("browse_fill,arguments,value,redacted: typed", v) {
			var back struct{ Arguments map[string]any }
			if json.Unmarshal(kept.Bytes, &back) != nil || back.Arguments["value"] != "[redacted: typed]" {
				t.Fatalf("kept as %s", kept.Bytes)
			}
		}
		if _, err := c.steps(); err != nil {
			t.Fatal(err)
		}
	})
}

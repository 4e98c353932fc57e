package mcp

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/agent/sentinel"
	"github.com/refscope/refscope/snapshot/redact"
)

// FuzzArguments: whatever a client sends, what is kept of the call is JSON without what is typed, and what is
// said of wrong arguments repeats no secret.
func FuzzArguments(f *testing.F) {
	for _, s := range []string{
		`{}`, `null`, ``, `{"ref":12,"value":"x","force":true}`, `{"ref":"12"}`, `{"value":1e400}`, `{"steps":[{"click":1}]}`, `{"a":{`, `[1]`,
		`{"ref":1}{}`, ` { "value" : "a\ud800" } `, `{"value":"hunter22","valeu":"hunter22"}`, `{"value":["hunter22"]}`,
	} {
		f.Add("browse_fill", []byte(s))
		f.Add("run_steps", []byte(s))
	}
	all := tools()
	redactor := redact.Standard()
	f.Fuzz(func(t *testing.T, name string, raw []byte) {
		tl := all[0]
		for i := range all {
			if all[i].name == name {
				tl = all[i]
			}
		}
		if !json.Valid(raw) && len(bytes.TrimSpace(raw)) > 0 {
			return // the SDK refuses it before
		}
		c := &call{tool: tl, raw: raw, redactor: redactor}
		kept := c.asked()
		if !json.Valid(kept.Bytes) {
			t.Fatalf("kept as %s", kept.Bytes)
		}
		for _, s := range kept.Redacted {
			if s.Start < 0 || s.End <= s.Start || s.End > len(kept.Bytes) {
				t.Fatalf("span %v of %d", s, len(kept.Bytes))
			}
		}
		var got, back struct{ Arguments map[string]any }
		if err := json.Unmarshal(append(append([]byte(`{"arguments":`), raw...), '}'), &got); err == nil && len(got.Arguments) > 0 && json.Unmarshal(kept.Bytes, &back) != nil {
			t.Fatalf("kept as %s", kept.Bytes)
		}
		if got.Arguments["value"] != nil && tl.name == "browse_fill" && back.Arguments["value"] != "[redacted: typed]" {
			t.Fatalf("kept as %s", kept.Bytes)
		}
		if _, err := c.steps(); err != nil {
			t.Fatal(err)
		}
		var args any
		if json.Unmarshal(raw, &args) != nil || args == nil {
			return
		}
		resolved, err := tl.schema.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		v, ok := got.Arguments["value"]
		if err := resolved.Validate(args); err != nil && ok && tl.name == "browse_fill" {
			words, _ := json.Marshal(v)
			said := tl.explain(`validating "arguments": ` + err.Error())
			if len(words) > 12 && strings.Contains(said, strings.Trim(string(words), `"[]`)) && !strings.Contains(said, "additional") {
				t.Fatalf("%s says %s", words, said)
			}
		}
	})
}

// The instructions name every kind of expectation that there is, once for all tools.
func TestExpectationsAreNamed(t *testing.T) {
	what := instructions
	for _, kind := range sentinel.Types() {
		if !regexp.MustCompile(`\b` + string(kind) + `\b`).MatchString(what) {
			t.Errorf("%s is not in %q", kind, what)
		}
	}
}

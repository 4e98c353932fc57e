package payload

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
)

// schemas are what each dialect's body must be: excerpts of what the vendors publish, and
// the types of the seeds, each with its source and date. A member that an excerpt does
// not know is an error. (The vendors' SDKs would bring 50 modules for the same check.)
func schemas(t testing.TB) map[string]*jsonschema.Schema {
	out := map[string]*jsonschema.Schema{}
	for _, dialect := range Dialects() {
		file := filepath.Join("testdata", "schema", dialect+".json")
		f, err := os.Open(file)
		require.NoError(t, err)
		doc, err := jsonschema.UnmarshalJSON(f)
		require.NoError(t, err, file)
		require.NoError(t, f.Close())
		c := jsonschema.NewCompiler()
		require.NoError(t, c.AddResource(dialect+".json", doc))
		out[dialect], err = c.Compile(dialect + ".json")
		require.NoError(t, err, file)
	}
	return out
}

func matches(s *jsonschema.Schema, body []byte) error {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return err
	}
	return s.Validate(doc)
}

func TestSchemas(t *testing.T) {
	all := schemas(t)
	for name, change := range map[string]func(*Input){
		"whole":      func(*Input) {},
		"bare":       func(in *Input) { *in = Input{Capture: in.Capture} },
		"no picture": func(in *Input) { in.NoImage = true },
		"compat":     func(in *Input) { in.Compat = true },
		"low":        func(in *Input) { in.ImageRule = ImageRule{Model: "m", Detail: "low", First: true} },
		"high":       func(in *Input) { in.ImageRule = ImageRule{Model: "m", Detail: "high"} },
		"hybrid":     func(in *Input) { in.Mode = "hybrid" },
		"full":       func(in *Input) { in.Mode, in.Compat = "full", true },
		"volatile":   func(in *Input) { in.DumpOptions.Volatile = true },
		"no profile": func(in *Input) {
			in.Answer.SiteProfile, in.Answer.ActionRequired = "",
				&ActionRequired{"createSiteProfile", "shop.example", "Make one."}
		},
		"navigated": func(in *Input) { in.Answer.Before.URL = "https://other.example/" },
		"changed out of view": func(in *Input) {
			for _, c := range []*snapshot.Capture{in.Capture, in.Answer.Before} {
				for i := range c.Nodes {
					c.Nodes[i].InViewport = i%2 == 0
				}
			}
			in.Answer.Before.Nodes[1].Name = "Another"
		},
	} {
		t.Run(name, func(t *testing.T) {
			for dialect, s := range all {
				require.NoError(t, matches(s, build(t, dialect, change).Body), dialect)
			}
		})
	}
}

// TestSchemasAreStrict: the check can fail. Each excerpt refuses a member it does not
// know, and a body of another dialect.
func TestSchemasAreStrict(t *testing.T) {
	all := schemas(t)
	for _, dialect := range Dialects() {
		body := build(t, dialect, func(*Input) {}).Body
		i := bytes.IndexByte(body, '{')
		foreign := append(append(slices.Clone(body[:i+1]), `"x_unknown":1,`...), body[i+1:]...)
		require.Error(t, matches(all[dialect], foreign), dialect)
		for _, other := range Dialects() {
			if other != dialect && !(dialect == "openai-chat" && other == "qwen") {
				require.Equal(t, false, matches(all[dialect], build(t, other, func(*Input) {}).Body) == nil, "%s as %s", other,
					dialect)
			}
		}
	}
}

// TestAgentInteractFields: which field of AgentInteractRequest is in which mode, and
// what it is. S is semantic, K skeleton, H hybrid, F full; small letters are the modes
// under compat; "" is in none.
func TestAgentInteractFields(t *testing.T) {
	modes := map[byte]string{'s': "semantic", 'k': "skeleton", 'h': "hybrid", 'f': "full"}
	const always = "SKHFskhf"
	type field struct{ modes, kind string }
	fields := map[string]field{
		"url": {always, "string"}, "query": {always, "string"}, "dom": {"Fskhf", "string"},
		"taskId": {always, "string"}, "sessionId": {always, "string"},
		"lastActionStatus": {always, "string"}, "lastActionError": {always, "object"}, "lastActionResult": {always, "object"},
		"domChanges": {always, "object"}, "clientObservations": {always, "object"},
		"domMode": {always, "string"}, "interactiveTree": {"Ss", "array"}, "viewport": {"Ss", "object"},
		"pageTitle":           {"Ss", "string"},
		"verification_passed": {always, "bool"}, "verification_message": {always, "string"},
		"errors_detected": {always, "array"},
		"recent_events":   {"SKHF", "array"}, "has_errors": {"SKHF", "bool"}, "has_success": {"SKHF", "bool"},
		"scroll_position": {"S", "string"},
		"treeHash":        {"S", "string"}, "treeUnchanged": {"S", "bool"},
		"skeletonDom": {"KHkhf", "string"}, "screenshot": {"Hhf", "string"}, "screenshotHash": {"Hhf", "string"},
	}
	raw, err := os.ReadFile(filepath.Join("testdata", "schema", "agent-interact.json"))
	require.NoError(t, err)
	var doc struct{ Properties map[string]any }
	require.NoError(t, json.Unmarshal(raw, &doc))
	require.ElementsMatch(t, slices.Collect(maps.Keys(doc.Properties)), slices.Collect(maps.Keys(fields)),
		"every field of the request's type")
	for letter, mode := range modes {
		for _, compat := range []bool{false, true} {
			if !compat {
				letter = strings.ToUpper(string(letter))[0]
			} else {
				letter = strings.ToLower(string(letter))[0]
			}
			var got map[string]any
			require.NoError(t, json.Unmarshal(build(t, "agent-interact",
				func(in *Input) { in.Mode, in.Compat = mode, compat }).Body, &got))
			for name, f := range fields {
				v, ok := got[name]
				require.Equal(t, strings.IndexByte(f.modes, letter) >= 0, ok, "%s in mode %c", name, letter)
				if !ok {
					continue
				}
				kind := "array"
				switch v.(type) {
				case string:
					kind = "string"
				case map[string]any:
					kind = "object"
				case bool:
					kind = "bool"
				}
				require.Equal(t, f.kind, kind, name)
			}
		}
	}
	// What the session does not have yet is left out, not empty.
	var got map[string]any
	require.NoError(t, json.Unmarshal(build(t, "agent-interact", func(in *Input) { in.Agent = AgentState{} }).Body, &got))
	require.ElementsMatch(t, []string{"url", "query", "domMode", "viewport", "interactiveTree", "pageTitle",
		"scroll_position", "recent_events", "has_errors", "has_success"}, slices.Collect(maps.Keys(got)))
}

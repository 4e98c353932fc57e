package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/refscope/refscope/capture/inspect"
	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/diff"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/golden"
	"github.com/refscope/refscope/snapshot/runs"
	"github.com/refscope/refscope/snapshot/tokenmap"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/why"
)

// draft is the dialect of JSON Schema that all of them are in.
const draft = "https://json-schema.org/draft/2020-12/schema"

// base is where the schemas can be fetched from, so that each has an address of its own.
const base = "https://raw.githubusercontent.com/refscope/refscope/main/docs/schemas/"

// schemas are the files of docs/schemas by their names. What they say of a member is the comment of its field in the
// repository at root.
func schemas(root string) (map[string][]byte, error) {
	session, oneTurn := turn.Documents()
	files := map[string][]byte{}
	comments := &fieldComments{root: root, packages: map[string]map[string]string{}}
	for _, d := range []struct {
		name, title string
		of          reflect.Type
		version     string // what the document says of itself
	}{
		{"capture", "A capture", reflect.TypeFor[snapshot.Capture](), snapshot.Schema},
		{"manifest", "The manifest of a marked picture", reflect.TypeFor[overlay.Manifest](), "refscope.marks/1"},
		{"session", "session.json of a session folder", session, "refscope.session/1"},
		{"turn", "turn.json of a turn in a session folder", oneTurn, ""},
		{"findings", "A report of refscopectl audit --json", reflect.TypeFor[inspect.Audited](), audit.Schema},
		{"sent", "A line of refscopectl audit --as-sent --json", reflect.TypeFor[inspect.SentAudit](),
			audit.SentSchema},
		{"sentdiff", "What refscopectl diff --as-sent --json prints", reflect.TypeFor[inspect.SentDiff](),
			"refscope.sentdiff/1"},
		{"doctor", "A report of refscopectl doctor --json", reflect.TypeFor[doctor.Report](), doctor.Schema},
		{"diff", "What refscopectl diff --json prints", reflect.TypeFor[diff.Diff](), diff.Schema},
		{"compare", "What refscopectl compare --json prints", runs.Document(), runs.Schema},
		{"why", "What refscopectl why --json prints", reflect.TypeFor[inspect.WhyAnswer](), why.Schema},
		{"tokens", "What refscopectl tokens --json prints", reflect.TypeFor[inspect.Costs](), tokenmap.Schema},
		{"golden", "golden.json of a folder of accepted pages", reflect.TypeFor[golden.List](), golden.Schema},
		{"goldencheck", "What refscopectl golden --json prints", reflect.TypeFor[inspect.GoldenCheck](),
			inspect.GoldenSchema},
		{"batch", "What refscopectl batch --json prints", reflect.TypeFor[inspect.BatchRun](), inspect.BatchSchema},
		{"dataset", "What refscopectl dataset build --json prints", reflect.TypeFor[inspect.DatasetBuild](),
			inspect.DatasetSchema},
		{"datasetcheck", "What refscopectl dataset check --json prints", reflect.TypeFor[inspect.DatasetCheck](),
			inspect.DatasetCheckSchema},
		{"find", "What refscopectl find --json prints", reflect.TypeFor[inspect.Found](), "refscope.find/1"},
	} {
		s, err := jsonschema.ForType(d.of, &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
			reflect.TypeFor[json.RawMessage](): {},
		}})
		if err != nil {
			return nil, fmt.Errorf("schema of %s: %w", d.name, err)
		}
		if err := comments.describe(d.of, s); err != nil {
			return nil, fmt.Errorf("schema of %s: %w", d.name, err)
		}
		if d.name == "findings" { // the report alone, as batch keeps it, has none of the command's own members
			s.Required = slices.DeleteFunc(s.Required, func(member string) bool {
				return slices.Contains([]string{"target", "breaches", "passed"}, member)
			})
		}
		if d.name == "session" || d.name == "turn" { // the store writes it behind all others
			s.Properties["crc"] = &jsonschema.Schema{Type: "string", Pattern: "^[0-9a-f]{8}$",
				Description: "the CRC-32C of all bytes before it, hexadecimal"}
			s.PropertyOrder = append(s.PropertyOrder, "crc")
		}
		title := d.title
		if d.version != "" {
			isVersion(s, d.version)
			title += ", " + d.version
		}
		if err := add(files, d.name, title, s); err != nil {
			return nil, err
		}
	}
	return files, add(files, "steps", "A command of refscopectl run", step.Schema())
}

// isVersion holds the member of a document that says its version to its one value.
func isVersion(s *jsonschema.Schema, version string) {
	p := cmp.Or(s.Properties["schema"], s.Properties["format"])
	if p == nil { // the command line writes it
		p = &jsonschema.Schema{Type: "string"}
		s.Properties["schema"] = p
		s.PropertyOrder = append([]string{"schema"}, s.PropertyOrder...)
	}
	var v any = version
	p.Const, p.Description = &v, "the version of this shape; members are added to it and none is taken away"
}

func add(files map[string][]byte, name, title string, s *jsonschema.Schema) error {
	s.Schema, s.ID, s.Title = draft, base+name+".schema.json", title
	body, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return fmt.Errorf("schema of %s: %w", name, err)
	}
	files[name+".schema.json"] = append(body, '\n')
	return nil
}

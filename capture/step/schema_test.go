package step_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/step"
)

// TestSchemaIsAsStrictAsTheProgram: the schema takes every command that the program takes, but for members that are null,
// which say nothing; and what it refuses, the program refuses. Both are made of one declaration.
func TestSchemaIsAsStrictAsTheProgram(t *testing.T) {
	schema, err := step.Schema().Resolve(nil)
	require.NoError(t, err)
	// try gives the errors of the schema and of the program for a step with these parameters.
	try := func(name, params string) (bySchema, byProgram error) {
		t.Helper()
		command := fmt.Sprintf(`{"tab":"t1","steps":[{%q:%s}]}`, name, params)
		var v any
		require.NoError(t, json.Unmarshal([]byte(command), &v), command)
		_, byProgram = step.Parse([]byte(command))
		return schema.Validate(v), byProgram
	}
	refused := 0
	for _, d := range step.Table() {
		for _, f := range d.Forms {
			bySchema, byProgram := try(d.Name, f.Example())
			require.NoError(t, byProgram, "%s %s", d.Name, f.Example())
			require.NoError(t, bySchema, "%s %s", d.Name, f.Example())
		}
		shapes := []string{`"a"`, `1`, `true`, `false`, `null`, `[]`, `["a"]`, `{}`, `{"no such name":1}`}
		for _, p := range d.Params() {
			for _, value := range []string{`"a"`, `1`, `1.5`, `true`, `[]`, `{}`} {
				shapes = append(shapes, fmt.Sprintf(`{%q:%s}`, p.Name, value), fmt.Sprintf(`{%q:%s,"%sx":1}`, p.Name, value, p.Name))
			}
		}
		for _, params := range shapes {
			bySchema, byProgram := try(d.Name, params)
			if byProgram == nil {
				require.NoError(t, bySchema, "%s %s works", d.Name, params)
			}
			if bySchema != nil {
				refused++
				require.Error(t, byProgram, "%s %s", d.Name, params)
			}
		}
		// fill takes selectors as names, and queryAll's are the writer's.
		if d.Name != "fill" && d.Name != "queryAll" {
			bySchema, _ := try(d.Name, `{"no such name":1}`)
			require.Error(t, bySchema, d.Name)
		}
		bySchema, byProgram := try(d.Name+"x", `true`)
		require.Error(t, bySchema)
		require.Error(t, byProgram)
	}
	require.Greater(t, refused, 1000)
	t.Logf("the schema refuses %d commands", refused)
}

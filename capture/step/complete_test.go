package step

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// caretIn splits a text at its caret, which is written as |.
func caretIn(t testing.TB, s string) (string, int) {
	t.Helper()
	text, rest, ok := strings.Cut(s, "|")
	require.True(t, ok, s)
	return text + rest, len(text)
}

func knownHere() []Known {
	return []Known{{3, "button", "Place order"}, {12, "textbox", "Full name"}, {34, "link", "Home"}}
}

func TestComplete(t *testing.T) {
	tests := []struct {
		name, text string
		first      string   // label of the first suggestion, "" for none
		has, not   []string // labels
		after      string   // the text with the first taken, and the caret
	}{
		{"an empty draft", "|", "goto", []string{"click", "fill", "steps"}, []string{"openTab"}, `{"goto": |}`},
		{"a word", "cli|", "click", nil, []string{"fill"}, `{"click": |}`},
		{"a key", `{"cli|`, "click", nil, []string{"fill"}, `{"click": |`},
		{"a key without quotes", `{fi|}`, "fill", nil, []string{"click"}, `{"fill": |}`},
		{"a key with the rest of it", `{"cli|ck": "#a"}`, "click", nil, nil, `{"click"|: "#a"}`},
		{"a list of steps", `{"steps":[{"click":"e3"}, |]}`, "goto", []string{"press"}, nil, ""},
		{"a step in the list", `{"steps":[{"wa|`, "wait", nil, []string{"click"}, ""},
		{"a bare list", `[{"pre|`, "press", nil, nil, `[{"press": |`},
		{"what is beside the action", `{"click":"e3",|}`, "optional", []string{"timeout", "readyWhen"}, []string{"click", "fill"}, `{"click":"e3","optional": true|}`},
		{"a ref", `{"click": |}`, "e3", []string{"e12", "e34", `"#submit"`}, nil, `{"click": "e3"|}`},
		{"a ref by its number", `{"click":"12|"}`, "e12", nil, []string{"e3"}, `{"click":"e12"|}`},
		{"a ref by its name", `{"click":"full|"}`, "e12", nil, []string{"e3"}, `{"click":"e12"|}`},
		{"parameters", `{"fill":{|}}`, "selector", []string{"value", "ref", "label", "force", "strict"}, []string{"#firstName", "s1e4"}, `{"fill":{"selector": |}}`},
		{"parameters that are left", `{"fill":{"ref":"e12","v|`, "value", nil, []string{"ref"}, `{"fill":{"ref":"e12","value": |`},
		{"a ref among parameters", `{"fill":{"ref":|`, "e3", []string{"e12"}, nil, ""},
		{"true or false", `{"click":{"doubleClick":|`, "true", []string{"false"}, nil, ""},
		{"a declared choice", `{"domtoolClick":{"nodeId":"a","button":|}}`, `"left"`, []string{`"middle"`, `"right"`}, nil,
			`{"domtoolClick":{"nodeId":"a","button":"left"|}}`},
		{"a declared choice by its start", `{"domtoolClick":{"button":"ri|"}}`, `"right"`, nil, []string{`"left"`}, ""},
		{"true or false of no example", `{"click":{"nativeOnly":|`, "true", []string{"false"}, nil, ""},
		{"a value is complete", `{"click":"e3"|}`, "", nil, nil, ""},
		{"after the list", `{"steps":[]|}`, "", nil, nil, ""},
		{"no such step", `{"klick":|}`, "", nil, nil, ""},
		{"no such word", `{"zzz|`, "", nil, nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text, caret := caretIn(t, tt.text)
			list, from, to := Complete(text, caret, knownHere())
			if tt.first == "" {
				require.Empty(t, list)
				return
			}
			require.NotEmpty(t, list)
			require.Equal(t, tt.first, list[0].Label)
			labels := map[string]bool{}
			for _, s := range list {
				labels[s.Label] = true
			}
			for _, l := range tt.has {
				require.True(t, labels[l], "%s in %v", l, labels)
			}
			for _, l := range tt.not {
				require.False(t, labels[l], "%s in %v", l, labels)
			}
			if tt.after != "" {
				s := list[0]
				require.Equal(t, tt.after, text[:from]+s.Insert[:s.Caret]+"|"+s.Insert[s.Caret:]+text[to:])
			}
		})
	}
}

// TestParametersAreDeclared: every step declares its parameters, each with a line of help, and what an example uses
// is declared.
func TestParametersAreDeclared(t *testing.T) {
	for _, d := range Table() {
		for _, p := range d.Params() {
			require.NotEmpty(t, p.What, "%s.%s", d.Name, p.Name)
		}
	}
	require.Contains(t, paramNames(lookup("click")), "nativeOnly", "which is in no example as a member")
	require.Equal(t, "selector", paramNames(lookup("fill"))[0], "examples come first")
}

func TestReadDraft(t *testing.T) {
	tests := []struct {
		name, text   string
		steps        int
		err          string
		line, column int
	}{
		{"one step", `{"click":"e3"}`, 1, "", 0, 0},
		{"one step, optional", `{"click":"e3","optional":true}`, 1, "", 0, 0},
		{"a list", `[{"click":"e3"},{"press":"Enter"}]`, 2, "", 0, 0},
		{"a command", `{"steps":[{"click":"e3"}],"timeout":1000}`, 1, "", 0, 0},
		{"nothing", " \n", 0, "empty", 0, 0},
		{"no JSON", "{\"click\":\n  klick}", 0, "this is not JSON", 2, 3},
		{"no end", `{"click":"e3"`, 0, "this is not JSON", 1, 13},
		{"a number", `7`, 0, "want a step", 1, 1},
		{"an unknown step", `{"clik":"e3"}`, 0, `did you mean "click"`, 1, 1},
		{"in the second line", "[{\"click\":\"e3\"},\n {\"press\":{\"kye\":\"x\"}}]", 0, "step 2", 2, 2},
		{"of a command", "{\"timeout\":5,\n\"steps\":[{\"click\":\"e3\"},\n\n  {\"clik\":1}]}", 0, "step 2", 4, 3},
		{"another tab", `{"tab":"t1","steps":[{"click":"e3"}]}`, 0, "leave tab out", 1, 2},
		{"twice", `{"click":"e3","click":"e4"}`, 0, "twice", 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := ReadDraft([]byte(tt.text), "0123456789ABCDEF0123456789ABCDEF")
			require.Equal(t, [2]int{tt.line, tt.column}, [2]int{d.Line, d.Column}, "%v", d.Err)
			if tt.err != "" {
				require.ErrorContains(t, d.Err, tt.err)
				require.Nil(t, d.Command)
				return
			}
			require.NoError(t, d.Err)
			require.Len(t, d.Command.Steps, tt.steps)
			require.Equal(t, "0123456789ABCDEF0123456789ABCDEF", d.Command.Tab)
		})
	}
}

// FuzzDraft: no text breaks reading and completion, and what is suggested fits in.
func FuzzDraft(f *testing.F) {
	for _, s := range []string{"", `{"click":`, `{"steps":[{"fill":{"ref":"e12","value":"é\"`, `[[[{{{`, "}]", `{"a":"\`, "{\"cl\nick\""} {
		f.Add(s, len(s))
		f.Add(s, len(s)/2)
	}
	f.Fuzz(func(t *testing.T, text string, caret int) {
		d := ReadDraft([]byte(text), "T")
		require.Equal(t, d.Err == nil, d.Command != nil)
		list, from, to := Complete(text, caret, knownHere())
		require.True(t, 0 <= from && from <= to && to <= len(text), "%d %d %d", from, to, len(text))
		for _, s := range list {
			require.True(t, 0 <= s.Caret && s.Caret <= len(s.Insert))
			require.NotEmpty(t, s.Insert)
		}
	})
}

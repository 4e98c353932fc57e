package step

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/chrometest"
)

var chrome chrometest.Chrome

func TestMain(m *testing.M) { os.Exit(chrome.Main(m)) }

func TestParseRefuses(t *testing.T) {
	for in, want := range map[string]string{
		``:                                      "PARSE: the input is empty",
		`{"steps":[{"click":"#a"}]`:             "PARSE: the input is not JSON",
		`[1]`:                                   "PARSE: the input: want an object",
		`{"steps":[]}`:                          "VALIDATION: steps is empty",
		`{"tab":"t1"}`:                          "VALIDATION: steps is missing",
		`{"config":{},"steps":[]}`:              "VALIDATION: config is no longer supported",
		`{"step":[]}`:                           `VALIDATION: unknown top-level member "step": did you mean "steps"?`,
		`{"tab":"t1","steps":[{"clik":1}]}`:     `VALIDATION: step 1: unknown step "clik": did you mean "click"?`,
		`{"tab":"t1","steps":[{"Navigate":1}]}`: `unknown step "Navigate": did you mean "goto"?`,
		`{"tab":"t1","steps":[{"click":"#a","fill":"x"}]}`:                 "VALIDATION: step 1: it names 2 actions, click and fill",
		`{"tab":"t1","steps":[{}]}`:                                        "VALIDATION: step 1: it names no action",
		`{"tab":"t1","steps":[{"click":{"selectr":"#a"}}]}`:                `VALIDATION: step 1: click: unknown parameter "selectr": did you mean "selector"?`,
		`{"tab":"t1","steps":[{"click":{"selector":5}}]}`:                  "VALIDATION: step 1: click: selector: want a string, not a number",
		`{"tab":"t1","steps":[{"click":{"ref":"s1e4","text":"x"}}]}`:       "VALIDATION: step 1: click: it names the element in several ways",
		`{"tab":"t1","steps":[{"click":{"x":1}}]}`:                         "VALIDATION: step 1: click: x and y belong together",
		`{"tab":"t1","steps":[{"fill":{"selector":"#a"}}]}`:                "VALIDATION: step 1: fill: value is missing",
		`{"tab":"t1","steps":[{"click":"#a","click":"#b"}]}`:               `VALIDATION: step 1: "click" is given twice`,
		`{"tab":"t1","steps":[{"click":"#a"}],"timeout":0}`:                "VALIDATION: timeout: 0: want more than 0 ms",
		`{"steps":[{"click":"#a"}]}`:                                       "VALIDATION: step 1: click needs a tab",
		`{"steps":[{"listTabs":true},{"click":"#a"}]}`:                     "VALIDATION: step 2: click needs a tab",
		`{"tab":"t1","steps":[{"goto":{"url":"x","waitUntil":"loaded"}}]}`: `VALIDATION: step 1: goto: unknown waitUntil "loaded": did you mean "load"?`,
		`{"tab":"t1","steps":[{"goto":"x","readyWhen":"() => 1"}]}`:        "VALIDATION: step 1: goto takes no hooks",
		`{"tab":"t1","steps":[{"drag":{"source":"#a"}}]}`:                  "VALIDATION: step 1: drag: source and target are both needed",
		`{"tab":"t1","steps":[{"selectOption":{"selector":"#a"}}]}`:        "VALIDATION: step 1: selectOption: give one of",
		`{"tab":"t1","steps":[{"selectOption":{"label":"Red"}}]}`:          "give a selector or a ref; label is that of the option",
		`{"tab":"t1","steps":[{"upload":{"files":["a"]}}]}`:                "upload: it names no element: give a selector or a ref",
		`{"tab":"t1","steps":[{"scroll":{"x":1,"deltaY":2}}]}`:             "VALIDATION: step 1: scroll: x and y are a place",
		`{"tab":"t1","click":"#a"}`:                                        `VALIDATION: "click" is a step: write {"steps":[{"click":…}]}`,
	} {
		_, err := Parse([]byte(in))
		var e *Error
		require.ErrorAs(t, err, &e, in)
		require.Contains(t, e.Type+": "+e.Error(), want, in)
	}
}

// Every example of every form is read.
func TestExamplesAreValid(t *testing.T) {
	for _, k := range Table() {
		require.NotEmpty(t, k.Forms, k.Name)
		require.NotEmpty(t, k.Summary, k.Name)
		for _, f := range k.Forms {
			step := `{"` + k.Name + `":` + f.Example() + `}`
			in := `{"tab":"t1","steps":[` + step + `]}`
			if k.First || k.NoTab {
				in = `{"steps":[` + step + `]}`
			}
			_, err := Parse([]byte(in))
			require.NoError(t, err, step)
		}
	}
}

// What other tools call a step is no step's name, and means one step.
func TestAStepsOtherWordsMeanIt(t *testing.T) {
	for _, d := range Table() {
		for _, word := range d.Also {
			require.Equal(t, strings.ToLower(word), word)
			require.Nil(t, lookup(word), word)
			require.EqualError(t, unknownStep(word), fmt.Sprintf("unknown step %q: did you mean %q?", word, d.Name))
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"tab":"t1","steps":[{"click":"#a"}]}`, `{"steps":[{"fill":{"a":1}}]}`, `{`, `{"steps":[{"drag":{"source":{"x":1,"y":2},"target":"s1e1"}}]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		c, err := Parse(in)
		if err != nil {
			return
		}
		require.NotEmpty(t, c.Steps)
		kept, err := c.Redacted()
		require.NoError(t, err)
		var shown struct{ Steps []map[string]json.RawMessage }
		require.NoError(t, json.Unmarshal(kept, &shown))
		require.Len(t, shown.Steps, len(c.Steps))
		for i, s := range c.Steps {
			require.Contains(t, shown.Steps[i], s.Action)
		}
	})
}

func BenchmarkPageFunction(b *testing.B) {
	tab := chrome.Open(b, chrometest.Page(b, chrometest.Rows(110)))
	r, err := New(b.Context(), tab, Options{Alias: "t1"})
	require.NoError(b, err)
	for name, source := range map[string]string{"number": `() => 1`, "text": `() => document.title`, "expression": `document.title`} {
		run, err := lookup("pageFunction").Parse(json.RawMessage(`"` + source + `"`))
		require.NoError(b, err)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := run(b.Context(), r.env); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

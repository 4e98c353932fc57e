package sentinel

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	text := "Ada"
	for name, x := range map[string]struct {
		in   string
		want Expectation
		says string
	}{
		"the seed's example": {`{"type":"navigation","or_element_appears":"Thank you"}`,
			Expectation{Type: Navigation, Or: &Expectation{Type: ElementAppears, Text: "Thank you"}}, `navigation or "Thank you" appears`},
		"the seed's call": {`{"type":"navigation","orOutcome":{"type":"element_appears","text":"Thank you"},"timeout":2000}`,
			Expectation{Type: Navigation, Or: &Expectation{Type: ElementAppears, Text: "Thank you"}, Timeout: 2 * time.Second}, `navigation or "Thank you" appears`},
		"a name":          {`"any_change"`, Expectation{Type: AnyChange}, "any change"},
		"or_outcome":      {`{"type":"no_change","or_outcome":"any_change"}`, Expectation{Type: NoChange, Or: &Expectation{Type: AnyChange}}, "no change or any change"},
		"a ref as text":   {`{"type":"element_disappears","ref":"@e12"}`, Expectation{Type: ElementDisappears, Ref: 12}, "@e12 disappears"},
		"a ref as number": {`{"type":"state_changes","elementId":12}`, Expectation{Type: StateChanges, Ref: 12}, "state of @e12 changes"},
		"a frame's ref":   {`{"type":"value_changes","ref":"f1_15","value":"Ada"}`, Expectation{Type: ValueChanges, Ref: 15, Spelled: "f1_15", Value: &text}, "value of @e15 changes"},
		"a selector":      {`{"type":"element_appears","selector":"#done"}`, Expectation{Type: ElementAppears, Selector: "#done"}, "#done appears"},
		"white space":     {` {"type":"element_appears","text":" Thank\n you "} `, Expectation{Type: ElementAppears, Text: "Thank you"}, `"Thank you" appears`},
		"or a disappearance": {`{"type":"navigation","or_element_disappears":"Loading"}`,
			Expectation{Type: Navigation, Or: &Expectation{Type: ElementDisappears, Text: "Loading"}}, `navigation or "Loading" disappears`},
	} {
		t.Run(name, func(t *testing.T) {
			e, err := Parse([]byte(x.in))
			require.NoError(t, err)
			require.Equal(t, x.want, *e)
			require.Equal(t, x.says, e.String())
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for name, x := range map[string]struct{ in, why string }{
		"nothing":               {``, "it is empty"},
		"null":                  {`null`, "want an object"},
		"a number":              {`7`, "want an object"},
		"a list":                {`[]`, "want an object"},
		"no type":               {`{"text":"x"}`, "type is missing"},
		"an unknown type":       {`{"type":"magic"}`, `unknown type "magic"`},
		"an unknown name":       {`"magic"`, `unknown type "magic"`},
		"an unknown member":     {`{"type":"navigation","url":"x"}`, "url: unknown member"},
		"another letter case":   {`{"Type":"navigation"}`, "Type: unknown member"},
		"twice":                 {`{"type":"navigation","type":"no_change"}`, "type is given twice"},
		"two alternatives":      {`{"type":"navigation","or_element_appears":"x","orOutcome":"any_change"}`, "say the same"},
		"two refs":              {`{"type":"state_changes","ref":1,"elementId":2}`, "say the same"},
		"something behind":      {`{"type":"navigation"} {}`, "something follows"},
		"cut off":               {`{"type":"navigation"`, "EOF"},
		"appears what":          {`{"type":"element_appears"}`, "say what"},
		"an empty text":         {`{"type":"element_appears","text":" "}`, "text: it is empty"},
		"two ways":              {`{"type":"element_appears","text":"x","ref":3}`, "several ways"},
		"a text of no use":      {`{"type":"value_changes","text":"x"}`, "no use for text"},
		"an element of no use":  {`{"type":"any_change","ref":3}`, "no use for an element"},
		"a value of nothing":    {`{"type":"value_changes","value":"x"}`, "value belongs to"},
		"a value that is null":  {`{"type":"value_changes","ref":1,"value":null}`, "want a string, not null"},
		"a timeout of nothing":  {`{"type":"navigation","timeout":0}`, "want 1 to 30000 ms"},
		"a timeout of an hour":  {`{"type":"navigation","timeout":3600000}`, "want 1 to 30000 ms"},
		"a timeout as text":     {`{"type":"navigation","timeout":"2000"}`, "want a number, not a string"},
		"a ref of nothing":      {`{"type":"state_changes","ref":0}`, "want the number of an element"},
		"a ref that is a word":  {`{"type":"state_changes","ref":"save"}`, `"save" is not a number`},
		"too deep":              {strings.Repeat(`{"type":"navigation","orOutcome":`, 4) + `"no_change"` + strings.Repeat("}", 4), "more than 4"},
		"too long":              {`{"type":"element_appears","text":"` + strings.Repeat("x", 501) + `"}`, "more than 500"},
		"far too long":          {strings.Repeat(" ", 17<<10), "at most 16384 are allowed"},
		"not UTF-8":             {"\"\xff\"", "not UTF-8"},
		"a wrong alternative":   {`{"type":"navigation","orOutcome":{"type":"magic"}}`, "orOutcome: unknown type"},
		"an empty disappearing": {`{"type":"navigation","or_element_disappears":""}`, "it is empty"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse([]byte(x.in))
			require.ErrorContains(t, err, x.why)
		})
	}
}

// FuzzParse: whatever an endpoint sends, it is refused or it is an expectation that
// passes its own check and can be told.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"type":"navigation","or_element_appears":"Thank you","timeout":2000}`, `"any_change"`, `{"type":"value_changes","ref":"f1_15","value":"Ada"}`,
		`{"type":"navigation","orOutcome":{"type":"element_disappears","selector":"#x"}}`, `{`, `{"type":1}`, `null`, `{"a":{"type":"x"}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := Parse(data)
		if err != nil {
			require.Nil(t, e)
			return
		}
		depth := 0
		for x := e; x != nil; x = x.Or {
			require.NoError(t, x.check())
			depth++
		}
		require.LessOrEqual(t, depth, maxChain+1) // a short alternative hangs on the last one
		require.NotEmpty(t, e.String())
		require.NotContains(t, e.String(), "\n")
		require.Positive(t, e.limit())
		require.LessOrEqual(t, e.limit(), maxTimeout)
	})
}

func TestDefault(t *testing.T) {
	for _, x := range []struct {
		verb, role string
		want       Type
		ref        int
	}{
		{"click", "button", AnyChange, 0}, {"click", "checkbox", StateChanges, 7}, {"setValue", "textbox", ValueChanges, 7}, {"check", "checkbox", StateChanges, 7},
		{"navigate", "", Navigation, 0}, {"goBack", "", Navigation, 0}, {"scroll", "", AnyChange, 0}, {"hover", "button", NoChange, 0}, {"wait", "", NoChange, 0},
	} {
		e := Default(x.verb, 7, x.role)
		require.NoError(t, e.check(), x.verb)
		require.Equal(t, x.want, e.Type, x.verb)
		require.Equal(t, x.ref, e.Ref, x.verb)
	}
}

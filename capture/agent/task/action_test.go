package task

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/element"
)

func TestParseAction(t *testing.T) {
	for _, x := range []struct {
		in    string
		want  Action
		shown string
	}{
		{"click(7)", Action{Verb: "click", ID: "7"}, "click(7)"},
		{` click ( "f1_12" ) `, Action{Verb: "click", ID: "f1_12"}, "click(f1_12)"},
		{`click(id="55")`, Action{Verb: "click", ID: "55"}, "click(55)"},
		{"click(@e7)", Action{Verb: "click", ID: "@e7"}, "click(@e7)"},
		{`setValue(5, "Ada")`, Action{Verb: "setValue", ID: "5", Text: "Ada"}, "setValue(5, [3 characters])"},
		{`setValue(5, 'it\'s "so"')`, Action{Verb: "setValue", ID: "5", Text: `it's "so"`}, "setValue(5, [9 characters])"},
		{"setValue(5, \"two\nlines, \\u00e9\\n\")", Action{Verb: "setValue", ID: "5", Text: "two\nlines, é\n"}, "setValue(5, [13 characters])"},
		{`setValue(5, "")`, Action{Verb: "setValue", ID: "5"}, "setValue(5, [0 characters])"},
		{`setValue(i=5, value="a)b")`, Action{Verb: "setValue", ID: "5", Text: "a)b"}, "setValue(5, [3 characters])"},
		{`select(5, "Express")`, Action{Verb: "select", ID: "5", Text: "Express"}, "select(5, [7 characters])"},
		{`press("Enter")`, Action{Verb: "press", Text: "Enter"}, `press("Enter")`},
		{`press(Control+a, 5)`, Action{Verb: "press", Text: "Control+a", ID: "5"}, `press("Control+a", 5)`},
		{"scroll()", Action{Verb: "scroll"}, "scroll()"},
		{"scroll(12)", Action{Verb: "scroll", ID: "12"}, "scroll(12)"},
		{`scroll("up")`, Action{Verb: "scroll", Text: "up"}, `scroll("up")`},
		{`scroll(12, "top")`, Action{Verb: "scroll", ID: "12", Text: "top"}, `scroll(12, "top")`},
		{`scroll(direction="down")`, Action{Verb: "scroll", Text: "down"}, `scroll("down")`},
		{`navigate("https://example.org/a?b=(c)")`, Action{Verb: "navigate", Text: "https://example.org/a?b=(c)"}, `navigate("https://example.org/a?b=(c)")`},
		{"goBack()", Action{Verb: "goBack"}, "goBack()"},
		{"wait()", Action{Verb: "wait"}, "wait()"},
		{"wait(500)", Action{Verb: "wait", Wait: 500 * time.Millisecond}, "wait(500)"},
		{`finish("It is ordered")`, Action{Verb: "finish", Text: "It is ordered"}, `finish("It is ordered")`},
		{"fail()", Action{Verb: "fail"}, "fail()"},
	} {
		t.Run(x.in, func(t *testing.T) {
			a, err := parseAction(x.in)
			require.NoError(t, err)
			require.Equal(t, x.want, *a)
			require.Equal(t, x.shown, a.String())
		})
	}
	for _, v := range verbs() {
		a, err := parseAction(v.example)
		require.NoError(t, err, "an example can be read")
		require.Equal(t, v.name, a.Verb)
	}
}

func TestParseActionRefuses(t *testing.T) {
	for in, why := range map[string]string{
		"":                                     "names no verb",
		"click":                                "opening bracket is missing",
		"click(":                               "an argument is missing",
		"click()":                              "id is missing",
		"click(7":                              "closing bracket is missing",
		"click(7))":                            "follows behind it",
		"click(7); click(8)":                   "one answer does one thing",
		"click(7)\nclick(8)":                   "one answer does one thing",
		"click(7, 8)":                          "it takes 1 arguments",
		"click(0)":                             "is not a number of an element",
		"click(-7)":                            "is not a number of an element",
		"click(seven)":                         "is not a number of an element",
		"click(#buy)":                          "an argument is missing",
		`click("button.buy")`:                  "is not a number of an element",
		"click(nv_1a2b)":                       "is not a number of an element",
		"Click(7)":                             "did you mean click?",
		"clck(7)":                              "did you mean click?",
		"eval(1)":                              "unknown action",
		"setValue(5)":                          "text is missing",
		"setValue(5, Ada)":                     "not between quotes",
		`setValue("Ada", 5)`:                   "is not a number of an element",
		`setValue(5, "Ada)`:                    "closing quote is missing",
		`setValue(5, "say "hi"")`:              "cannot stand there",
		`setValue(5, "\q")`:                    "cannot be read",
		`setValue(5, text="a", "b")`:           "without a name follows",
		`setValue(5, text="a", value="b")`:     "is given twice",
		`setValue(5, txt="a")`:                 `no argument "txt"`,
		`setValue(5, text=value="a")`:          "has two names",
		`press("Entr")`:                        "Entr",
		`scroll("sideways")`:                   "is not a number of an element",
		`scroll(7, "sideways")`:                "unknown direction",
		`navigate(example.org)`:                "not between quotes",
		`navigate("javascript:alert(1)")`:      "not an http or https address",
		`navigate("file:///etc/passwd")`:       "not an http or https address",
		`navigate("https://a:b@c/")`:           "not an http or https address",
		"wait(600000)":                         "want 0 to 10000 ms",
		"wait(NaN)":                            "want 0 to 10000 ms",
		"<think>click(7)</think>":              "names no verb",
		"\xff":                                 "not UTF-8",
		"click(" + strings.Repeat("7", 70_000): "at most 65536",
	} {
		t.Run(quoted(in), func(t *testing.T) {
			a, err := parseAction(in)
			require.Nil(t, a)
			require.ErrorContains(t, err, why)
			require.Less(t, len(err.Error()), 1000)
		})
	}
}

// FuzzParseAction: an action is refused, or it means one thing: what it says it is can be
// read again and is the same, and what was typed is not told.
func FuzzParseAction(f *testing.F) {
	for _, v := range verbs() {
		f.Add(v.example)
	}
	for _, s := range []string{`setValue(id=5, text='a\'b')`, `scroll(7, "up")`, "click(7))", `press(Control++)`, "setValue(5, \"a\nb\")", `click(id=id=7)`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := parseAction(s)
		if err != nil {
			require.Nil(t, a)
			require.NotContains(t, err.Error(), "\n")
			return
		}
		v, ok := verbOf(a.Verb)
		require.True(t, ok)
		if strings.Contains(v.args, "i") {
			require.Positive(t, element.Number(a.ID))
		}
		if a.Verb == "setValue" || a.Verb == "select" {
			return // their texts are only counted
		}
		again, err := parseAction(a.String())
		if len([]rune(a.Text)) <= 80 {
			require.NoError(t, err, a.String())
			require.Equal(t, a.Verb, again.Verb)
			require.Equal(t, a.ID, again.ID)
			require.Equal(t, a.Text, again.Text)
		}
	})
}

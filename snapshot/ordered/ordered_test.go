package ordered_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/ordered"
)

func TestWriter(t *testing.T) {
	var w ordered.Writer
	w.Open("", '{').String("b", "x\u202e").Int("a", -3).Optional("none", "").OrNull("null", "").Positive("zero", 0)
	w.Strings("list", []string{"1", "2"}).Strings("empty", nil).Ints("xy", 4, 5).True("no", false).True("yes", true)
	w.Hundredths("box", 1.005, math.NaN(), 2e9, 3.14159).Open("in", '{').Bool("c", false).Close("}").Raw("raw",
		"[{}]").Close("}")
	require.Equal(t, `{"b":"x\u202e","a":-3,"null":null,"list":["1","2"],"xy":[4,5],"yes":true,`+
		`"box":[1,0,0,3.14],"in":{"c":false},"raw":[{}]}`, string(w.Out))
}

// FuzzRoundTrip: what the writer writes is one JSON object with the same members in the same
// order.
func FuzzRoundTrip(f *testing.F) {
	f.Add("plain", 3, 1.5)
	f.Add("\"\\\n\u202e\U000e0041\xff", -1, math.Inf(1))
	f.Fuzz(func(t *testing.T, s string, n int, v float64) {
		var w ordered.Writer
		w.Open("", '{').String("s", s).Int("n", n).Open("in", '[').String("", s).Hundredths("", v).Close("]}")
		var o struct {
			S  string
			N  int
			In []any
		}
		require.NoError(t, json.Unmarshal(w.Out, &o))
		require.Regexp(t, `(?s)^\{"s":".*","n":-?\d+,"in":\[".*",\[[-\d.e+]+\]\]\}$`, string(w.Out))
		require.Equal(t, n, o.N)
		require.Len(t, o.In, 2)
		want := strings.ToValidUTF8(s, "\uFFFD") // the rule of snapshot/text: one mark for a broken run
		require.Equal(t, want, o.S)
		require.Equal(t, want, o.In[0])
	})
}

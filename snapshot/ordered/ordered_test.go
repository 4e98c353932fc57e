package ordered_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/ordered"
)

func TestWriter(t *testing.T) {
	var w ordered.Writer
	w.Open("", '{').String("b", "x\u202e").Int("a", -3).Optional("none", "").OrNull("null", "").Positive("zero", 0)
	w.Strings("list", []string{"1", "2"}).Strings("empty", nil).Ints("xy", 4, 5).True("no", false).True("yes", true)
	w.Hundredths("box", 1.005, math.NaN(), 2e9, 3.14159).Open("in", '{').Bool("c", false).Close("}").Raw("raw", "[{}]").Close("}")
	require.Equal(t, `{"b":"x\u202e","a":-3,"null":null,"list":["1","2"],"xy":[4,5],"yes":true,`+
		`"box":[1,0,0,3.14],"in":{"c":false},"raw":[{}]}`, string(w.Out))
}

func TestRead(t *testing.T) {
	o, err := ordered.Read([]byte(` {"b": 1, "a": {"b": [2]}} `))
	require.NoError(t, err)
	require.Equal(t, []string{"b", "a"}, o.Names)
	require.JSONEq(t, `{"b":[2]}`, string(o.Values["a"]))
	for _, x := range []struct {
		text string
		want error
	}{{"", ordered.ErrEmpty}, {"[1]", ordered.ErrObject}, {"{} 1", ordered.ErrMore}, {`"a"`, ordered.ErrObject}} {
		_, err := ordered.Read([]byte(x.text))
		require.ErrorIs(t, err, x.want, x.text)
	}
	_, err = ordered.Read([]byte(`{"a":1,"a":2}`))
	var twice *ordered.TwiceError
	require.ErrorAs(t, err, &twice)
	require.Equal(t, "a", twice.Name)
	_, err = ordered.Read([]byte(`{"a":1,`))
	require.Error(t, err)
}

// FuzzRoundTrip: what the writer writes is one object that Read takes apart into the
// same names and values.
func FuzzRoundTrip(f *testing.F) {
	f.Add("plain", 3, 1.5)
	f.Add("\"\\\n\u202e\U000e0041\xff", -1, math.Inf(1))
	f.Fuzz(func(t *testing.T, s string, n int, v float64) {
		var w ordered.Writer
		w.Open("", '{').String("s", s).Int("n", n).Open("in", '[').String("", s).Hundredths("", v).Close("]}")
		o, err := ordered.Read(w.Out)
		require.NoError(t, err)
		require.Equal(t, []string{"s", "n", "in"}, o.Names)
		var got string
		require.NoError(t, json.Unmarshal(o.Values["s"], &got))
		var want string
		plain, err := json.Marshal(s)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(plain, &want))
		require.Equal(t, want, got)
	})
}

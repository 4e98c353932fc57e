package element

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseRef(t *testing.T) {
	for in, want := range map[string]Ref{
		"12": {Number: 12}, "[12]": {Number: 12}, "@e12": {Number: 12}, "e12": {Number: 12}, " 7 ": {Number: 7},
		"s3e12": {Number: 12, Snapshot: 3}, "f0s3e12": {Number: 12, Snapshot: 3}, "[ref=s3e12]": {Number: 12, Snapshot: 3},
		"f2s3e12": {Number: 12, Snapshot: 3, Frame: 2}, "f1_12": {Number: 12, Frame: 1},
		"nv_1a2b": {NodeID: "nv_1a2b"}, "nv_1a2b-2": {NodeID: "nv_1a2b-2"},
		"eti4l": {NodeID: "eti4l"}, "[e0a00-2]": {NodeID: "e0a00-2"}, "e1234": {Number: 1234},
	} {
		got, ok := ParseRef(in)
		require.True(t, ok, in)
		want.Spelled = got.Spelled
		require.Equal(t, want, got, in)
		require.Contains(t, in, got.Spelled)
		require.NotEmpty(t, got.Spelled)
		require.Equal(t, want.Number, Number(in))
	}
	for _, in := range []string{
		"", "#a", "[href]", "a", "0", "[12", "div", "e", "s3e", "-1", "1.5", "12 13", "nv_", "nv_1a-", "99999999999999", "f1_", "f_12",
		"embed", "entry", "[error]", "eti4", "eti4l0", "eti4l-", "e-ti4l",
	} {
		require.False(t, IsRef(in), in)
	}
}

// FuzzParseRef: a ref that is read has one meaning: written plainly it is read the same.
func FuzzParseRef(f *testing.F) {
	for _, s := range []string{"12", "f1_12", "[ref=s3e12]", "nv_1a2b-2", "@e7", "f3s2e1", "#a", "99999999999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, ok := ParseRef(s)
		require.Equal(t, ok, r.Number > 0 || r.NodeID != "")
		if ok && r.Number > 0 {
			again, ok := ParseRef(refText(max(1, r.Snapshot), r.Number))
			require.True(t, ok)
			require.Equal(t, r.Number, again.Number)
		}
	})
}

func TestText(t *testing.T) {
	for in, want := range map[string]string{`"s1e4"`: "s1e4", `12`: "12", `1.5`: "1.5", `"é"`: "é"} {
		var got Text
		require.NoError(t, json.Unmarshal([]byte(in), &got), in)
		require.Equal(t, Text(want), got)
	}
	for in, want := range map[string]string{`{}`: "an object", `[1]`: "an array", `true`: "true or false"} {
		var got Text
		require.ErrorContains(t, json.Unmarshal([]byte(in), &got), "want a string, not "+want)
	}
}

func TestTarget(t *testing.T) {
	x := 1.0
	for why, bad := range map[string]Target{
		"names no element":     {},
		"in several ways":      {Selector: "#a", Ref: "12"},
		"x and y belong":       {X: &x},
		"is not a ref":         {Ref: "#a"},
		"name belongs to role": {Selector: "#a", Name: "Save"},
		"fallback belongs":     {Selector: "#a", StrictTarget: StrictTarget{Fallback: "#b"}},
		"only belongs":         {Ref: "12", StrictTarget: StrictTarget{Only: true}},
	} {
		require.ErrorContains(t, bad.Check(), why)
	}
	for says, good := range map[string]Target{
		"ref s1e4": ParseTarget("s1e4"), "#a": ParseTarget("#a"), `"Save"`: {Text: "Save"}, `the field "Name"`: {Label: "Name"},
		`button "Save"`: {Role: "button", Name: "Save"}, "one of 2 selectors": {Selectors: []string{"#a", "#b"}}, "1,1": {X: &x, Y: &x},
	} {
		require.NoError(t, good.Check())
		require.Equal(t, says, good.String())
		require.False(t, good.Empty())
	}
}

package session

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// TestParseSurface: lengths count UTF-16 units, and an answer that breaks off is an error.
func TestParseSurface(t *testing.T) {
	s, err := parseSurface(`[s2:😀zn4:1e-7{s1:an3:NaNs1:b[tfxs3:"\` + "\n" + `]}]`)
	require.NoError(t, err)
	require.Equal(t, "😀", s.dom)
	require.Empty(t, s.at)
	require.True(t, s.cut)
	require.JSONEq(t, `{"a":null,"b":[true,false,null,"\"\\\n"]}`, string(appendValue(nil, s.messages)))
	for _, bad := range []string{"[", "[s", "[s3:ab]", "[s99999999999999999999:x]", "q", "[{zz}]", "[s3ab]", "[[[[[[[[[[[[[[[[[[[[zzzz"} {
		_, err := parseSurface(bad)
		require.Error(t, err, bad)
	}
	for _, other := range []string{"x", "[]", "[zzzzz]", "[zzzz]z"} {
		s, err := parseSurface(other)
		require.NoError(t, err)
		require.Equal(t, &surface{cut: true}, s, other)
	}
}

// FuzzSurface: whatever the page answers is no panic, and what is kept of it is JSON.
func FuzzSurface(f *testing.F) {
	f.Add(`[s3:abcs1:tn2:12[{s4:roles4:users7:contentc1:x}tfzx]]`)
	f.Add(`[zzz{s1:a{s1:b[n3:NaN]}}]`)
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return
		}
		s, err := parseSurface(text)
		if err != nil {
			return
		}
		if body := appendValue(nil, s.messages); !json.Valid(body) {
			t.Fatalf("not JSON: %q", body)
		}
	})
}

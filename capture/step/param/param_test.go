package param

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

type inner struct {
	_      struct{} `form:"true" want:"true or an object"`
	Radius float64  `json:"radius" over:"0" max:"9" unit:"CSS px"`
}

type sample struct {
	_      struct{}     `want:"a name or an object"`
	Name   string       `json:"name" form:"string" required:"give a name"`
	Level  string       `json:"level" choices:"low,high" fold:""`
	Count  int          `json:"count" default:"3" min:"1" max:"5"`
	Near   *inner       `json:"near"`
	List   []inner      `json:"list" item:"circle"`
	Code   *string      `json:"code" secret:""`
	Fields *Map[string] `json:"fields" form:"map" secret:""`
}

func (s *sample) CheckParams() error {
	if s.Name == "bad" {
		return errors.New("a bad name")
	}
	return nil
}

func TestDecode(t *testing.T) {
	for in, want := range map[string]string{
		`"a"`:                                 "",
		`{"name":"a","level":"HIGH"}`:         "",
		`{"name":"a","near":true}`:            "",
		`{"NAME":"a"}`:                        "",
		`{"name":"a","near":null}`:            "",
		`7`:                                   "want a name or an object, not a number",
		`{"name":7}`:                          "name: want a string, not a number",
		`{"name":"a","nmae":"b"}`:             `unknown parameter "nmae": did you mean "name"?`,
		`{"name":"a","Name":"b"}`:             `"Name" is given twice`,
		`{"level":"low"}`:                     "name is missing: give a name",
		`{"name":"a","level":"mid"}`:          `unknown level "mid": choose from low, high`,
		`{"name":"a","count":0}`:              "count: 0: want 1 to 5",
		`{"name":"a","count":1.5}`:            "count: want a whole number, not 1.5",
		`{"name":"a","near":{"radius":0}}`:    "near: radius: 0: want more than 0 and at most 9 CSS px",
		`{"name":"a","near":false}`:           "near: want true or an object, not true or false",
		`{"name":"a","list":[{"radius":-1}]}`: "list: circle 1: radius: -1: want more than 0 and at most 9 CSS px",
		`{"name":"bad"}`:                      "a bad name",
		`{"x":"1","y":"2"}`:                   "name is missing: give a name", // a map of fields
	} {
		var s sample
		err := Decode(json.RawMessage(in), &s)
		if want == "" {
			require.NoError(t, err, in)
			require.Equal(t, 3, s.Count, "the default")
			continue
		}
		require.EqualError(t, err, want, in)
	}
	var s sample
	require.NoError(t, Decode([]byte(`{"name":"a","level":"HIGH","list":[true,{"radius":2}]}`), &s))
	require.Equal(t, "high", s.Level, "as it is declared")
	require.Len(t, s.List, 2)
}

// What is declared secret is nowhere in what is kept, in whatever shape it was given.
func TestVeil(t *testing.T) {
	typ := reflect.TypeFor[sample]()
	for in, want := range map[string]string{
		`{"name":"a","code":"hunter2"}`:        `{"name":"a","code":"[7 characters]"}`,
		`{"name":"a","code":4711}`:             `{"name":"a","code":"[4 characters]"}`,
		`{"name":"a","fields":{"#p":"x1"}}`:    `{"name":"a","fields":{"#p":"[2 characters]"}}`,
		`{"#p":"hunter2"}`:                     `{"#p":"[7 characters]"}`,
		`{"name":"a","code":["hunter2",true]}`: `{"name":"a","code":["[7 characters]",true]}`,
		`"a"`:                                  `"a"`,
		`["hunter2"]`:                          `["[7 characters]"]`,
	} {
		require.JSONEq(t, want, string(Veil(typ, json.RawMessage(in))), in)
	}
	require.Equal(t, `{"radius":2}`, string(Veil(reflect.TypeFor[inner](), []byte(`{"radius":2}`))), "nothing is secret")
}

func TestOf(t *testing.T) {
	list := Of(reflect.TypeFor[sample]())
	require.Len(t, list, 7)
	require.Equal(t, Param{Name: "level", Type: "string", Choices: []string{"low", "high"}}, list[1])
	require.Equal(t, Param{Name: "count", Type: "whole number", Default: "3", Bounds: "1 to 5"}, list[2])
	require.True(t, list[5].Secret)
}

// FuzzDecode: no input breaks the reader, and a secret that was read is not in what is kept.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{`{"name":"a","code":"hunter2secret"}`, `{"#a":"b"}`, `[`, `{"name":"a","list":[true]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		var s sample
		if !json.Valid(in) || Decode(in, &s) != nil || s.Code == nil || len(*s.Code) < 20 {
			return
		}
		quoted, err := json.Marshal(*s.Code)
		require.NoError(t, err)
		if string(quoted) != `"`+s.Name+`"` {
			require.NotContains(t, string(Veil(reflect.TypeFor[sample](), in)), `"code":`+string(quoted))
		}
	})
}

package importer

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot/text"
)

// lost are the names of what a file has and a turn does not keep: no importer reads them.
type lost map[string]bool

// maxLost is how many of them are named.
const maxLost = 20

// sentence names them, "" for none.
func (l lost) sentence() string {
	names := slices.Sorted(maps.Keys(l))
	more := ""
	if over := len(names) - maxLost; over > 0 {
		names, more = names[:maxLost], fmt.Sprintf(" and %d more", over)
	}
	if len(names) == 0 {
		return ""
	}
	return "not kept of the file: " + text.Line(strings.Join(names, ", ")) + more
}

// name adds one, at most so long.
func (l lost) name(name string) { l[cut(name, 100)] = true }

// add takes over those of another.
func (l lost) add(other lost) { maps.Copy(l, other) }

// attributes adds the names in a tree of attributes that begin with none of readAttributes; a number in a name is N.
func (l lost) attributes(tree map[string]any) {
	var walk func(at string, v any)
	walk = func(at string, v any) {
		if at != "" && slices.ContainsFunc(readAttributes,
			func(k string) bool { return at == k || strings.HasPrefix(at, k+".") }) {
			return
		}
		below, ok := v.(map[string]any)
		if !ok || len(below) == 0 {
			l.name(at)
			return
		}
		for name, v := range below {
			if strings.Trim(name, "0123456789") == "" {
				name = "N"
			}
			walk(strings.TrimPrefix(at+"."+name, "."), v)
		}
	}
	walk("", tree)
}

// members adds the names of an object of JSON that a type does not declare, also those further inside.
func (l lost) members(raw json.RawMessage, of reflect.Type) { l.within("", raw, of) }

func (l lost) within(at string, raw json.RawMessage, of reflect.Type) {
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	switch {
	case of.Kind() == reflect.Slice && of.Elem().Kind() != reflect.Uint8:
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) == nil {
			for _, e := range list {
				l.within(at, e, of.Elem())
			}
		}
		return
	case of.Kind() != reflect.Struct || reflect.PointerTo(of).Implements(reflect.TypeFor[json.Unmarshaler]()):
		return
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return
	}
	declared := map[string]reflect.Type{}
	for i := range of.NumField() {
		name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
		declared[strings.ToLower(name)] = of.Field(i).Type
	}
	for name, v := range members {
		path := strings.TrimPrefix(at+"."+name, ".")
		if t, known := declared[strings.ToLower(name)]; known {
			l.within(path, v, t)
		} else if s := string(v); s != "null" && s != "{}" && s != "[]" && s != `""` {
			l.name(path)
		}
	}
}

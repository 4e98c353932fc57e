// Package logged writes as text what a page logs or throws. Objects are written with their values, two levels deep:
// {a: 1, b: {c: [1, 2]}}. The event contains the first level ([Line]); where [Deep] says that it lacks the second,
// [Whole] fetches it, which runs no code of the page, getters least of all.
package logged

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"

	"github.com/refscope/refscope/snapshot/text"
)

const (
	valueLimit = 1000 // characters of one value
	valueItems = 50   // properties of one object
	valueWait  = 2 * time.Second
)

// Line is the text of a console call, as far as its event contains it.
func Line(level string, args []*runtime.RemoteObject) string {
	parts := make([]string, len(args))
	for i, a := range args {
		parts[i] = Describe(a)
	}
	return joined(level, parts)
}

func joined(level string, parts []string) string {
	s := strings.Join(parts, " ")
	if level == string(runtime.ConsoleAPICalledTypeAssert) {
		return "Assertion failed: " + s
	}
	return s
}

// Describe is the text of one value.
func Describe(o *runtime.RemoteObject) string {
	switch {
	case o.Type == runtime.RemoteObjectTypeString:
		// As it was logged: a secret behind an escaped line break is not known as one.
		var logged string
		if json.Unmarshal(o.Value, &logged) != nil {
			return string(o.Value)
		}
		return logged
	case len(o.Value) > 0:
		return string(o.Value)
	case o.Preview != nil && (plainObject(string(o.Subtype)) || o.Subtype == runtime.RemoteObjectSubtypeMap ||
		o.Subtype == runtime.RemoteObjectSubtypeSet):
		return text.Cut(preview(o.Preview), valueLimit)
	case o.Description != "":
		return o.Description
	}
	return fmt.Sprint(o.Type)
}

// Deep reports whether an object has properties whose values the event lacks.
func Deep(o *runtime.RemoteObject) bool {
	if o.ObjectID == "" || o.Preview == nil || !plainObject(string(o.Subtype)) {
		return false
	}
	return o.Preview.Overflow || slices.ContainsFunc(o.Preview.Properties, func(p *runtime.PropertyPreview) bool {
		return p.Type == runtime.PropertyPreviewTypeObject && plainObject(string(p.Subtype))
	})
}

// plainObject reports whether a kind of object is its properties: not a date, a node, an error or the like.
func plainObject(subtype string) bool { return subtype == "" || subtype == "array" }

// Whole is a line with two levels of its objects, which it asks of the session; where that takes longer than
// 2 s, with one level.
func Whole(s cdp.Session, level string, args []*runtime.RemoteObject) string {
	ctx, cancel := context.WithTimeout(context.Background(), valueWait) // or until the session ends
	defer cancel()
	parts := make([]string, len(args))
	for i, a := range args {
		if parts[i] = Describe(a); !Deep(a) {
			continue
		}
		res, err := cdp.Call(ctx, s, runtime.GetProperties, runtime.GetPropertiesParams{
			ObjectID: a.ObjectID, OwnProperties: new(true), GeneratePreview: new(true),
		})
		if err == nil {
			parts[i] = text.Cut(properties(a, res.Result), valueLimit)
		}
	}
	return joined(level, parts)
}

// braces surrounds the items of an object or array.
func braces(array bool, class string, items []string, more bool) string {
	if more {
		items = append(items, "…")
	}
	if array {
		return "[" + strings.Join(items, ", ") + "]"
	}
	if class == "Object" || class == "" {
		class = ""
	} else {
		class += " "
	}
	return class + "{" + strings.Join(items, ", ") + "}"
}

// properties is an object with its own properties, and one level below them.
func properties(o *runtime.RemoteObject, list []*runtime.PropertyDescriptor) string {
	array := o.Subtype == runtime.RemoteObjectSubtypeArray
	var items []string
	more := false
	for _, p := range list {
		if !p.Enumerable || p.Symbol != nil {
			continue
		}
		if more = len(items) == valueItems; more {
			break
		}
		value := "(…)" // a getter, which is not called
		if p.Value != nil {
			value = inner(p.Value)
		}
		items = append(items, item(array, p.Name, value))
	}
	return braces(array, o.ClassName, items, more)
}

func item(array bool, name, value string) string {
	if array {
		return value
	}
	return name + ": " + value
}

// inner is the value of a property.
func inner(o *runtime.RemoteObject) string {
	if o.Type == runtime.RemoteObjectTypeString {
		return text.Quote(Describe(o))
	}
	return Describe(o)
}

// preview is an object with its properties, as far as the event contains them.
func preview(p *runtime.ObjectPreview) string {
	array := p.Subtype == runtime.ObjectPreviewSubtypeArray
	items := make([]string, 0, len(p.Properties)+len(p.Entries))
	for _, f := range p.Properties {
		if len(p.Entries) > 0 {
			break // a Map's or Set's size, which its description has
		}
		value := f.Value
		switch f.Type {
		case runtime.PropertyPreviewTypeString:
			value = text.Quote(value)
		case runtime.PropertyPreviewTypeAccessor:
			value = "(…)"
		case runtime.PropertyPreviewTypeFunction:
			value = "function"
		}
		items = append(items, item(array, f.Name, value))
	}
	for _, e := range p.Entries {
		value := entry(e.Value)
		if e.Key != nil {
			value = entry(e.Key) + " => " + value
		}
		items = append(items, value)
	}
	return braces(array, p.Description, items, p.Overflow)
}

// entry is a key or value of a Map or Set.
func entry(p *runtime.ObjectPreview) string {
	switch {
	case p.Type == runtime.ObjectPreviewTypeString:
		return text.Quote(p.Description)
	case p.Type == runtime.ObjectPreviewTypeObject && plainObject(string(p.Subtype)):
		return preview(p)
	}
	return p.Description
}

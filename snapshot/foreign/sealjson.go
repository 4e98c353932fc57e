package foreign

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
)

// json is JSON without secrets: each text is cleaned, and what stands under a name that
// speaks of a secret is withheld, as are cookies and the headers that let their holder
// in. kind and typed are those of the action that it belongs to. nil stays nil; what is
// no JSON becomes null.
func (s *sealer) json(raw json.RawMessage, kind, typed string) json.RawMessage {
	if len(raw) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return json.RawMessage("null")
	}
	if _, err := d.Token(); err != io.EOF {
		return json.RawMessage("null")
	}
	out, err := json.Marshal(s.value(v, kind, typed, ""))
	if err != nil {
		return json.RawMessage("null")
	}
	return out
}

// value is a JSON value without secrets; under is the name that it stands under.
func (s *sealer) value(v any, kind, typed, under string) any {
	switch v := v.(type) {
	case string:
		if kind != "" && v == typed && v != "" {
			return "[redacted: " + kind + "]"
		}
		return s.without(v, typedOf(kind, typed))
	case json.Number:
		if kind != "" && v.String() == typed {
			return "[redacted: " + kind + "]"
		}
		if out := s.text(v.String()); out != v.String() {
			return out
		}
		return v
	case []any:
		for i := range v {
			v[i] = s.value(v[i], kind, typed, under)
		}
		return v
	case map[string]any:
		name, _ := v["name"].(string)
		out := make(map[string]any, len(v))
		for key, inner := range v {
			why := s.keyKind(key)
			if key == "value" && (strings.EqualFold(under, "cookies") || s.letsIn(name)) {
				why = "token"
			}
			if why == "" && s.letsIn(key) {
				why = "token"
			}
			clean := s.text(key)
			if _, nested := inner.(map[string]any); why != "" && !nested && holds(inner) {
				out[clean] = "[redacted: " + why + "]"
				continue
			}
			out[clean] = s.value(inner, kind, typed, key)
		}
		return out
	}
	return v
}

func typedOf(kind, typed string) string {
	if kind == "" {
		return ""
	}
	return typed
}

// holds reports whether a value can be a secret: a text or a number, or a list of such.
func holds(v any) bool {
	switch v := v.(type) {
	case string:
		return v != "" && !strings.HasPrefix(v, "[redacted")
	case json.Number:
		return true
	case []any:
		return slices.ContainsFunc(v, holds)
	}
	return false
}

// keyKind is the kind of secret that the name of a member speaks of.
func (s *sealer) keyKind(key string) string {
	if len(key) > 100 {
		return ""
	}
	switch strings.ToLower(key) {
	case "key", "code": // of a keyboard event
		return ""
	}
	return s.said(s.words(key), "")
}

// letsIn reports whether a header or parameter of that name lets its holder in.
func (s *sealer) letsIn(name string) bool {
	switch n := strings.ToLower(name); {
	case n == "" || len(n) > 100:
		return false
	case n == "authorization" || n == "proxy-authorization" || n == "cookie" || n == "set-cookie":
		return true
	case strings.HasSuffix(n, "tokens") || strings.Contains(n, "token_") || strings.Contains(n, "session_id_"):
		return false // counts of a model's tokens
	}
	return strings.Contains(strings.ToLower(name), "token") || strings.Contains(strings.ToLower(name), "secret") || strings.Contains(strings.ToLower(name), "api_key") || strings.Contains(strings.ToLower(name), "apikey")
}

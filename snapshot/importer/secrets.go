package importer

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot/redact"
)

// sealer takes secrets out of the texts of one file: by their looks, and those that
// were learnt from fields, wherever they occur.
type sealer struct {
	clean   *redact.Redactor
	secrets []redact.Secret // the longest first
	known   map[string]string
	bytes   int // in known
}

// knownBytes is how much text the memory of cleaned texts may hold.
const knownBytes = 32 << 20

func newSealer() *sealer { return &sealer{clean: redact.Standard(), known: map[string]string{}} }

// learn remembers a value of a secret field. The gaps that a common word leaves would reveal
// more than they hide, so it counts only where it looks chosen, as in the collector:
// 6 characters or more of two kinds.
func (s *sealer) learn(v string) {
	v = strings.TrimSpace(v)
	if len(v) > 2000 || len(s.secrets) >= 200 || !redact.LooksChosen(v) {
		return
	}
	known := len(s.secrets)
	if s.secrets = redact.Add(s.secrets, redact.Secret{Value: v, Reach: redact.Word}); len(s.secrets) == known {
		return
	}
	clear(s.known)
	s.bytes = 0
}

// text is the text without secrets.
func (s *sealer) text(t string) string {
	if len(t) < 6 {
		return t
	}
	if out, ok := s.known[t]; ok {
		return out
	}
	out := s.clean.Clean(t, s.secrets...)
	if s.bytes += len(t) + len(out); s.bytes > knownBytes {
		clear(s.known)
		s.bytes = 0
	}
	s.known[t] = out
	return out
}

// without is the text without secrets and without one value, however short it is: for
// what belongs to the very action that typed it.
func (s *sealer) without(t, value string) string {
	if value != "" {
		t = redact.Remove(t, redact.Secret{Value: value, Reach: redact.Word})
	}
	return s.text(t)
}

// json is JSON without secrets: each text is cleaned, and a value under a name that
// suggests a secret is withheld, as are cookies and the headers that let their holder
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

// value is a JSON value without secrets; under is the name of its member.
func (s *sealer) value(v any, kind, typed, under string) any {
	switch v := v.(type) {
	case string:
		if kind != "" && v == typed && v != "" {
			return redact.Mark(kind)
		}
		return s.without(v, typedOf(kind, typed))
	case json.Number:
		if kind != "" && v.String() == typed {
			return redact.Mark(kind)
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
			why := redact.SecretName(key, redact.InBody)
			if key == "value" && (strings.EqualFold(under, "cookies") ||
				redact.SecretName(name, redact.InHidden) != "") {
				why = "token"
			}
			clean := s.text(key)
			if _, nested := inner.(map[string]any); why != "" && !nested && holds(inner) {
				out[clean] = redact.Mark(why)
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
		return v != "" && !redact.IsMark(v)
	case json.Number:
		return true
	case []any:
		return slices.ContainsFunc(v, holds)
	}
	return false
}

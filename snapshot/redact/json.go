package redact

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Leaf is a text, a key or a number in JSON.
type Leaf struct {
	Start, End int // byte offsets, with the quotes of a text
	Text       string
	Key        bool
}

// Leaves lists the texts, keys and numbers of JSON, in order. Empty texts and numbers of
// less than 3 characters are left out: they hold no secret.
func Leaves(raw []byte) []Leaf {
	var out []Leaf
	for i := 0; i < len(raw); {
		switch c := raw[i]; {
		case c == '"':
			end := stringEnd(raw, i)
			var s string
			if json.Unmarshal(raw[i:end], &s) == nil && s != "" {
				after := bytes.TrimLeft(raw[end:], " \t\r\n")
				out = append(out, Leaf{i, end, s, len(after) > 0 && after[0] == ':'})
			}
			i = end
		case c == '-' || c >= '0' && c <= '9':
			end := numberEnd(raw, i)
			if end-i >= 3 {
				out = append(out, Leaf{i, end, string(raw[i:end]), false})
			}
			i = end
		default:
			i++
		}
	}
	return out
}

// Put is the JSON with other texts in the places of leaves, which must be in order; what
// is the same as before keeps its bytes. A number that changed becomes a text.
func Put(raw []byte, leaves []Leaf, texts []string) ([]byte, error) {
	if len(leaves) != len(texts) {
		return nil, fmt.Errorf("%d texts in the places of %d", len(texts), len(leaves))
	}
	var out bytes.Buffer
	at := 0
	for i, l := range leaves {
		if texts[i] == l.Text {
			continue
		}
		out.Write(raw[at:l.Start])
		e := json.NewEncoder(&out)
		e.SetEscapeHTML(false)
		if err := e.Encode(texts[i]); err != nil {
			return nil, fmt.Errorf("writing a redacted text: %w", err)
		}
		out.Truncate(out.Len() - 1) // the line feed of Encode
		at = l.End
	}
	out.Write(raw[at:])
	return out.Bytes(), nil
}

// JSON is the JSON with each of its texts, keys and numbers cleaned by [Redactor.Clean];
// everything else stays byte for byte. What is no JSON is an error. A caller that must also
// consult another source about the texts, such as the page, uses [Leaves] and [Put].
func JSON(raw []byte, rules *Redactor, secrets ...Secret) ([]byte, error) {
	if !json.Valid(raw) {
		return nil, errors.New("redacting JSON: it is not valid")
	}
	leaves := Leaves(raw)
	texts := make([]string, len(leaves))
	for i, l := range leaves {
		texts[i] = rules.Clean(l.Text, secrets...)
	}
	return Put(raw, leaves, texts)
}

// stringEnd is the offset behind the JSON string that begins at i.
func stringEnd(raw []byte, i int) int {
	for i++; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(raw)
}

// numberEnd is the offset behind the JSON number that begins at i.
func numberEnd(raw []byte, i int) int {
	for i++; i < len(raw) && bytes.IndexByte([]byte("0123456789.eE+-"), raw[i]) >= 0; {
		i++
	}
	return i
}

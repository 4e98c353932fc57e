package turn

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot/redact"
)

// Way names which way a payload went.
type Way string

// The two ways of a payload.
const (
	Request Way = "request" // to the model
	Answer  Way = "answer"  // from the model
)

// Payload is the input of a model, or its answer (P-3). A turn keeps the
// bytes as they are, whatever they are; nothing is parsed.
type Payload struct {
	// Dialect is the form of the bytes, such as "openai-chat" or "dddk"; 1 to 100
	// bytes.
	Dialect string
	// Model is the model's name where it is known, at most 200 bytes.
	Model string
	Way   Way
	// Media is the media type, such as "application/json", at most 200 bytes.
	Media string
	// Bytes are the body. All payloads of a turn together have at most [maxPayloadBytes]
	// bytes.
	Bytes []byte
	// Redacted are the places at which Bytes are not what was sent: a secret stood
	// there and a mark is there now. They are in order and do not overlap.
	Redacted []redact.Span
	// Wire: these bytes crossed the wire, outside of the redacted spans. Without it
	// they were derived, and are what would have been sent.
	Wire bool
}

// Profile is the site profile that applied to a turn, as it stood then.
type Profile struct {
	Name  string // the domain that it is kept under, at most 300 bytes
	Bytes []byte // its text, at most 4 MiB
}

// Part is one stored part of a turn.
type Part struct {
	// Role is "capture", "picture", "payload", "spans", "steps", "answer", "exchange", "profile",
	// or one that a later version writes.
	Role   string `json:"role"`
	Media  string `json:"media,omitempty"`
	SHA256 string `json:"sha256"` // of the content, in hex; also its name
	Size   int64  `json:"bytes"`  // of the content, in bytes
	// Dialect, Model, Way and Wire are those of a payload.
	Dialect string `json:"dialect,omitempty"`
	Model   string `json:"model,omitempty"`
	Way     Way    `json:"way,omitempty"`
	Wire    bool   `json:"wire,omitempty"`
	// Name is that of a profile.
	Name string `json:"name,omitempty"`
}

// checkBeside checks what a record has beside capture and picture.
func (rec *Record) checkBeside() error {
	total, parts := 0, 0
	for i := range rec.Payloads {
		p := &rec.Payloads[i]
		switch {
		case p.Dialect == "" || len(p.Dialect) > 100 || len(p.Model) > 200 || len(p.Media) > 200:
			return fmt.Errorf("payload %d: its dialect is missing, or a name is too long", i+1)
		case !utf8.ValidString(p.Dialect) || !utf8.ValidString(p.Model) || !utf8.ValidString(p.Media):
			return fmt.Errorf("payload %d: its dialect, model or media type is not UTF-8", i+1)
		case p.Way != Request && p.Way != Answer:
			return fmt.Errorf("payload %d: its way %.20q is neither %q nor %q", i+1, p.Way, Request, Answer)
		}
		if err := checkSpans(p.Redacted, len(p.Bytes)); err != nil {
			return fmt.Errorf("payload %d: %w", i+1, err)
		}
		total += len(p.Bytes)
		parts++
	}
	switch {
	case total > maxPayloadBytes:
		return fmt.Errorf("the payloads have %d bytes, more than the %d allowed", total, maxPayloadBytes)
	case parts > maxPayloads:
		return fmt.Errorf("there are %d payloads, more than the %d allowed", parts, maxPayloads)
	case len(rec.Steps) > 0 && !json.Valid(rec.Steps):
		return errors.New("the steps are not JSON")
	case len(rec.Answer) > 0 && !json.Valid(rec.Answer):
		return errors.New("the answer is not JSON")
	case len(rec.Exchange) > 0 && !json.Valid(rec.Exchange):
		return errors.New("the exchange is not JSON")
	case rec.Profile != nil && (len(rec.Profile.Name) > 300 || !utf8.ValidString(rec.Profile.Name)):
		return errors.New("the profile's name is too long or not UTF-8")
	case len(rec.Lacks) > maxLacks:
		return fmt.Errorf("there are %d sentences about what is lacking, more than the %d allowed",
			len(rec.Lacks), maxLacks)
	}
	for _, s := range rec.Lacks {
		if s == "" || len(s) > maxLack {
			return fmt.Errorf("a sentence about what is lacking has %d bytes: 1 to %d are allowed", len(s), maxLack)
		}
	}
	return nil
}

// checkSpans checks the redacted spans of a payload with size bytes.
func checkSpans(spans []redact.Span, size int) error {
	at := 0
	for _, s := range spans {
		if s.Start < at || s.End <= s.Start || s.End > size {
			return fmt.Errorf("its redacted span %d to %d does not lie in order inside its %d bytes",
				s.Start, s.End, size)
		}
		if len(s.Why) > 200 {
			return fmt.Errorf("the reason of its redacted span at %d is longer than 200 bytes", s.Start)
		}
		at = s.End
	}
	return nil
}

// content is one part with its bytes.
type content struct {
	partDoc
	bytes []byte
}

// contents are the parts of a record, in the order of turn.json.
func (rec *Record) contents() ([]content, error) {
	capture, err := json.Marshal(rec.Capture)
	if err != nil {
		return nil, fmt.Errorf("the capture cannot be written as JSON: %w", err)
	}
	if err := checkWeight(capture); err != nil {
		return nil, err
	}
	const js = "application/json"
	all := []content{{partDoc{Role: roleCapture, Type: js}, capture}}
	if len(rec.Picture) > 0 {
		all = append(all, content{partDoc{Role: rolePicture, Type: "image/png"}, rec.Picture})
	}
	for i := range rec.Payloads {
		p := &rec.Payloads[i]
		all = append(all, content{partDoc{Role: rolePayload, Type: p.Media,
			Payload: &payloadDoc{p.Dialect, p.Model, p.Way, p.Wire}}, p.Bytes})
		if len(p.Redacted) == 0 {
			continue
		}
		spans, err := json.Marshal(p.Redacted)
		if err != nil {
			return nil, fmt.Errorf("the redacted spans of payload %d: %w", i+1, err)
		}
		all = append(all, content{partDoc{Role: roleSpans, Type: js, Of: i + 1}, spans})
	}
	if len(rec.Steps) > 0 {
		all = append(all, content{partDoc{Role: roleSteps, Type: js}, rec.Steps})
	}
	if len(rec.Answer) > 0 {
		all = append(all, content{partDoc{Role: roleAnswer, Type: js}, rec.Answer})
	}
	if len(rec.Exchange) > 0 {
		all = append(all, content{partDoc{Role: roleExchange, Type: js}, rec.Exchange})
	}
	if rec.Profile != nil {
		all = append(all, content{partDoc{Role: roleProfile, Type: "text/markdown", Name: rec.Profile.Name},
			rec.Profile.Bytes})
	}
	return all, nil
}

// take puts the content of a part into the record.
func (rec *Record) take(p partDoc, b []byte) (err error) {
	switch p.Role {
	case roleCapture:
		rec.Capture, err = decodeCapture(b)
	case rolePicture:
		if err := checkPicture(b); err != nil {
			return err
		}
		rec.Picture = b
	case rolePayload:
		rec.Payloads = append(rec.Payloads, Payload{Dialect: p.Payload.Dialect, Model: p.Payload.Model,
			Way: p.Payload.Way, Wire: p.Payload.Wire, Media: p.Type, Bytes: b})
	case roleSteps, roleAnswer, roleExchange:
		if !json.Valid(b) {
			return errors.New("it is not JSON")
		}
		*map[string]*json.RawMessage{roleSteps: &rec.Steps, roleAnswer: &rec.Answer,
			roleExchange: &rec.Exchange}[p.Role] = b
	case roleProfile:
		rec.Profile = &Profile{Name: p.Name, Bytes: b}
	}
	return err
}

// decodeSpans reads the redacted spans of a payload with size bytes.
func decodeSpans(b []byte, size int) ([]redact.Span, error) {
	var spans []redact.Span
	d := json.NewDecoder(bytes.NewReader(b))
	if err := d.Decode(&spans); err != nil {
		return nil, err
	}
	return spans, checkSpans(spans, size)
}

package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/refscope/refscope/snapshot/payload"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/turn"
)

// storedPayload is a payload that was kept with a turn: the one that crossed the wire,
// or the one with that number, from 1. Several without a number are an error that names
// them.
func (a *app) storedPayload(ctx context.Context, target string, number int) (*payload.Payload, any, error) {
	at, ok := a.recorded(target)
	if !ok {
		return nil, nil, usagef("payload: %s is no turn, and only a turn keeps payloads: choose --dialect %s", target, strings.Join(payload.Dialects(), ", "))
	}
	s, err := load(ctx, at)
	if err != nil {
		return nil, nil, err
	}
	all := s.record.Payloads
	if len(all) == 0 {
		return nil, nil, usagef("payload: no payload was stored with %s: choose --dialect %s to make one", target, strings.Join(payload.Dialects(), ", "))
	}
	if number > len(all) || number < 0 {
		return nil, nil, usagef("payload: --stored %d: %s keeps %d: %s", number, target, len(all), payloadNames(all))
	}
	if number == 0 {
		if number = theOne(all); number == 0 {
			return nil, nil, usagef("payload: %s keeps several; name one with --stored N: %s", target, payloadNames(all))
		}
	}
	p := all[number-1]
	sum := sha256.Sum256(p.Bytes)
	out := &payload.Payload{Dialect: p.Dialect, Body: p.Bytes, SHA256: hex.EncodeToString(sum[:]), Redacted: []redact.Span{}}
	for _, r := range p.Redacted {
		out.Redacted = append(out.Redacted, redact.Span{Start: r.Start, End: r.End, Why: r.Why})
	}
	return out, map[string]any{
		"status": "ok", "stored": number, "dialect": p.Dialect, "model": p.Model, "way": p.Way, "media": p.Media, "wire": p.Wire,
		"sha256": out.SHA256, "bytes": len(p.Bytes), "redacted": out.Redacted,
	}, nil
}

// theOne is the number of the only payload, or of the only one that crossed the wire; 0
// where there is no such one.
func theOne(all []turn.Payload) int {
	if len(all) == 1 {
		return 1
	}
	found := 0
	for i, p := range all {
		switch {
		case !p.Wire:
		case found > 0:
			return 0
		default:
			found = i + 1
		}
	}
	return found
}

// payloadNames lists stored payloads with their numbers.
func payloadNames(all []turn.Payload) string {
	var names []string
	for i, p := range all {
		name := fmt.Sprintf("%d %s %s", i+1, p.Dialect, p.Way)
		if p.Model != "" {
			name += " " + p.Model
		}
		if p.Wire {
			name += " (wire)"
		}
		names = append(names, fmt.Sprintf("%s %d bytes", name, len(p.Bytes)))
	}
	return strings.Join(names, ", ")
}

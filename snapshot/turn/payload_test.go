package turn

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/redact"
)

// fullRecord is a record with everything that a turn can hold.
func fullRecord(c *snapshot.Capture) *Record {
	return &Record{
		Capture: c, Picture: pngBytes("p"), Action: "click @e2", Note: "a note",
		Payloads: []Payload{
			{Dialect: "openai-chat", Model: "gpt-5", Way: Request, Media: "application/json", Wire: true,
				Bytes:    []byte(`{"messages":[{"content":"my code is [redacted: code]\u0000"}]}`),
				Redacted: []redact.Span{{Start: 37, End: 53, Why: "code"}}},
			{Dialect: "dddk", Way: Request, Bytes: nil},
			{Dialect: "openai-chat", Model: "gpt-5", Way: Answer, Media: "text/event-stream", Wire: true,
				Bytes: []byte("\x28\xb5\x2f\xfd no zstd \xff")},
		},
		Steps: json.RawMessage(`{"steps": [ {"click":"@e2"} ]}`), Answer: json.RawMessage(" {\"status\":\"ok\"}\n"),
		Profile: &Profile{Name: "shop.example", Bytes: []byte("# shop\n")},
		Lacks:   []string{"a browser-use history keeps no page structure"},
	}
}

func appendFull(t testing.TB, s *Store, change func(*Record)) (*Record, error) {
	return s.Append(context.Background(), func(l *Ledger) (*Record, error) {
		c := genCapture(pageSpec{nodes: 30, seed: 1, turn: l.NextTurn()})
		l.Assign("tab-1", l.NextTurn(), c)
		rec := fullRecord(c)
		if change != nil {
			change(rec)
		}
		return rec, nil
	})
}

// TestBeside: payloads, steps, answer, profile and lacks come back byte for byte.
func TestBeside(t *testing.T) {
	ctx := context.Background()
	s, _ := newSession(t)
	want, err := appendFull(t, s, nil)
	require.NoError(t, err)
	got, err := s.Load(ctx, 1)
	require.NoError(t, err)
	require.Len(t, got.Payloads, 3)
	require.Empty(t, got.Payloads[1].Bytes)
	got.Payloads[1].Bytes = nil
	require.Equal(t, want, got)
	list, damage, err := s.List(ctx)
	require.NoError(t, err)
	require.Empty(t, damage)
	require.Equal(t, want.Parts, list[0].Parts)
	require.Equal(t, want.Lacks, list[0].Lacks)
	var roles []string
	for _, p := range list[0].Parts {
		roles = append(roles, p.Role)
	}
	require.Equal(t, []string{"capture", "picture", "payload", "spans", "payload", "payload", "steps", "answer",
		"profile"}, roles)
	require.Equal(t, Part{Role: "payload", Media: "application/json", SHA256: hashOf(want.Payloads[0].Bytes),
		Size:    int64(len(want.Payloads[0].Bytes)),
		Dialect: "openai-chat", Model: "gpt-5", Way: Request, Wire: true}, list[0].Parts[2])
	damage, err = s.Check(ctx)
	require.NoError(t, err)
	require.Empty(t, damage)
}

// TestNoPage: what another agent's file keeps may be no more than an address.
func TestNoPage(t *testing.T) {
	ctx := context.Background()
	s, _ := newSession(t)
	_, err := s.Append(ctx, func(l *Ledger) (*Record, error) {
		c := &snapshot.Capture{Schema: snapshot.Schema, URL: "https://shop.example/", Title: "Shop"}
		l.Assign("", l.NextTurn(), c)
		return &Record{Capture: c, Lacks: []string{"there is no page"}}, nil
	})
	require.NoError(t, err)
	rec, err := s.Load(ctx, 1)
	require.NoError(t, err)
	require.Empty(t, rec.Capture.Nodes)
	require.Nil(t, rec.Picture)
	damage, err := s.Check(ctx)
	require.NoError(t, err)
	require.Empty(t, damage)
}

func TestBesideRefused(t *testing.T) {
	s, _ := newSession(t)
	for name, x := range map[string]struct {
		change func(*Record)
		says   string
	}{
		"no dialect":          {func(r *Record) { r.Payloads[0].Dialect = "" }, "payload 1: its dialect"},
		"no way":              {func(r *Record) { r.Payloads[1].Way = "back" }, `payload 2: its way "back"`},
		"a long model":        {func(r *Record) { r.Payloads[0].Model = strings.Repeat("m", 201) }, "too long"},
		"not UTF-8":           {func(r *Record) { r.Payloads[0].Media = "\xff" }, "not UTF-8"},
		"span behind the end": {func(r *Record) { r.Payloads[0].Redacted[0].End = 1000 }, "does not lie in order"},
		"an empty span":       {func(r *Record) { r.Payloads[0].Redacted[0].End = 37 }, "does not lie in order"},
		"spans overlap": {func(r *Record) { r.Payloads[0].Redacted = []redact.Span{{Start: 0, End: 5}, {Start: 4, End: 6}} },
			"does not lie in order"},
		"a long reason": {func(r *Record) { r.Payloads[0].Redacted[0].Why = strings.Repeat("y", 201) },
			"longer than 200"},
		"too many":       {func(r *Record) { r.Payloads = make([]Payload, 300); fill(r.Payloads) }, "300 payloads"},
		"steps no JSON":  {func(r *Record) { r.Steps = []byte("{") }, "steps are not JSON"},
		"answer no JSON": {func(r *Record) { r.Answer = []byte("ok then") }, "answer is not JSON"},
		"a huge profile": {func(r *Record) { r.Profile.Bytes = make([]byte, maxProfile+1) }, "the profile has"},
		"profile's name": {func(r *Record) { r.Profile.Name = "\xff" }, "profile's name"},
		"an empty lack":  {func(r *Record) { r.Lacks = []string{""} }, "0 bytes"},
		"too many lacks": {func(r *Record) { r.Lacks = strings.Split(strings.Repeat("x ", 80), " ") }, "sentences"},
		"all payloads too big": {func(r *Record) { r.Payloads[0].Redacted = nil; big(r.Payloads) },
			"more than the 268435456"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := appendFull(t, s, x.change)
			require.ErrorContains(t, err, x.says)
		})
	}
	list, _, err := s.List(context.Background())
	require.NoError(t, err)
	require.Empty(t, list)
}

func fill(p []Payload) {
	for i := range p {
		p[i] = Payload{Dialect: "x", Way: Answer}
	}
}

func big(p []Payload) {
	b := make([]byte, maxPayloadBytes/2+1)
	p[0].Bytes, p[1].Bytes = b, b
}

// TestBesideDamaged: one part beside the capture is gone or changed; the rest of
// the turn is there, and no payload gets the redacted spans of another.
func TestBesideDamaged(t *testing.T) {
	ctx := context.Background()
	for i, role := range []string{"picture", "payload", "spans", "payload", "payload", "steps", "answer", "profile"} {
		for how, do := range map[string]func(path string) error{
			"missing": os.Remove,
			"changed": func(path string) error { return os.WriteFile(path, []byte("rust"), 0o600) },
		} {
			t.Run(fmt.Sprint(role, " ", i, " ", how), func(t *testing.T) {
				s, path := newSession(t)
				want, err := appendFull(t, s, func(r *Record) { r.Payloads[1].Redacted = nil })
				require.NoError(t, err)
				require.Equal(t, role, want.Parts[i+1].Role)
				require.NoError(t, do(filepath.Join(path, partsDir, want.Parts[i+1].SHA256)))
				rec, err := s.Load(ctx, 1)
				var d *DamagedError
				require.ErrorAs(t, err, &d)
				require.Len(t, d.Damage, 1)
				require.Contains(t, err.Error(), "its "+role)
				require.Equal(t, want.Capture, rec.Capture)
				if i == 1 {
					require.Len(t, rec.Payloads, 2)
				}
				for _, p := range rec.Payloads {
					require.Equal(t, p.Way == Request && p.Wire && role != "spans", len(p.Redacted) > 0)
				}
				damage, err := s.Check(ctx)
				require.NoError(t, err)
				require.False(t, Whole(damage))
			})
		}
	}
}

// TestBesideShares: parts that differ little are stored as differences, of each
// dialect for itself.
func TestBesideShares(t *testing.T) {
	s, _ := newSession(t)
	text := strings.Repeat("[1] <button>Buy</button> of many lines that differ from one another ", 300)
	for i := range 4 {
		_, err := appendFull(t, s, func(r *Record) {
			r.Payloads = []Payload{
				{Dialect: "dddk", Way: Request, Bytes: fmt.Appendf(nil, "turn %d %s", i, randomised(1, text))},
				{Dialect: "wraith", Way: Request, Bytes: fmt.Appendf(nil, "turn %d %s", i, randomised(2, text))},
			}
		})
		require.NoError(t, err)
	}
	d, _, err := s.readTurn(4)
	require.NoError(t, err)
	first, _, err := s.readTurn(1)
	require.NoError(t, err)
	for i := range d.Parts {
		if d.Parts[i].Role == rolePayload {
			require.Equal(t, first.Parts[i].SHA256, d.Parts[i].Base)
		}
	}
	damage, err := s.Check(context.Background())
	require.NoError(t, err)
	require.Empty(t, damage)
}

func randomised(seed uint64, s string) []byte {
	noise := picture(seed, len(s))
	for i := range noise {
		noise[i] = ' ' + noise[i]%90
	}
	return append(noise, s...)
}

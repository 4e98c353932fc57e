package turn

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// Formats that this package writes. It reads these and no later ones.
const (
	sessionFormat = "refscope.session/1"
	ledgerFormat  = "refscope.ledger/1"
	turnFormat    = "refscope.turn/1"
	notesFormat   = "refscope.notes/1"
)

// Moments of a turn's page beside the one at which its request came, in the member pairing.moment of [Record.Exchange].
const (
	BeforeRequest = "before" // the page had gone when the request came
	AfterAnswer   = "after"  // what the answer wants was done
)

// Limits in bytes. They hold for what is written and for what is read, so that
// a folder from elsewhere cannot fill the memory.
const (
	maxCapture      = 256 << 20
	maxPicture      = 256 << 20
	maxPayloadBytes = 256 << 20 // of one turn, all together
	maxJSON         = 16 << 20  // the steps, the answer
	maxProfile      = 4 << 20
	maxNote         = 64 << 10
	maxAction       = 4 << 10
	maxURL          = 8 << 10
	maxTitle        = 1 << 10
	maxLack         = 1 << 10
	maxText         = 1 << 20 // session.json, turn.json
	maxPart         = 1 << 30 // of roles that this program does not know
)

// Limits in numbers, for the same reason.
const (
	maxPayloads = 256
	maxLacks    = 64
)

// What can be wrong with a session as a whole; compare with [errors.Is].
var (
	ErrNotSession  = errors.New("is not a session folder")
	ErrExists      = errors.New("is a session already")
	ErrNewer       = errors.New("was made by a newer refscope")
	ErrCannotWrite = errors.New("cannot be written")
	ErrNoSpace     = errors.New("no space left on the disk")
	ErrNoTurn      = errors.New("turn not found")
	ErrNoNote      = errors.New("note not found")
)

// Record is one turn.
type Record struct {
	// N is the turn's number in its session, from 1; [Store.Append] sets it.
	N int
	// Capture is the captured page, every node, its refs assigned. A turn that was read
	// from another agent's file may have one without nodes; Lacks then reports it.
	Capture *snapshot.Capture
	// Picture is the clean PNG without marks; nil where there is none.
	Picture []byte
	// Note is a person's or program's remark, at most 64 KiB.
	Note string
	// Action is what led to the turn, such as "capture" or "click @e12", at most 4 KiB.
	Action string
	Meta   Meta

	// Payloads are the inputs and answers of models at this turn, in
	// order (P-3).
	Payloads []Payload
	// Steps are the requested steps, Answer is the answer to them, both as
	// JSON, byte for byte, at most 16 MiB each; nil where there is none. The member before of
	// Steps are those since the turn before after which the page could not be read, as while a dialog is open.
	Steps, Answer json.RawMessage
	// Exchange is how the payloads crossed the wire, as JSON of at most 16 MiB: address, times,
	// status, usage, and by what evidence the page was paired with them; nil where
	// they did not. Package tap describes its members.
	Exchange json.RawMessage
	// Profile is the site profile that applied; nil for none.
	Profile *Profile
	// Lacks lists, one sentence each, what other turns have and this one cannot have,
	// because the file that it was read from does not keep it; at most 64 of 1 KiB.
	Lacks []string
	// Parts are the stored parts with their hashes; [Store.Append] and [Store.Load]
	// set them.
	Parts []Part
}

// Meta is how the turn was taken. [Store.Append] fills what is zero from the
// capture.
type Meta struct {
	// Tool is the program that took the turn and its version.
	Tool string `json:"tool,omitempty"`
	// Target is the browser's id of the tab.
	Target   string            `json:"target,omitempty"`
	Chrome   string            `json:"chrome,omitempty"` // the version of the browser
	Settled  bool              `json:"settled"`          // the page rested when it was captured
	Torn     bool              `json:"torn,omitempty"`   // picture and text may be of two moments
	Viewport snapshot.Viewport `json:"viewport"`         // CSS px and image px for one CSS px
	Scroll   snapshot.Scroll   `json:"scroll"`           // CSS px
	Timings  snapshot.Timings  `json:"timings"`          // ms
}

// Counts are the numbers of nodes of a turn.
type Counts struct {
	Nodes   int `json:"nodes"`   // DOM elements
	Refs    int `json:"refs"`    // kept, in the primary set
	Content int `json:"content"` // kept as lines of text
	Covered int `json:"covered"` // kept, and something intercepts the click
	Frames  int `json:"frames"`  // how many documents the page has
}

// Head is what turn.json and a list of turns say first of a turn.
type Head struct {
	N      int       `json:"n"`                // its number in the session, from 1
	Time   time.Time `json:"time"`             // when it was taken
	Action string    `json:"action,omitempty"` // what made the turn
	Note   string    `json:"note,omitempty"`   // what a person wrote of it
	URL    string    `json:"url"`              // the address of the page
	Title  string    `json:"title"`            // the title of the page
	Counts Counts    `json:"counts"`
	Lacks  []string  `json:"lacks,omitempty"` // what other turns have and this one cannot, a sentence each
}

// Summary describes one turn in a list of turns. Its URL is cut to 8 KiB, its Title to 1 KiB.
type Summary struct {
	Head
	HasPicture bool
	Parts      []Part // capture first
	// Size is the size of the turn's parts in bytes, unpacked.
	Size int64
	Meta Meta
}

// Pageless reports whether no page belongs to the turn, see [snapshot.Capture.Pageless].
func (s Summary) Pageless() bool { return s.Counts.Nodes == 0 && s.Meta.Chrome == "" }

// Damage is something in a session that is not as it was written.
type Damage struct {
	Turn int    // 0 where it concerns no single turn
	Path string // relative to the session folder
	Why  string
	// Note: nothing is lost; a leftover of a crash, or a burned number.
	Note bool
}

// String is the damage as one line that is safe on a terminal: file names in a
// session from elsewhere may hold anything.
func (d Damage) String() string {
	s := text.Line(d.Path) + ": " + text.Line(d.Why)
	if d.Turn > 0 {
		s = fmt.Sprintf("turn %d: %s", d.Turn, s)
	}
	return s
}

// DamagedError reports that a turn could not be read as it was written.
type DamagedError struct{ Damage []Damage }

func (e *DamagedError) Error() string {
	s := make([]string, len(e.Damage))
	for i, d := range e.Damage {
		s[i] = d.String()
	}
	return strings.Join(s, "; ")
}

// Whole reports whether a list of damage holds nothing but notes.
func Whole(list []Damage) bool {
	for _, d := range list {
		if !d.Note {
			return false
		}
	}
	return true
}

// Documents are the types of session.json and turn.json, for their schemas. Each file has "crc" behind them.
func Documents() (session, turn reflect.Type) {
	return reflect.TypeFor[Info](), reflect.TypeFor[turnDoc]()
}

// turnDoc is turn.json.
type turnDoc struct {
	Format string `json:"format"` // the version of the turn's files
	Head
	Highest int       `json:"highest"` // the highest ref of the session when it was kept
	Parts   []partDoc `json:"parts"`
	Meta    Meta      `json:"meta"`
}

// partDoc names one part of a turn.
type partDoc struct {
	Role   string `json:"role"`   // what the part is to the turn
	Type   string `json:"type"`   // its media type
	SHA256 string `json:"sha256"` // the checksum of its bytes, hexadecimal
	Size   int64  `json:"size"`   // bytes of the content
	// Base is the part that this one is stored as a difference from, and Since
	// the turn that brought it. The part file itself names which base it needs;
	// this copy lets a writer choose a base without opening parts.
	Base  string `json:"base,omitempty"`
	Since int    `json:"since,omitempty"`
	// Payload describes a payload. Of is the payload of this turn, counted
	// from 1, whose redacted spans the part contains. Name is that of a profile.
	Payload *payloadDoc `json:"payload,omitempty"`
	Of      int         `json:"of,omitempty"`
	Name    string      `json:"name,omitempty"`
}

// payloadDoc is a payload's entry in turn.json.
type payloadDoc struct {
	Dialect string `json:"dialect"`         // the dialect that it is written in
	Model   string `json:"model,omitempty"` // the model that it is for
	Way     Way    `json:"way"`
	Wire    bool   `json:"wire"` // these bytes went over the wire
}

const (
	roleCapture = "capture"
	rolePicture = "picture"
	rolePayload = "payload"
	roleSpans   = "spans"
	roleSteps   = "steps"
	roleAnswer  = "answer"
	roleProfile = "profile"

	roleExchange = "exchange"
)

func (p partDoc) limit() int64 {
	switch p.Role {
	case roleCapture:
		return maxCapture
	case rolePicture:
		return maxPicture
	case rolePayload:
		return maxPayloadBytes
	case roleSteps, roleAnswer, roleSpans, roleExchange:
		return maxJSON
	case roleProfile:
		return maxProfile
	}
	return maxPart
}

// known reports whether a part belongs in a [Record]; others are of a later
// version.
func (p partDoc) known() bool {
	switch p.Role {
	case roleCapture, rolePicture, rolePayload, roleSpans, roleSteps, roleAnswer, roleExchange, roleProfile:
		return true
	}
	return false
}

func (t *turnDoc) part(role string) *partDoc {
	for i := range t.Parts {
		if t.Parts[i].Role == role {
			return &t.Parts[i]
		}
	}
	return nil
}

func (t *turnDoc) summary() Summary {
	s := Summary{Head: t.Head, HasPicture: t.part(rolePicture) != nil, Parts: t.parts(), Meta: t.Meta}
	for _, p := range t.Parts {
		s.Size += p.Size
	}
	return s
}

func (t *turnDoc) parts() []Part {
	list := make([]Part, len(t.Parts))
	for i, p := range t.Parts {
		list[i] = Part{Role: p.Role, Media: p.Type, SHA256: p.SHA256, Size: p.Size, Name: p.Name}
		if d := p.Payload; d != nil {
			list[i].Dialect, list[i].Model, list[i].Way, list[i].Wire = d.Dialect, d.Model, d.Way, d.Wire
		}
	}
	return list
}

// parseTurn reads the bytes of turns/n/turn.json.
func parseTurn(b []byte, n int) (*turnDoc, error) {
	// The format first: a later one may give members other types.
	var head struct {
		Format string `json:"format"`
	}
	if err := unseal(b, &head); err != nil {
		return nil, err
	}
	if err := checkFormat(head.Format, turnFormat); err != nil {
		return nil, err
	}
	var t turnDoc
	if err := json.Unmarshal(b, &t); err != nil {
		return nil, err
	}
	if t.N != n {
		return nil, fmt.Errorf("it is that of turn %d", t.N)
	}
	if t.Highest < 0 || t.Highest > maxNumber {
		return nil, fmt.Errorf("its highest ref %d is out of range", t.Highest)
	}
	return &t, t.check()
}

// check refuses invalid entries of a turn.json about its parts.
func (t *turnDoc) check() error {
	seen := map[string]bool{}
	payloads, size := 0, int64(0)
	for _, p := range t.Parts {
		if !isHash(p.SHA256) || p.Base != "" && !isHash(p.Base) {
			return fmt.Errorf("the name of its part %q is not a SHA-256", p.Role)
		}
		if p.Size < 0 || p.Size > p.limit() {
			return fmt.Errorf("its part %q has %d bytes, more than the %d allowed", p.Role, p.Size, p.limit())
		}
		key := p.Role // of parts that there may be only one of
		switch p.Role {
		case rolePayload:
			if p.Payload == nil {
				return errors.New("it does not say what its payload is")
			}
			payloads++
			size += p.Size
			continue
		case roleSpans:
			key = fmt.Sprintf("%s of payload %d", p.Role, p.Of)
			if p.Of < 1 || p.Of > payloads {
				return fmt.Errorf("it has redacted spans of payload %d of %d", p.Of, payloads)
			}
		case roleCapture, rolePicture, roleSteps, roleAnswer, roleExchange, roleProfile:
		default:
			continue
		}
		if seen[key] {
			return fmt.Errorf("it has two parts %q", key)
		}
		seen[key] = true
	}
	switch {
	case !seen[roleCapture]:
		return errors.New("it names no capture")
	case payloads > maxPayloads || size > maxPayloadBytes:
		return fmt.Errorf("it has %d payloads of %d bytes, more than the %d of %d bytes allowed", payloads,
			size, maxPayloads,
			maxPayloadBytes)
	}
	return nil
}

// checkFormat compares "name/2" with the format that this program knows.
func checkFormat(got, known string) error {
	if got == known {
		return nil
	}
	name, _, _ := strings.Cut(known, "/")
	if v, ok := strings.CutPrefix(got, name+"/"); ok && v != "" && len(v) < 6 && strings.Trim(v, "0123456789") == "" {
		return fmt.Errorf("%w: its format is %s, this program reads %s", ErrNewer, got, known)
	}
	return fmt.Errorf("its format is %.40q, not %s", got, known)
}

// count is turn.json's summary of the capture's nodes.
func count(c *snapshot.Capture) Counts {
	k := Counts{Nodes: len(c.Nodes), Frames: len(c.Frames)}
	for i := range c.Nodes {
		n := &c.Nodes[i]
		switch n.Verdict {
		case snapshot.VerdictRef:
			k.Refs++
		case snapshot.VerdictContent:
			k.Content++
		default:
			continue
		}
		if n.Occlusion != nil && n.Occlusion.State == snapshot.Covered {
			k.Covered++
		}
	}
	return k
}

// clip is the beginning of a text in at most max bytes of UTF-8.
func clip(s string, max int) string { return strings.ToValidUTF8(text.StartBytes(s, max), "") }

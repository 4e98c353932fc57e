package payload

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/tokens"
)

// DefaultModel stands where a body needs a model's name and none was given. It is
// no model: a body with it shows where the name goes.
const DefaultModel = "MODEL"

// Message is one earlier message of a conversation.
type Message struct {
	Role    string // system, user, assistant
	Content string
}

// Input is everything that a payload is made of.
type Input struct {
	Turn    int               // number of the turn, for error messages
	Capture *snapshot.Capture // required

	// Picture is the clean PNG of the turn. Marked is the marked picture and goes
	// instead of it where there is one; MarkedType is its media type, PNG if empty.
	Picture    []byte
	Marked     []byte
	MarkedType string
	// Legend explains the marks of the marked picture.
	Legend  string
	NoImage bool // send no picture at all

	Query  string // the task in the user's words
	System string // the host's own system prompt, before the legend of the dump
	Model  string // DefaultModel if empty
	// Mode is agent-interact's domMode: semantic (default), skeleton, hybrid, full.
	// Hybrid needs a picture, or NoImage.
	Mode string
	// Dump is the text format of the page, dddk if empty, with its options.
	Dump        dump.Format
	DumpOptions dump.Options

	// History are the messages before this turn, oldest first.
	History []Message
	// MaxPromptTokens limits dddk's message array, 0 for no limit; what was trimmed
	// is in Payload.Trimmed.
	MaxPromptTokens int
	// MaxTokens is what Anthropic's body must say about the answer; 4,096 if 0.
	MaxTokens int
	// Counter counts the tokens of the sections with o200k_base; nil estimates them.
	Counter *tokens.Counter
	// Detail is OpenAI's image detail; high for chat and original for responses if empty.
	Detail string

	// Agent holds what agent-interact's request says besides the page.
	Agent AgentState
	// Compat sends what the original sends: agent-interact's dom, cut at 10 KB, and the
	// backups of its full mode.
	Compat bool
	// HTML is the page's source for that dom, redacted like everything else; the full
	// dump stands in for it where it is empty.
	HTML string
}

// Payload is one request body.
type Payload struct {
	Dialect string
	Body    []byte
	SHA256  string // of Body, hexadecimal
	// Sections are in the order of the body and do not overlap.
	Sections []Section
	// Trimmed says in words what a token limit took out.
	Trimmed []string
}

// Section is a named part of a body: one JSON value.
type Section struct {
	Name      string `json:"name"`  // system, history, query, dump, legend, image, interactiveTree, dom, skeletonDom
	Start     int    `json:"start"` // byte offset in Body; the quotes of a string are inside
	End       int    `json:"end"`
	Chars     int    `json:"chars"`     // characters of the decoded text, base64 as it stands
	Tokens    int    `json:"tokens"`    // 0 where nothing can be said
	TokensHow string `json:"tokensHow"` // how Tokens came about
}

// The values of Section.TokensHow. With Input.Counter, the bodies of OpenAI are
// counted; for the others the same count is the best estimate there is, because
// their tokenizers are not public or their model is not known (P-4).
const (
	HowEstimated = "estimate: characters / 4"
	HowCounted   = "counted: o200k_base"
	HowBorrowed  = "estimate: counted with o200k_base, which is not this model's own"
	HowImage     = "not counted: depends on the model's rules for images"
)

// Dialects lists the dialects that [Build] knows.
func Dialects() []string {
	return []string{"agent-interact", "dddk", "openai-chat", "openai-responses", "anthropic", "gemini", "qwen"}
}

// Build makes the body in that dialect. Errors name the dialect and say what is
// wrong with the input; an unknown dialect is an error that names the known ones.
func Build(dialect string, in Input) (*Payload, error) {
	build := map[string]func(*body, Input) error{
		"agent-interact":   agentInteract,
		"dddk":             dddk,
		"openai-chat":      openAIChat,
		"openai-responses": openAIResponses,
		"anthropic":        anthropic,
		"gemini":           gemini,
		"qwen":             qwen,
	}[dialect]
	if build == nil {
		return nil, fmt.Errorf("payload dialect %q is not there; there are: %s", dialect, strings.Join(Dialects(), ", "))
	}
	if in.Capture == nil {
		return nil, fmt.Errorf("payload %s: turn %d has no capture", dialect, in.Turn)
	}
	if in.Model == "" {
		in.Model = DefaultModel
	}
	if in.Dump == "" {
		in.Dump = dump.DDDK
	}
	b := &body{counter: in.Counter, how: HowBorrowed}
	if strings.HasPrefix(dialect, "openai-") {
		b.how = HowCounted
	}
	if err := build(b, in); err != nil {
		return nil, fmt.Errorf("payload %s: %w", dialect, err)
	}
	sum := sha256.Sum256(b.out)
	return &Payload{
		Dialect: dialect, Body: b.out, SHA256: hex.EncodeToString(sum[:]),
		Sections: b.sections, Trimmed: b.trimmed,
	}, nil
}

// page is what every vendor's body says about the page.
type page struct {
	system string // the host's prompt and the legend of the dump
	dump   string
	legend string // of the marks, empty without a marked picture
	image  []byte // nil for none
	media  string // its media type
}

func pageOf(in Input) (page, error) {
	d, err := dump.Render(in.Capture, in.Dump, in.DumpOptions)
	if err != nil {
		return page{}, err
	}
	p := page{dump: d.Text, system: dump.Legend(in.Dump, in.DumpOptions)}
	if in.System != "" {
		p.system = in.System + "\n\n" + p.system
	}
	p.image, p.media, err = picture(in)
	if err == nil && p.image != nil && len(in.Marked) > 0 {
		p.legend = in.Legend
	}
	return p, err
}

// picture chooses the picture and checks that it is what it says it is: a vendor
// answers a wrong media type with an error that names neither.
func picture(in Input) (b []byte, media string, err error) {
	const png = "image/png"
	switch {
	case in.NoImage:
		return nil, "", nil
	case len(in.Marked) > 0:
		if b, media = in.Marked, in.MarkedType; media == "" {
			media = png
		}
	case len(in.Picture) > 0:
		b, media = in.Picture, png
	default:
		return nil, "", nil
	}
	ok := false
	switch media {
	case png:
		ok = bytes.HasPrefix(b, []byte("\x89PNG\r\n\x1a\n"))
	case "image/jpeg":
		ok = bytes.HasPrefix(b, []byte("\xff\xd8\xff"))
	case "image/webp":
		ok = len(b) > 12 && string(b[:4]) == "RIFF" && string(b[8:12]) == "WEBP"
	default:
		return nil, "", fmt.Errorf("picture of turn %d: media type %q is none of image/png, image/jpeg, image/webp", in.Turn, media)
	}
	if !ok {
		return nil, "", fmt.Errorf("picture of turn %d is not %s: take the turn again", in.Turn, media)
	}
	return b, media, nil
}

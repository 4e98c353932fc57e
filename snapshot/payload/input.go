package payload

import (
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/tokens"
)

// DefaultModel is the placeholder where a body needs a model's name and none was given. It is
// no model: a body with it shows where the name goes.
const DefaultModel = "MODEL"

// Message is one earlier message of a conversation.
type Message struct {
	Role    string // system, user, assistant
	Content string
}

// Input is everything that a payload is made of. Times and durations in it are the
// caller's: nothing here looks at a clock, so the same input gives the same bytes.
type Input struct {
	Turn    int               // number of the turn, for error messages
	Capture *snapshot.Capture // required

	// Picture is the clean PNG of the turn. Marked is the marked picture and goes
	// instead of it where there is one; MarkedType is its media type, PNG if empty.
	Picture    []byte
	Marked     []byte
	MarkedType string
	// Legend explains the marks of the marked picture.
	Legend string
	// ImageRule is what the model does with the picture.
	ImageRule ImageRule
	NoImage   bool // send no picture at all

	Query  string // the task in the user's words
	System string // the host's own system prompt, before the legend of the dump
	Model  string // DefaultModel if empty
	// Mode is agent-interact's domMode: semantic (default), skeleton, hybrid, full.
	// Hybrid needs a picture, or NoImage.
	Mode string
	// PictureOnly: the hybrid mode has its picture alone, because that is all that was
	// requested (S-21).
	PictureOnly bool
	// Dump is the text format of the page, dddk if empty, with its options. A dialect
	// that has a format of its own takes the options and refuses another format.
	Dump        dump.Format
	DumpOptions format.Options
	// Sent is the text in which the agent itself listed the page; it goes in the place of a dump, as it is. Numbers are
	// what the marked picture shows for an element with a number then, "" for one that the agent was not told of; nil
	// for the numbers themselves.
	Sent    string
	Numbers func(ref int) string

	// History are the messages before this turn, oldest first.
	History []Message
	// MaxPromptTokens limits dddk's message array, 0 for no limit; what was trimmed
	// is in Payload.Trimmed.
	MaxPromptTokens int
	// MaxTokens is the answer limit that Anthropic's body must have; 4,096 if 0.
	MaxTokens int
	// Counter counts the tokens of the sections with o200k_base; nil estimates them.
	Counter *tokens.Counter
	// Detail overrides ImageRule.Detail.
	Detail string

	// Agent is what agent-interact's request contains besides the page.
	Agent AgentState
	// Answer is what cdp-skill's answer contains besides the page.
	Answer Answer
	// Compat sends what the original sends: the compat profile of the text format,
	// agent-interact's dom, cut at 10 KB, and the backups of its full mode.
	Compat bool
	// HTML is the page's source for that dom, redacted like everything else; the full
	// dump replaces it where it is empty.
	HTML string
}

// ImageRule is a model's row in the table of vision models (package overlay/vision), as
// plain data. The zero value is no such row: the dialect's own order and detail hold, and
// nothing is known about the picture's tokens.
type ImageRule struct {
	// Model is the name of the row, "" for no row. It is not the model of the body: a
	// row may be for a family, or for all that are unknown.
	Model string
	// First puts the picture before the text.
	First bool
	// Detail is the vendor's word for how closely the model looks: low, high, original,
	// auto (OpenAI); low, medium, high, ultra_high (Gemini); "" is the dialect's own.
	Detail string
	// Tokens is the cost of the picture, How describes its calculation.
	Tokens int
	How    string
	// Width and Height are the size, in image px, that the picture was made in for the
	// model; 0 where nothing is known. A picture of another size is an error: the vendor
	// would resize it, and with it the marks.
	Width, Height int
}

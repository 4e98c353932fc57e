// Package tokens measures texts: bytes, characters, UTF-16 units and tokens.
//
// Start with [Measure] for the sizes of a text and [Counter.Count] for its tokens. They are
// counted for real with o200k_base, the encoding of OpenAI's models since GPT-4o. The
// vocabulary is part of the program: nothing is downloaded. A [Counter] builds its tables
// when it first counts, so a program that never counts pays for nothing but the bytes on its
// disk.
//
// No other vendor publishes its tokenizer in a form that could be kept here, so
// for their models every number is an estimate. [Estimates] lists the estimates of
// the agents that Refscope looks into, each with its rule and its source, beside
// the real count: a person can see what an agent believed and what was true.
//
// Page text that spells a special token, such as <|endoftext|>, is counted as the
// ordinary text that it is: no API lets the text of a message become one.
//
// # Why the work is done here
//
// The vocabulary comes from github.com/tiktoken-go/tokenizer; a test compares it
// with the checksum that OpenAI publishes. That library's own encoder is not used:
// in v0.8.2 to v0.10.0 its generated matcher stops \s*[\r\n]+ at the first line break, so
// "\n\t\n", as in the text of a pre, becomes two tokens and not one. Splitting
// (split.go) and merging (merge.go) are small, several times faster without a
// regular expression, and tested against the published pattern, run by a general
// engine, and against a merge that is too simple to be wrong.
package tokens

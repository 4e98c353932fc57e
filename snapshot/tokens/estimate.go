package tokens

import "unicode/utf8"

// Method is one way to say how many tokens a text has.
type Method struct {
	// Name is short and stable: o200k_base, chars/4 …
	Name string
	// How says it to a person, such as "estimate: characters / 4".
	How string
	// Source is where the rule comes from.
	Source string
	// Real: counted with the model's own vocabulary and not estimated.
	Real bool
	// Count applies the rule. It never answers with less than 0.
	Count func(string) int
}

// Methods lists the real count by c, then the estimates.
func (c *Counter) Methods() []Method {
	return append([]Method{{
		Name: Encoding, How: "counted: " + Encoding, Real: true, Count: c.Count,
		Source: "OpenAI tiktoken, o200k_base: GPT-4o and later",
	}}, Estimates()...)
}

// Estimates lists the rules of thumb of the agents that Refscope looks into. None
// of them looks at the words. On dumps, with their brackets, numbers and addresses,
// characters / 4 says about 30 % too little (116 saved pages, dddk and semantic:
// 289,758 for 411,269 tokens); on Chinese text, less than half.
func Estimates() []Method {
	return []Method{
		{
			Name: "chars/4", How: "estimate: characters / 4", Count: Quarter,
			Source: "W-5, S-1 estimatedTokens; seed 001 (300 bytes are 75 tokens); engines.md 4.2: every system but dddk",
		},
		{
			Name: "bytes/4", How: "estimate: bytes / 4, rounded down", Count: quarterBytes,
			Source: "seed 003, estimated_tokens: the length of a Rust string is in bytes",
		},
		{
			Name: "utf16/3.5", How: "estimate: UTF-16 units / 3.5", Count: threeAndAHalf,
			Source: "engines.md 1.0: dotdotduck's prompt budget, meant for text that is partly Chinese",
		},
	}
}

// Quarter is a quarter of the characters, rounded up: W-5 and semantic's
// estimatedTokens.
func Quarter(s string) int { return (utf8.RuneCountInString(s) + 3) / 4 }

// quarterBytes is a quarter of the bytes, rounded down: what Wraith computes.
func quarterBytes(s string) int { return len(s) / 4 }

// threeAndAHalf is the UTF-16 units over 3.5, rounded up: dotdotduck's.
func threeAndAHalf(s string) int { return (2*Measure(s).UTF16 + 6) / 7 }

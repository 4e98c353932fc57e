package tokens

import "unicode/utf8"

// Method is a rule of thumb for how many tokens a text has.
type Method struct {
	Name string // short and stable: chars/4 …
	// Count applies the rule. It never returns less than 0.
	Count func(string) int
}

// Estimates lists the rules of thumb of the agents that Refscope looks into. None of them
// looks at the words. On dumps, with their brackets, numbers and addresses, characters / 4
// is about 30 % too little (116 saved pages, dddk and semantic: 289,758 for 411,269
// tokens); on Chinese text, less than half.
//
//	chars/4     W-5, S-1 estimatedTokens; seed 001 (300 bytes are 75 tokens); engines.md 4.2: every system but dddk
//	bytes/4     seed 003, estimated_tokens: the length of a Rust string is in bytes
//	utf16/3.5   engines.md 1.0: dotdotduck's prompt budget, meant for text that is partly Chinese
func Estimates() []Method {
	return []Method{{"chars/4", Quarter}, {"bytes/4", quarterBytes}, {"utf16/3.5", threeAndAHalf}}
}

// Quarter is a quarter of the characters, rounded up: W-5 and semantic's
// estimatedTokens.
func Quarter(s string) int { return (utf8.RuneCountInString(s) + 3) / 4 }

// quarterBytes is a quarter of the bytes, rounded down: what Wraith computes.
func quarterBytes(s string) int { return len(s) / 4 }

// threeAndAHalf is the UTF-16 units over 3.5, rounded up: dotdotduck's.
func threeAndAHalf(s string) int { return (2*Measure(s).UTF16 + 6) / 7 }

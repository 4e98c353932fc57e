package dump

import "github.com/refscope/refscope/snapshot/text"

// How page text is made safe. The rules hold in every format; the line formats
// add guard, the JSON formats AppendJSON.
//
//   - White space of any kind, line and paragraph separators included, becomes
//     one space; inside pre, line feeds and tabs stay.
//   - What a reader cannot see or what reorders what a reader sees is spelled out
//     as \u{202e}: control characters, format characters (bidi controls, zero-width
//     characters, tags), invisible fillers, noncharacters. Backslashes of the page
//     are doubled, the whole run of them, before "u{" and before what is spelled out,
//     and nowhere else. So the spelling is never ambiguous: before "u{", each pair of
//     backslashes is one of the page, and an odd one begins a spelling. Three kinds stay
//     because words depend on them: a joiner between two visible non-ASCII
//     characters (Persian, Indic, emoji), a variation selector after a visible
//     character, and signs such as U+06DD that are drawn. A soft hyphen is dropped.
//   - Bytes that are not UTF-8, lone surrogates among them, become U+FFFD.

// Printable is [text.Line].
func Printable(s string) string { return text.Line(s) }

// PrintableLines is [text.Lines].
func PrintableLines(s string) string { return text.Lines(s) }

// AppendJSON is [text.AppendJSON].
func AppendJSON(dst []byte, s string) []byte { return text.AppendJSON(dst, s) }

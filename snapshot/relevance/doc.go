// Package relevance finds the parts of a page that a task in words is about, for
// pages that are too large to be given to a model whole (S-13, seed 001 2.6.2).
//
// [Select] works in four steps, each a pure function of the capture:
//
//   - Chunks (chunk.go): kept elements that belong together, by the smallest
//     container around them, such as a card, a row or a form, and else by lying
//     close together in the same part of the page.
//   - Words (words.go): of the query and of each chunk, in any script.
//   - Scores (score.go): Okapi BM25 of each chunk against the query. The seed speaks
//     of keyword relevance from 0 to 1 and gives no formula; this one is the
//     field's default. Relevance is the score as a share of what a chunk of average
//     length with each of the query's words once would get, at most 1. Words of the
//     query that the page does not have count for nothing: "click on" is in no page.
//   - Choice: the best chunks first, as long as they fit into 50 elements and 2,000
//     tokens, none below a relevance of 0.1. Sections, dialogs and frames around
//     what was chosen come along and count.
//
// The answer reports for each kept element whether it was chosen and why not, so a
// format can account for it (dump.ReasonQuery).
package relevance

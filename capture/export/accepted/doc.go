// Package accepted keeps golden pages on disk and reports on them (N-12). What is
// compared, and how, is package golden's; here are the folder and the report.
//
//	DIR/golden.json        the pages and rules, written by people and by accept
//	DIR/.gitattributes     so that git leaves the bytes alone
//	DIR/PAGE/page.json     what was accepted, with the SHA-256 of every file beside it
//	DIR/PAGE/capture.json  the capture, normalised
//	DIR/PAGE/dddk.txt …    each dump
//	DIR/PAGE/marks.json    the manifest of the marked picture
//	DIR/PAGE/audit.json    what an audit finds
//	DIR/PAGE/picture.png   the picture, without marks; it is shown, and compared on request
//
// PAGE is the page's name with everything but letters, digits, "-", "_" and "."
// escaped ([golden.Page.Folder]). A page is written beside its place and then
// renamed, so there is a whole one or none.
//
// Dumps, marks and audit are made of the capture; they are kept so that a person can
// read what was accepted, and a difference of them shows up in a review.
package accepted

import "errors"

// PageSchema names the shape of page.json.
const PageSchema = "refscope.golden-page/1"

// ErrNew is the error of a page that was never accepted.
var ErrNew = errors.New("it was never accepted")

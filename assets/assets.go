// Package assets embeds the files that the programs carry: the demo site, the guide for
// agents and the icon. Package capture/serve serves the site on loopback, and the
// window passes the icon to its toolkit.
//
// The demo site is a small shop for demonstrating an inspector. Its four pages contain
// the cases that the tools demonstrate:
//
//   - index.html: a sticky header, a cookie banner over real buttons, a sticker
//     over the end of a button, a veil that ignores the pointer, a dialog that a
//     button opens, a toast that comes after a press, a review that tries to
//     forge a line of the dump;
//   - checkout.html: one form with every control that HTML has, secrets filled in
//     (card number, password, one-time code) so that redaction can be seen, and
//     the banner over "Place order";
//   - orders.html: a table of sixty rows below the fold, a list that grows while it
//     is scrolled, a list with one delegated listener, a div with its own;
//   - widgets.html: ARIA widgets, an open and a closed shadow root, a frame of this
//     site and one of another, a popover, and things hidden in every known way.
//
// It needs no network, loads no font, and changes nothing on its own: no timer runs
// at load and nothing reads the clock, so that two captures of a page are equal.
package assets

import (
	"embed"
	"io/fs"
)

//go:embed demo
var demo embed.FS

//go:embed skill
var skill embed.FS

//go:embed icon.png
var icon []byte

// Demo returns the demo site; index.html is at its root.
func Demo() fs.FS {
	site, err := fs.Sub(demo, "demo")
	if err != nil { // only for an invalid path, and this one is a constant
		return demo
	}
	return site
}

// Skill returns the guide for agents (C-24): SKILL.md, which they read first, and
// EXAMPLES.md. Every example in it is run by a test of cmd/refscopectl.
func Skill() fs.FS {
	guide, err := fs.Sub(skill, "skill")
	if err != nil { // only for an invalid path, and this one is a constant
		return skill
	}
	return guide
}

// Icon returns the program's icon as a PNG of 512x512 px with transparent corners.
// The slice is the caller's own.
func Icon() []byte { return append([]byte(nil), icon...) }

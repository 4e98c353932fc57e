package text

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts/partstest"
	look "github.com/refscope/refscope/gui/theme"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
)

var refInLine = regexp.MustCompile(`\[(\d+)\]<|"i":\s*"(\d+)"`)

// document makes a document of a text; a line is about the ref that it names, and
// the ref is the node's index too.
func document(f dump.Format, text string) *dump.Document {
	d := &dump.Document{Format: f, Text: text}
	at := 0
	for _, line := range strings.Split(text, "\n") {
		l := dump.Line{Start: at, End: at + len(line), Node: -1}
		if m := refInLine.FindStringSubmatch(line); m != nil {
			l.Ref, _ = strconv.Atoi(m[1] + m[2])
			l.Node = l.Ref
		}
		d.Lines = append(d.Lines, l)
		at += len(line) + 1
	}
	return d
}

// shop is the text of the target picture, with hostile and foreign text added.
const shop = "URL: http://127.0.0.1:8471/shop/checkout\n" +
	"TITLE: Demo shop — Checkout\n" +
	"VIEWPORT: 0px above · 800px visible · 1240px below\n" +
	"\n" +
	"[2]<header>\n" +
	"\t[3]<a href=\"/\">Home</a>\n" +
	"\t[4]<a href=\"/products\">Products</a>\n" +
	"\t[5]<a href=\"/cart\">Cart (2)</a>\n" +
	"[10]<main>\n" +
	"\t[11]<h1>Checkout</h1>\n" +
	"\t[16]<form> Delivery\n" +
	"\t\t[17]<input type=\"text\" value=\"Ada Lovelace\" />\n" +
	"\t\t[18]<input type=\"text\" placeholder=\"Street\" />\n" +
	"\t\t[19]<input type=\"text\" value=\"[redacted: card]\" />\n" +
	"\t\t[21]<checkbox checked>Ship to the same address</checkbox>\n" +
	"\t\t[24]<button>Place order</button> (covered by [30])\n" +
	"\t\t[25]<button>Cancel</button> (covered by [30])\n" +
	"[30]<dialog> We use cookies\n" +
	"\t[31]<button>Accept all</button>\n" +
	"\t[32]<button>Reject</button>\n" +
	"↓[40]<section> You may also like\n" +
	"\t[41]<a href=\"/ja\">東京の天気 and more</a>\n" +
	"\t[42]<a href=\"/ar\">مرحبا بالعالم</a> after\n" +
	"\t[43]<button>👩\u200d💻 Ship it 🚀</button>\n" +
	"\t<p>price\u202e991$ and\u200b more\x07</p>\n" +
	"[...truncated: 38 nodes of “You may also like”, 2,140 characters]"

// shopCapture covers 24 entirely and 25 partly.
func shopCapture() *snapshot.Capture {
	c := &snapshot.Capture{}
	for i := range 44 {
		n := snapshot.Node{I: i, Ref: i, Parent: i - 1}
		switch i {
		case 24:
			n.Occlusion = &snapshot.Occlusion{State: snapshot.Covered}
		case 25:
			n.Occlusion = &snapshot.Occlusion{State: snapshot.Partly}
		}
		c.Nodes = append(c.Nodes, n)
	}
	return c
}

// window shows a view in a window of that size and returns both.
func window(t testing.TB, mode look.Mode, size fyne.Size, on Callbacks) (*View, fyne.Window) {
	return partstest.Window(t, mode, size, func() *View { return New(on) })
}

func TestLooks(t *testing.T) {
	doc := document("dddk", shop)
	for _, mode := range []look.Mode{look.Dark, look.Light, look.Contrast} {
		v, w := window(t, mode, fyne.NewSize(560, 520), Callbacks{})
		v.Set(core.DumpVM{Doc: doc, Tones: core.NewLineTones(shopCapture(), doc), Selected: 24, Hover: 17})
		partstest.Picture(t, w, fmt.Sprintf("dump-%s", mode))
	}
}

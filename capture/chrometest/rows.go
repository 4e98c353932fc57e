package chrometest

import (
	"fmt"
	"strings"
)

// Rows is the page that speed is measured on: a header, a form and n list rows of a
// link, a button, a checkbox with its label and some text, about 7 elements a row.
// 110 rows make about 800 elements, 770 about 5,400, 2,850 about 20,000.
func Rows(n int) string {
	var b strings.Builder
	b.WriteString(`<!doctype html><html lang="en"><title>Rows</title><style>
		body { font: 14px/20px sans-serif; margin: 16px } .row { display: flex; gap: 12px; ` +
		`padding: 4px; border-bottom: 1px solid #ddd }
		.tag { color: #666; border-radius: 8px; padding: 0 6px; background: #eee }
		</style><header><nav aria-label="Main"><a href="/">Home</a> <a href="/orders">Orders</a></nav></header>
		<main><h1>Orders</h1><form><label for="q">Find</label>` +
		`<input id="q" type="search" placeholder="Order"><button>Search</button></form><div id="list">`)
	for i := 0; i < n; i++ {
		fmt.Fprintf(&b,
			`<div class="row" data-id="%d"><a href="/order/%d">Order %d</a><span>%d items, <b>$%d</b></span><span `+
				`class="tag">open</span><label><input type="checkbox" name="c%d"> keep</label><button `+
				`type="button">Ship</button></div>`,
			i, i, i, i%9+1, i*7%500, i)
	}
	b.WriteString(`</div></main></html>`)
	return b.String()
}

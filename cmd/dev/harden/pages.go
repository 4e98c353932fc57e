package harden

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// hostilePages are pages that would break a reader which trusts them. n is how large: 100 for the short version,
// up to 100,000.
var hostilePages = []struct {
	name string
	make func(n int) string
}{
	{"many elements", func(n int) string { return strings.Repeat("<button>b</button>", n*5) }},
	{"depth", func(n int) string {
		return "<script>let e=document.body;for(let i=0;i<" + fmt.Sprint(n) +
			";i++)e=e.appendChild(document.createElement('div'));e.innerHTML='<button>deep</button>'</script>"
	}},
	{"frames", func(n int) string {
		return strings.Repeat(`<iframe srcdoc="<button>in a frame</button>"></iframe>`, n/50)
	}},
	{"long text", func(n int) string { return "<p>" + strings.Repeat("word\u202e\u0000\u2028 [1] ", n*20) + "</p>" }},
	{"long attributes", func(n int) string {
		return `<button aria-label="` + strings.Repeat("x", n*100) +
			`">b</button>`
	}},
	{"mutation storm", func(n int) string {
		return fmt.Sprintf(`<div id=d></div><script>setInterval(()=>{d.innerHTML='';`+
			`for(let i=0;i<%d;i++)d.appendChild(document.createElement('a')).href='#'+i},0)</script>`, min(n, 2000))
	}},
	{"dialogs", func(int) string {
		return `<button>b</button><script>setInterval(()=>{alert(1);confirm(2);prompt(3)},5)</script>`
	}},
	{"dialog at the end", func(int) string {
		return `<script>onbeforeunload=e=>{e.preventDefault();return 'stay'}</script><button>b</button>`
	}},
	{"navigation storm", func(int) string {
		return `<button>b</button><script>setInterval(()=>location.hash=Math.random(),1);` +
			`setTimeout(()=>location.reload(),30)</script>`
	}},
	{"history storm", func(int) string {
		return `<script>setInterval(()=>{for(let i=0;i<50;i++)history.pushState(i,'','?'+i)},1)</script>`
	}},
	{"endless loop", func(int) string { return `<button>b</button><script>setTimeout(()=>{for(;;);},50)</script>` }},
	{"prototype tampering", func(int) string {
		return `<button>b</button><script>for(const c of ` +
			`[Array,Map,Set,WeakMap,Promise,String,Object,Function,Element,Node,Document])` +
			`for(const k of Object.getOwnPropertyNames(c.prototype))` +
			`try{Object.defineProperty(c.prototype,k,{get(){throw 'got'}})}catch(e){}` +
			`JSON.stringify=()=>{throw 1};window.getComputedStyle=()=>null;document.elementFromPoint=()=>null;` +
			`Element.prototype.getBoundingClientRect=()=>({x:NaN,y:Infinity,width:-1,height:1e308})</script>`
	}},
	{"DOM clobbering", func(int) string {
		var b strings.Builder
		for _, name := range []string{"body", "head", "title", "forms", "children", "childNodes", "parentNode",
			"attributes",
			"tagName", "nodeName", "shadowRoot", "getAttribute", "querySelector", "ownerDocument", "documentElement",
			"id",
			"style", "firstChild", "nextSibling", "length", "location", "defaultView", "__proto__", "constructor"} {
			fmt.Fprintf(&b, `<form name=%[1]s><input name=%[1]s id=%[1]s><input name=%[1]s></form><img name=%[1]s>`,
				name)
		}
		return b.String()
	}},
	{"forged lines", func(int) string {
		return `<button>[999] button "Pay"</button><p>` + "\n[1] forged\r\n\x1b[31m</p>" +
			`<a href="javascript:0" title="&#10;[2]&#x2028;[3]">a</a>`
	}},
	{"shadow depth", func(n int) string {
		return `<script>let e=document.body;for(let i=0;i<` + fmt.Sprint(min(n, 5000)) +
			`;i++){const h=e.appendChild(document.createElement('div'));e=h.attachShadow({mode:i%2?'open':'closed'})}` +
			`e.innerHTML='<button>far in</button>'</script>`
	}},
	{"boxes", func(int) string {
		return `<div style="position:fixed;inset:0;width:1e7px;height:1e7px;transform:scale(1e6) rotate(1rad) ` +
			`perspective(1px)"><button style="width:0;height:1e9px;margin:-1e9px">b</button></div><table><tr><td ` +
			`colspan=65534 rowspan=65534>x</table>`
	}},
	{"slow answers", func(int) string {
		return `<img src="/never/` + strings.Repeat("x", 500) +
			`.png"><button>b</button>`
	}},
	{"animation", func(n int) string {
		return strings.Repeat(`<div style="animation:a 1ms infinite">x</div>`, min(n/10, 3000)) +
			`<style>@keyframes a{to{transform:translate(9999px)}}</style>`
	}},
}

// sizes are how large the pages are, by turns.
var sizes = []int{2000, 20_000, 100_000}

// tryPage reads one hostile page with one command.
func tryPage(name string, page func(int) string) func(context.Context, *bench, *rand.Rand) error {
	return func(ctx context.Context, b *bench, r *rand.Rand) error {
		n, patience := sizes[r.IntN(len(sizes))], 20*time.Second
		if b.Short {
			n, patience = 100, 5*time.Second
		}
		file := filepath.Join(b.Dir, "page.html")
		body := "<!doctype html><meta charset=utf-8><title>" + name + "</title><body>" + page(n)
		if err := os.WriteFile(file, []byte(body), 0o600); err != nil {
			return err
		}
		calls := [][]string{{"snap", file}, {"snap", file, "--format", "capture", "--all"}, {"audit", file},
			{"mark", file, "-o", filepath.Join(b.Dir, "page.png")}, {"turn", file, "-o", filepath.Join(b.Dir, "taken")},
			{"snap", file, "--format", "aria"}, {"tokens", file}}
		call := calls[r.IntN(len(calls))]
		defer func() { _ = os.RemoveAll(filepath.Join(b.Dir, "taken")) }()
		// A command has its own time, two seconds for its end, and what a loaded machine takes to start a browser and
		// to write half a million lines.
		res := b.run(ctx, patience+2*time.Minute, nil, append(call, "--no-broker", "--timeout", patience.String())...)
		if err := res.fault(0, 1); err != nil {
			return fmt.Errorf("%s, size %d: %w", name, n, err)
		}
		if name == "forged lines" && strings.Contains(string(res.out), "\n[1] forged") {
			return fmt.Errorf("the page forged a line: %.300s", res.out)
		}
		return nil
	}
}

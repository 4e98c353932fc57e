package collect

import (
	_ "embed"
	"encoding/json"
	"hash/fnv"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/snapshot/redact"
)

// The collector is one function expression, assembled from one file for each job.
var (
	//go:embed js/hardened.js
	hardenedJS string // properties that no page can hide
	//go:embed js/base.js
	baseJS string // codes, sets of tags, readers of attributes, the index of elements
	//go:embed js/naming.js
	namingJS string // which elements are named, and what a name makes of them
	//go:embed js/roles.js
	rolesJS string // html-aam role mappings
	//go:embed js/names.js
	namesJS string // accname 1.2 names and descriptions
	//go:embed js/counters.js
	countersJS string // CSS counters in generated content
	//go:embed js/generated.js
	generatedJS string // text that style sheets write
	//go:embed js/labels.js
	labelsJS string // labels where the specification finds no name
	//go:embed js/state.js
	stateJS string // live form state, ARIA states, values that must stay in the page
	//go:embed js/clip.js
	clipJS string // what overflow, clip and transforms leave of a box
	//go:embed js/faces.js
	facesJS string // which elements turn their back
	//go:embed js/style.js
	styleJS string // which elements have to be asked for their style
	//go:embed js/spill.js
	spillJS string // what is drawn outside an element's own empty box
	//go:embed js/walk.js
	walkJS string // the composed walk with styles, boxes and clips
	//go:embed js/paint.js
	paintJS string // which of two elements is painted over the other
	//go:embed js/ink.js
	inkJS string // how much an element lets through of what is below it
	//go:embed js/glass.js
	glassJS string // what a person sees where that is not what a click reaches
	//go:embed js/legible.js
	legibleJS string // text that is small, pale or cut off
	//go:embed js/press.js
	pressJS string // what of an element a click operates
	//go:embed js/hit.js
	hitJS string // hit tests and the layout hash
	//go:embed js/facts.js
	factsJS string // layers, scroll containers, what a click reaches over the viewport
	//go:embed js/answer.js
	answerJS string // answers that leave out what the one before says
	//go:embed js/pack.js
	packJS string // numbers on their way to Go
	//go:embed js/redact.js
	redactJS string // texts that look like secrets, and what the profile withholds
	//go:embed js/sensitive.js
	sensitiveJS string // which controls hold secrets
	//go:embed js/filter.js
	filterJS string // what the profile's host filters and a predicate take out
	//go:embed js/closed.js
	closedJS string // closed shadow roots: who may be a host, what their slots take
	//go:embed js/window.js
	windowJS string // where an element shows another document
	//go:embed js/internals.js
	internalsJS string // what custom elements say by ElementInternals
	//go:embed js/late.js
	lateJS string // evidence that comes after the walk, windows of frames
	//go:embed js/collect.js
	collectJS string // puts the answer together
)

// request are the options of one evaluation.
type request struct {
	MaxNodes int     `json:"maxNodes"`
	Deadline float64 `json:"deadline"` // ms
	Hits     bool    `json:"hits"`
	AllNames bool    `json:"allNames"`
	// AllStyles asks every element for its style; see js/style.js.
	AllStyles bool `json:"allStyles"`

	Rules        []redact.Rule     `json:"rules"`
	Names        *redact.NameTable `json:"names"`
	Drop         []string          `json:"drop"`
	Redact       []string          `json:"redact"`
	AllowSecrets bool              `json:"allowSecrets"`

	// Width and Height are what counts as in view, where that is not the viewport; of
	// the top frame only. CSS px.
	Width  float64 `json:"width,omitempty"`
	Height float64 `json:"height,omitempty"`

	// State asks for what the document shows beside its mutations; see [document.State].
	State bool `json:"state,omitempty"`

	// View is the part of the frame's viewport that the top one shows: left, top,
	// right, bottom, 0 to 1 of the frame's width and height. Nil means all of it.
	View *[4]float64 `json:"view"`
	// Over are boxes (x, y, w, h) of frames around that may lie over this one, in
	// the same parts.
	Over []float64 `json:"over"`

	Filter string `json:"-"` // a JavaScript expression of el, or ""
}

// script is how one document is collected by one collector. The collector's functions
// stay in the world for as long as its document lives: the browser has then compiled
// them, and they need not be sent again.
type script struct {
	// call is a function of the number of the answer that is held, see [answer]; undefined where the world has no
	// collector of this version.
	call    string
	install string // makes the collector, where the document has not got it while it loaded; see [Prepare]
}

// scripts are those of both collectors; see collectors.
type scripts struct{ quick, careful script }

// collectScripts are the scripts of a request.
func collectScripts(r request) scripts {
	opt, err := json.Marshal(r)
	if err != nil { // scalars and strings always encode
		opt = []byte("{}")
	}
	args := string(opt) + ", " + predicate(r.Filter)
	c := collectorsOnce()
	return scripts{c.quick.script(args), c.careful.script(args)}
}

// script calls the collector in the world's registry.
func (c collector) script(args string) script {
	return script{
		call: `((held) => { const c = globalThis.__refscope && globalThis.__refscope.` + c.name +
			`; return c && c.version === '` +
			c.version +
			`' ? c.run(` + args + `, held) : undefined; })`,
		install: c.install,
	}
}

// newCollector is the collector of that source by its name in the world's registry.
func newCollector(name, source string) collector {
	version := strconv.FormatUint(fingerprint(source), 16)
	at := "globalThis.__refscope." + name
	return collector{name, version, "(() => {\nif (" + at + " && " + at + ".version === '" + version + "') return;\n" +
		source + "\n" + at + " = { version: '" + version + "', run };\n})()"}
}

// Prepare has the documents that the tab loads from now on get the collector while they load, so that [Read] need not
// send it. Every Read prepares its tab for the next document.
func Prepare(tab *browser.Tab) { tab.Preload(collectorsOnce().quick.install) }

// collectorSource is the collector, function declarations and constants.
func collectorSource() string {
	return strings.Join([]string{
		baseJS, rolesJS, namesJS, namingJS, countersJS, generatedJS, labelsJS, stateJS, clipJS, facesJS,
		styleJS, spillJS, walkJS,
		paintJS, inkJS,
		glassJS, legibleJS, pressJS, hitJS, factsJS, packJS, answerJS, redactJS, sensitiveJS, filterJS, closedJS,
		internalsJS, windowJS, lateJS, collectJS,
	}, "\n")
}

// WithPress is a function (node, options) of a page's world, given as source, that has the functions of js/press.js.
func WithPress(function string) string {
	return "(node, options) => {\n" + pressJS + "\nreturn (" + function + ")(node, options); }"
}

// fingerprint identifies the version of the collector (FNV-1a).
func fingerprint(s string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s)) // never fails
	return h.Sum64()
}

// predicate is a filter expression as a function of el; null where there is none.
func predicate(expr string) string {
	if expr == "" {
		return "null"
	}
	return "(el) => (\n" + expr + "\n)"
}

const (
	momentScript  = `globalThis.__refscope && globalThis.__refscope.moment ? globalThis.__refscope.moment() : '{}'`
	releaseScript = `if (globalThis.__refscope) { const r = globalThis.__refscope; r.shot = r.probe = r.moment = ` +
		`r.seal = r.late = r.known = r.remember = r.maybe = r.speakers = r.tell = r.windows = null; }`
)

// ownNames are the properties of nodes that the collector reads of any element, a form
// among them.
const ownNames = "assignedSlot attributes checkVisibility childElementCount childNodes children classList className " +
	"clientHeight " +
	"clientLeft clientTop clientWidth closest contains editContext firstChild firstElementChild getAttribute " +
	"getAttributeNames " +
	"getBoundingClientRect " +
	"getClientRects " +
	"getRootNode hasAttribute hasAttributes id inert isConnected isContentEditable lastChild localName matches " +
	"namespaceURI nextElementSibling nextSibling " +
	"nodeType offsetHeight offsetWidth ownerDocument parentElement parentNode previousElementSibling previousSibling " +
	"querySelector " +
	"querySelectorAll scrollHeight scrollLeft scrollTop scrollWidth shadowRoot tabIndex textContent"

// collector is one way to run the collector, and which version of it that is.
type collector struct {
	name    string
	version string // hexadecimal
	install string // makes it, and leaves one of its version as it is
}

// collectors are the two ways to run the collector. Quick reads properties by name,
// which the browser is fastest at; where it meets a form or a document that hides one
// of them it gives up ([hidden]), and careful reads them in a way that no page can hide.
type collectors struct{ quick, careful collector }

// hidden is the quick collector's answer where the page hides properties.
const hidden = "hidden"

// collectorsOnce puts the sources together; they are the same for every capture.
var collectorsOnce = sync.OnceValue(func() collectors {
	source := collectorSource()
	names := "'" + strings.Join(strings.Fields(ownNames), "', '") + "'"
	return collectors{
		quick:   newCollector("quick", "'use strict';\nconst HIDEABLE = ["+names+"];\n"+source),
		careful: newCollector("careful", hardened("const HIDEABLE = [];\n"+source)),
	}
})

// hardened is a script that reads the properties of ownNames by symbols of its own, so
// that no page can hide them: el.parentNode becomes el[$parentNode]. See js/hardened.js.
func hardened(source string) string {
	names := strings.Fields(ownNames)
	access := regexp.MustCompile(`(\?)?\.(` + strings.Join(names, "|") + `)\b`)
	source = access.ReplaceAllStringFunc(source, func(s string) string {
		if rest, optional := strings.CutPrefix(s, "?."); optional {
			return "?.[$" + rest + "]"
		}
		return "[$" + s[1:] + "]"
	})
	var b strings.Builder
	b.WriteString("'use strict';\n" + hardenedJS)
	for _, n := range names {
		b.WriteString("const $" + n + " = own('" + n + "');\n")
	}
	b.WriteString(source)
	return b.String()
}

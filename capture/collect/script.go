package collect

import (
	_ "embed"
	"encoding/json"
	"strings"

	"github.com/refscope/refscope/snapshot"
)

// The collector is one function expression, put together from one file a job.
var (
	//go:embed js/roles.js
	rolesJS string // html-aam role mappings
	//go:embed js/names.js
	namesJS string // accname 1.2 names and descriptions
	//go:embed js/counters.js
	countersJS string // CSS counters in generated content
	//go:embed js/hunt.js
	huntJS string // labels where the specification finds no name
	//go:embed js/state.js
	stateJS string // live form state, ARIA states, values that must stay in the page
	//go:embed js/clip.js
	clipJS string // what overflow, clip and transforms leave of a box
	//go:embed js/walk.js
	walkJS string // the composed walk with styles, boxes and clips
	//go:embed js/paint.js
	paintJS string // which of two elements is painted over the other
	//go:embed js/ink.js
	inkJS string // how much an element lets through of what is below it
	//go:embed js/glass.js
	glassJS string // what a person sees where that is not what a click reaches
	//go:embed js/hit.js
	hitJS string // hit tests and the layout hash
	//go:embed js/facts.js
	factsJS string // layers, scroll containers, what a click reaches over the viewport
	//go:embed js/redact.js
	redactJS string // texts that look like secrets, and what the profile withholds
	//go:embed js/sensitive.js
	sensitiveJS string // which controls hold secrets
	//go:embed js/filter.js
	filterJS string // what the profile's host filters and a predicate take out
	//go:embed js/closed.js
	closedJS string // closed shadow roots: who may be a host, what their slots take
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

	Rules        []snapshot.SecretRule `json:"rules"`
	Drop         []string              `json:"drop"`
	Redact       []string              `json:"redact"`
	AllowSecrets bool                  `json:"allowSecrets"`

	// View is the part of the frame's viewport that the top one shows: left, top,
	// right, bottom, 0 to 1 of the frame's width and height. Nil means all of it.
	View *[4]float64 `json:"view"`
	// Over are boxes (x, y, w, h) of frames around that may lie over this one, in
	// the same parts.
	Over []float64 `json:"over"`

	Filter string `json:"-"` // a JavaScript expression of el, or ""
}

// collectScript is the expression that collects one document. It leaves probe and
// layout in the world's registry for the calls that follow.
func collectScript(r request) string {
	opt, err := json.Marshal(r)
	if err != nil { // scalars and strings always encode
		opt = []byte("{}")
	}
	var b strings.Builder
	b.WriteString("(() => {'use strict';\n")
	for _, js := range []string{rolesJS, namesJS, countersJS, huntJS, stateJS, clipJS, walkJS, paintJS, inkJS, glassJS, hitJS, factsJS, redactJS, sensitiveJS, filterJS, closedJS, lateJS, collectJS} {
		b.WriteString(js)
		b.WriteByte('\n')
	}
	b.WriteString("const predicate = " + predicate(r.Filter) + ";\n")
	b.WriteString("const opt = ")
	b.Write(opt)
	b.WriteString(`;
const answer = collect(opt);
const shot = globalThis.__refscope.shot;
globalThis.__refscope.probe = (points, owners) => JSON.stringify(probe(shot, points, owners));
globalThis.__refscope.moment = () => JSON.stringify({ mutations: globalThis.__refscope.flush(), layout: layoutHash(shot) });
globalThis.__refscope.late = (listening) => late(shot, opt, listening);
globalThis.__refscope.known = (places) => places.map((i) => shot.els[i]);
globalThis.__refscope.remember = ([places, ids]) => remember(shot, places, ids);
return answer;
})()`)
	return b.String()
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
	releaseScript = `if (globalThis.__refscope) { const r = globalThis.__refscope; r.shot = r.probe = r.moment = r.seal = r.late = r.known = r.remember = r.maybe = r.windows = null; }`
)

package collect

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// ownNames are the properties of nodes that the collector reads of any element, a form
// among them.
const ownNames = "assignedSlot attributes checkVisibility childElementCount childNodes children classList className clientHeight " +
	"clientLeft clientTop clientWidth closest contains firstChild firstElementChild getAttribute getBoundingClientRect getClientRects " +
	"getRootNode hasAttribute hasAttributes id inert isConnected isContentEditable lastChild localName matches namespaceURI nextElementSibling nextSibling " +
	"nodeType offsetHeight offsetWidth ownerDocument parentElement parentNode previousElementSibling previousSibling querySelector " +
	"querySelectorAll scrollHeight scrollLeft scrollTop scrollWidth shadowRoot tabIndex textContent"

// collector is the collector's source as it is sent, and which version of it that is.
type collector struct {
	source  string
	version string // hexadecimal
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
	made := func(source string) collector {
		return collector{source, strconv.FormatUint(fingerprint(source), 16)}
	}
	return collectors{
		quick:   made("'use strict';\nconst HIDEABLE = [" + names + "];\n" + source),
		careful: made(hardened("const HIDEABLE = [];\n" + source)),
	}
})

// hardened is a script that reads the properties of ownNames by symbols of its own, so
// that no page can hide them: el.parentNode becomes el[$parentNode]. See js/own.js.
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
	b.WriteString("'use strict';\n" + ownJS)
	for _, n := range names {
		b.WriteString("const $" + n + " = own('" + n + "');\n")
	}
	b.WriteString(source)
	return b.String()
}

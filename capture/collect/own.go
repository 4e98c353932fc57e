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

// collectorOnce puts the source together; it is the same for every capture.
var collectorOnce = sync.OnceValue(func() collector {
	source := hardened(collectorSource())
	return collector{source, strconv.FormatUint(fingerprint(source), 16)}
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

package action

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/capture/browser"
)

// ShortcutError is the error of a combination that Chrome handles itself before a page
// gets it.
type ShortcutError struct {
	Name string // the combination, as it was given
	Does string // what the browser does: "opens a tab"
	Use  string // the step to use instead, "" where there is none
}

func (e *ShortcutError) Error() string {
	s := fmt.Sprintf("%s is the browser's own shortcut: it %s, and the page never gets it", e.Name, e.Does)
	if e.Use != "" {
		s += "; use the step " + e.Use
	}
	return s
}

// Subtype is the kind by which an agent knows it (seed 16.2).
func (e *ShortcutError) Subtype() string { return "StepValidationError" }

// shortcut spells a combination by its modifiers in the order of [modifiers], Meta as
// Control: Chrome has the same shortcuts under the one or the other, by system.
func (c Combination) shortcut() string {
	var b strings.Builder
	held := c.held
	if held&Meta != 0 {
		held = held&^Meta | Control
	}
	for _, m := range modifiers() {
		if held&m.bit != 0 {
			b.WriteString(m.name + "+")
		}
	}
	return b.String() + strings.ToLower(c.key.us.Key)
}

// reserved is what Chrome does with a combination before the page gets it: the reserved
// commands of Chromium's browser_command_controller.cc. Chrome 156 without a window of its
// own was seen to open and close tabs and windows at them; changing tabs and ending are by
// that file alone.
func (c Combination) reserved() (does, use string) {
	switch c.shortcut() {
	case "Control+t", "Control+Shift+t":
		return "opens a tab", "openTab"
	case "Control+n", "Control+Shift+n":
		return "opens a window", "openTab"
	case "Control+w", "Control+f4", "Control+Shift+w", "Alt+f4":
		return "closes the tab or the window", "closeTab"
	case "Control+tab", "Control+Shift+tab", "Control+pageup", "Control+pagedown":
		return "changes to another tab", "connectTab"
	case "Control+q", "Control+Shift+q":
		return "ends the browser", ""
	}
	return "", ""
}

// leaking are the combinations, by their modifiers, that Chrome acts on where the page lets them pass: they open help,
// a dialog, the developer tools or a page of its own, change the zoom, or leave the page. Reloading is left to the
// page's tab: who presses F5 means it.
func leaking(held string) []string {
	switch held {
	case "":
		return []string{"f1", "f3", "f6", "f7", "f10", "f11", "f12"}
	case "Shift+":
		return []string{"f10", "escape"}
	case "Alt+":
		return []string{"home"}
	case "Alt+Shift+":
		return []string{"i", "a"}
	case "Control+Shift+":
		return []string{"i", "j", "c", "o", "b", "m", "p", "delete", "a", "g", "+", ")"}
	case "Control+":
		return []string{"p", "s", "o", "f", "g", "h", "j", "d", "u", "l", "k", "e", "m",
			"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "+", "-", "="}
	}
	return nil
}

// leaks reports whether Chrome acts on a combination that the page lets pass; see [leaking].
func (c Combination) leaks() bool {
	key := strings.ToLower(c.key.us.Key)
	return strings.HasPrefix(key, "browser") || strings.HasPrefix(key, "launch") ||
		slices.Contains(leaking(strings.TrimSuffix(c.shortcut(), key)), key)
}

// guardJS has the browser leave the next key alone: its listener runs last and marks the
// event as handled. unguardJS removes it again.
const (
	guardJS = `(() => { const r = globalThis.__refscope; if (!r.guard) r.guard = (e) => { if (e.isTrusted) e.preventDefault(); };
		addEventListener('keydown', r.guard); })()`
	unguardJS = `removeEventListener('keydown', globalThis.__refscope.guard)`
)

// guard keeps the browser from acting on a key that the focused document gets; the answer
// ends that.
func (p *Page) guard(ctx context.Context) (end func(), err error) {
	var realm *browser.Realm
	el, ok, err := p.Focused(ctx)
	if err != nil {
		return nil, err
	}
	if realm = el.Realm; !ok {
		if realm, err = p.enter(ctx, ""); err != nil {
			return nil, err
		}
	}
	if _, err := realm.Eval(ctx, guardJS); err != nil {
		return nil, fmt.Errorf("keeping the key from the browser: %w", err)
	}
	return func() { _, _ = realm.Eval(ctx, unguardJS) }, nil
}

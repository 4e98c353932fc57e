package action

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/capture/browser"
)

// Reserved describes a combination that Chrome handles itself before a page gets it: what the browser does at it, and
// the step that does so; "" for every other one. A person's key would not reach the page, and the browser's own answer
// would take the tab from the agent, so [Page.Press] gives such a key to the page alone, by script.
func (c Combination) Reserved() string {
	does, use := c.reserved()
	if does == "" {
		return ""
	}
	s := fmt.Sprintf("%s is the browser's own shortcut, which %s: the page alone got it, by script", c.name, does)
	if use != "" {
		s += "; the step " + use + " does what the browser would"
	}
	return s
}

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

// Reloads reports whether Chrome loads the page again at a combination, where the page lets it pass.
func (c Combination) Reloads() bool {
	switch c.shortcut() {
	case "f5", "Shift+f5", "Control+f5", "Control+r", "Control+Shift+r", "browserrefresh":
		return true
	}
	return false
}

// keysJS sends the element with the focus the events of a key.
const keysJS = `((held, key) => {
	const innerRoot = ` + innerRootJS + `;
	let at = document.activeElement || document.body;
	for (let root; at && (root = innerRoot(at)) && root.activeElement; ) at = root.activeElement;
	const down = { ctrlKey: false, altKey: false, metaKey: false, shiftKey: false };
	const flag = { Control: 'ctrlKey', Alt: 'altKey', Meta: 'metaKey', Shift: 'shiftKey' };
	const send = (kind, k) => (at || document).dispatchEvent(
		new KeyboardEvent(kind, { ...k, ...down, bubbles: true, cancelable: true, composed: true }));
	for (const k of held) { down[flag[k.key]] = true; send('keydown', k); }
	send('keydown', key);
	send('keyup', key);
	for (const k of held.reverse()) { down[flag[k.key]] = false; send('keyup', k); }
	return '';
})(%s, %s)`

// pressByScript sends the events of a combination to what has the focus, and nothing to the browser.
func (p *Page) pressByScript(ctx context.Context, c Combination) error {
	type event struct {
		Key      string `json:"key"`
		Code     string `json:"code"`
		KeyCode  int64  `json:"keyCode"`
		Which    int64  `json:"which"`
		Location int64  `json:"location"`
	}
	of := func(k key) event { return event{k.us.Key, k.us.Code, k.us.Windows, k.us.Windows, k.location} }
	held := []event{}
	for _, m := range modifiers() {
		if c.held&m.bit != 0 {
			k, _ := keyOf(m.name) // every keyboard has it
			held = append(held, of(k))
		}
	}
	list, err := json.Marshal(held)
	if err != nil {
		return fmt.Errorf("pressing %s: %w", c.name, err)
	}
	one, err := json.Marshal(of(c.key))
	if err != nil {
		return fmt.Errorf("pressing %s: %w", c.name, err)
	}
	realm, err := p.focusedRealm(ctx)
	if err != nil {
		return err
	}
	if _, err := realm.Eval(ctx, fmt.Sprintf(keysJS, list, one)); err != nil && !gone(err) {
		return fmt.Errorf("pressing %s by script: %w", c.name, err)
	}
	return nil
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
	guardJS = `(() => { const r = globalThis.__refscope;
		if (!r.guard) r.guard = (e) => { if (e.isTrusted) e.preventDefault(); };
		addEventListener('keydown', r.guard); })()`
	unguardJS = `removeEventListener('keydown', globalThis.__refscope.guard)`
)

// focusedRealm is our world of the document that keys go to: that of the element with the focus, else the main one.
func (p *Page) focusedRealm(ctx context.Context) (*browser.Realm, error) {
	el, ok, err := p.Focused(ctx)
	if err != nil {
		return nil, err
	}
	if ok {
		return el.Realm, nil
	}
	return p.enter(ctx, "")
}

// guard keeps the browser from acting on a key that the focused document gets; the answer
// ends that.
func (p *Page) guard(ctx context.Context) (end func(), err error) {
	realm, err := p.focusedRealm(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := realm.Eval(ctx, guardJS); err != nil {
		return nil, fmt.Errorf("keeping the key from the browser: %w", err)
	}
	return func() { _, _ = realm.Eval(ctx, unguardJS) }, nil
}

package action

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"
	"github.com/refscope/refscope/snapshot/text"
)

// key is one key of the US keyboard. The table is chromedp's; what it lacks is the side of
// the keyboard, and pages see its Windows numbers as keyCode, where UI Events has one
// number for both keys of a modifier.
type key struct {
	us       kb.Key
	location int64 // 1 left, 2 right
}

// keyOf is the key that types a character, or that has the name; false where no
// keyboard has it.
func keyOf(name string) (key, bool) {
	if r, size := utf8.DecodeRuneInString(name); size > 0 && size == len(name) {
		return keyOfRune(r)
	}
	low := strings.ToLower(name)
	if low == "space" || low == "spacebar" {
		return keyOfRune(' ')
	}
	// Other spellings of names.
	full, ok := map[string]string{
		"ctrl": "Control", "cmd": "Meta", "command": "Meta", "option": "Alt", "esc": "Escape", "return": "Enter",
		"del":  "Delete",
		"left": "ArrowLeft", "right": "ArrowRight", "up": "ArrowUp", "down": "ArrowDown", "pgup": "PageUp",
		"pgdn": "PageDown",
	}[low]
	if ok {
		low = strings.ToLower(full)
	}
	for _, k := range kb.Keys {
		if named(k) && strings.ToLower(k.Key) == low {
			return left(k), true
		}
	}
	return key{}, false
}

// named reports whether a key has a name of its own. Of two keys with one name, such as
// Shift, it is the left one; of keys on the number pad, the other.
func named(k *kb.Key) bool {
	return utf8.RuneCountInString(k.Key) > 1 && (k.Code == k.Key || k.Code == k.Key+"Left")
}

// left is a named key with what the table lacks.
func left(k *kb.Key) key {
	out := key{us: *k}
	if k.Code == k.Key+"Left" {
		out.location = 1
		if number := map[string]int64{"Shift": 16, "Control": 17, "Alt": 18}[k.Key]; number != 0 {
			out.us.Windows = number
		}
	}
	return out
}

// keyOfRune is the key that types a character; false where no US keyboard does.
func keyOfRune(r rune) (key, bool) {
	if r == '\n' {
		r = '\r'
	}
	k := kb.Keys[r]
	if k == nil || r > unicode.MaxASCII || !k.Print && r != '\t' {
		return key{}, false
	}
	return key{us: *k}, true
}

// Combination is a key with the modifiers that are held: "Control+Shift+k".
type Combination struct {
	key  key
	held Modifier
	name string // as it was given
}

// deleteKey empties what is selected.
func deleteKey() Combination {
	k, _ := keyOf("Delete") // every keyboard has it
	return Combination{key: k}
}

// KeyError: a key that no keyboard has.
type KeyError struct {
	Name string
	// Nearest is the name that was probably meant, "" where none is like it.
	Nearest string
}

func (e *KeyError) Error() string {
	s := fmt.Sprintf("unknown key %q", e.Name)
	if e.Nearest != "" {
		s += fmt.Sprintf(": did you mean %s?", e.Nearest)
	}
	return s
}

// ParseKeys reads a key or a combination. A plus sign that is the key itself comes last:
// "+", "Control++". A key that no keyboard has is a [*KeyError].
func ParseKeys(s string) (Combination, error) {
	c := Combination{name: s}
	parts := strings.Split(s, "+")
	if s == "+" || strings.HasSuffix(s, "++") {
		parts = parts[:len(parts)-1]
		parts[len(parts)-1] = "+"
	}
	for i, name := range parts {
		if name == "" || name != " " && strings.TrimSpace(name) == "" {
			return c, &KeyError{Name: s}
		}
		k, ok := keyOf(name)
		if !ok {
			return c, &KeyError{Name: name, Nearest: nearestKey(name)}
		}
		if i == len(parts)-1 {
			c.key = k
			break
		}
		m, ok := modifierOf(k.us.Key)
		if !ok {
			return c, fmt.Errorf("%s in %q is not a modifier: only Control, Alt, Meta and Shift can be held", name, s)
		}
		c.held |= m
	}
	if c.key.us.Shift {
		c.held |= Shift
	}
	return c, nil
}

// modifiers lists the keys that can be held, in the order in which they are pressed.
func modifiers() []modifierKey {
	return []modifierKey{{"Control", Control}, {"Alt", Alt}, {"Meta", Meta}, {"Shift", Shift}}
}

type modifierKey struct {
	name string
	bit  Modifier
}

func modifierOf(name string) (Modifier, bool) {
	for _, m := range modifiers() {
		if m.name == name {
			return m.bit, true
		}
	}
	return 0, false
}

// nearestKey is the key name that is most like it.
func nearestKey(name string) string {
	names := []string{"Space"}
	for _, k := range kb.Keys {
		if named(k) {
			names = append(names, k.Key)
		}
	}
	slices.Sort(names)
	return text.Nearest(name, names)
}

// Press presses and releases a key, with its modifiers around it. The element that has
// the focus gets it, in whatever frame; the browser itself does not, but for a reload.
func (p *Page) Press(ctx context.Context, c Combination) error {
	if err := p.nowPrepared(ctx); err != nil {
		return err
	}
	if does, _ := c.reserved(); does != "" {
		return p.pressByScript(ctx, c)
	}
	if c.leaks() {
		end, err := p.guard(ctx)
		if err != nil {
			return err
		}
		defer end()
	}
	var held Modifier
	hold := func(what input.DispatchKeyEventType, m modifierKey) error {
		if c.held&m.bit == 0 {
			return nil
		}
		held ^= m.bit
		k, _ := keyOf(m.name) // every keyboard has it
		return p.key(ctx, what, k, held, "")
	}
	for _, m := range modifiers() {
		if err := hold(input.DispatchKeyEventTypeRawKeyDown, m); err != nil {
			return err
		}
	}
	text := c.key.us.Text
	if held&(Control|Alt|Meta) != 0 {
		text = "" // a shortcut types nothing
	}
	down := input.DispatchKeyEventTypeKeyDown
	if text == "" {
		down = input.DispatchKeyEventTypeRawKeyDown
	}
	if err := p.key(ctx, down, c.key, held, text); err != nil {
		return err
	}
	if err := p.key(ctx, input.DispatchKeyEventTypeKeyUp, c.key, held, ""); err != nil {
		return err
	}
	for _, m := range slices.Backward(modifiers()) {
		if err := hold(input.DispatchKeyEventTypeKeyUp, m); err != nil {
			return err
		}
	}
	return nil
}

// editing are the shortcuts that the browser itself turns into editing commands only
// where a real keyboard event brought them: they are named beside the key.
func editing(k key, held Modifier) []string {
	if held&^Shift != Control && held&^Shift != Meta {
		return nil
	}
	switch strings.ToLower(k.us.Key) {
	case "a":
		return []string{"selectAll"}
	case "c":
		return []string{"copy"}
	case "x":
		return []string{"cut"}
	case "v":
		return []string{"paste"}
	case "z":
		if held&Shift != 0 {
			return []string{"redo"}
		}
		return []string{"undo"}
	case "y":
		return []string{"redo"}
	}
	return nil
}

func (p *Page) key(ctx context.Context, what input.DispatchKeyEventType, k key, held Modifier, text string) error {
	params := input.DispatchKeyEventParams{
		Type: what, Modifiers: int64(held), Key: k.us.Key, Code: k.us.Code, Location: k.location,
		WindowsVirtualKeyCode: k.us.Windows, NativeVirtualKeyCode: k.us.Windows, Text: text, UnmodifiedText: text,
	}
	if what != input.DispatchKeyEventTypeKeyUp {
		params.Commands = editing(k, held)
	}
	if _, err := cdp.Call(ctx, p.tab.Session(), input.DispatchKeyEvent, params); err != nil {
		return fmt.Errorf("pressing %s: %w", k.us.Key, err)
	}
	return nil
}

// Type types a text key by key into what has the focus, with a pause between keys.
// What no key of a US keyboard types is put in as a whole character, as an input
// method would.
func (p *Page) Type(ctx context.Context, text string, pause time.Duration) (*Filled, error) {
	done := &Filled{Method: "keys", Kept: true}
	el, ok, err := p.Focused(ctx)
	if err == nil && ok {
		p.Typing(ctx, el, text)
		err = p.expects(ctx, el, false, false)
	}
	known := err == nil && ok
	if err := p.keys(ctx, text, pause); err != nil {
		return nil, err
	}
	if known {
		if err := p.readKept(ctx, el, text, done); err != nil {
			return nil, err
		}
	}
	return done, nil
}

// keys is Type without a look at what has the focus.
func (p *Page) keys(ctx context.Context, text string, pause time.Duration) error {
	for i, r := range strings.ReplaceAll(text, "\r\n", "\n") {
		if i > 0 && pause > 0 {
			select {
			case <-time.After(pause):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if k, ok := keyOfRune(r); ok {
			c := Combination{key: k}
			if k.us.Shift {
				c.held = Shift
			}
			if err := p.Press(ctx, c); err != nil {
				return err
			}
			continue
		}
		if err := p.insert(ctx, string(r)); err != nil {
			return err
		}
	}
	return nil
}

// insert puts a text in at the caret at once, over what is selected.
func (p *Page) insert(ctx context.Context, text string) error {
	if _, err := cdp.Call(ctx, p.tab.Session(), input.InsertText, input.InsertTextParams{Text: text}); err != nil {
		return fmt.Errorf("putting the text in: %w", err)
	}
	return nil
}

package action

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What Chrome would answer itself, with help, a dialog, its own pages, another zoom, is heard
// by the page alone (issue 18: F1 opened a help site, Control+P hung the tab).
func TestShortcutsReachThePageAlone(t *testing.T) {
	p, ctx := open(t, `<title>here</title><input autofocus><script>addEventListener('keydown', (e) => {
		if (!/^(Control|Shift|Alt)$/.test(e.key)) heard.push(e.key + (e.defaultPrevented ? ' prevented' : '')); })</script>`)
	br := p.Tab().Browser()
	before, err := br.Tabs(ctx)
	require.NoError(t, err)
	for _, s := range []string{"F1", "F3", "F6", "F11", "F12", "Control+p", "Control+s", "Control+o", "Control+f", "Control+h", "Control+j",
		"Control+d", "Control+u", "Control+1", "Control++", "Control+-", "Alt+Home", "Control+Shift+o", "Control+Shift+Delete",
		"Control+Shift+i", "Shift+Escape", "BrowserHome"} {
		t.Run(s, func(t *testing.T) {
			keys, err := ParseKeys(s)
			require.NoError(t, err)
			eval(t, p, "heard.length = 0")
			require.NoError(t, p.Press(ctx, keys))
			require.Equal(t, "1 here 1280x720", eval(t, p, "heard.length + ' ' + document.title + ' ' + innerWidth + 'x' + innerHeight"))
			require.NotContains(t, eval(t, p, "heard.join()"), "prevented", "the page hears it as a person's")
			now, err := br.Tabs(ctx)
			require.NoError(t, err)
			require.Len(t, now, len(before))
		})
	}
	eval(t, p, "document.querySelector('input').value = 'two words'")
	keys, err := ParseKeys("Control+a")
	require.NoError(t, err)
	require.NoError(t, p.Press(ctx, keys))
	require.Equal(t, "9", eval(t, p, "document.querySelector('input').selectionEnd"), "shortcuts of the page's own work")
}

// Chrome would close or change the tab at these: the page hears them, by script, and the tab stays as it is.
func TestReservedShortcutsReachThePageAlone(t *testing.T) {
	p, ctx := open(t, `<input autofocus><script>addEventListener('keydown', (e) => {
		if (!/^(Control|Shift|Alt|Meta)$/.test(e.key)) heard.push(e.key + [e.ctrlKey, e.altKey, e.metaKey, e.shiftKey].map(Number).join('') +
			e.keyCode + e.target.localName); })</script>`)
	br := p.Tab().Browser()
	before, err := br.Tabs(ctx)
	require.NoError(t, err)
	for s, want := range map[string][2]string{"Control+T": {"opens a tab", "T100184input"}, "ctrl+n": {"opens a window", "n100078input"},
		"Control+w": {"closes", "w100087input"}, "Alt+F4": {"closes", "F40100115input"}, "Control+Tab": {"another tab", "Tab10009input"},
		"Meta+q": {"ends the browser", "q001081input"}, "Control+Shift+N": {"opens a window", "N100178input"}} {
		keys, err := ParseKeys(s)
		require.NoError(t, err)
		require.Contains(t, keys.Reserved(), want[0])
		require.True(t, strings.HasPrefix(keys.Reserved(), s))
		eval(t, p, "heard.length = 0")
		require.NoError(t, p.Press(ctx, keys))
		require.Equal(t, want[1], eval(t, p, "heard.join()"), s)
		now, err := br.Tabs(ctx)
		require.NoError(t, err)
		require.Len(t, now, len(before), s)
	}
	for _, s := range []string{"t", "Shift+T", "Control+a", "Alt+t", "F4"} {
		keys, err := ParseKeys(s)
		require.NoError(t, err)
		require.Empty(t, keys.Reserved())
	}
}

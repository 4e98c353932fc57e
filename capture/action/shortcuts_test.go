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

func TestReservedShortcutsAreRefused(t *testing.T) {
	for s, does := range map[string]string{"Control+T": "opens a tab", "ctrl+n": "opens a window", "Control+w": "closes", "Alt+F4": "closes",
		"Control+Tab": "another tab", "Meta+q": "ends the browser", "Control+Shift+N": "opens a window"} {
		_, err := ParseKeys(s)
		var refused *ShortcutError
		require.ErrorAs(t, err, &refused, s)
		require.Contains(t, err.Error(), does)
		require.True(t, strings.HasPrefix(err.Error(), s))
	}
	for _, s := range []string{"t", "Shift+T", "Control+a", "Alt+t", "F4"} {
		_, err := ParseKeys(s)
		require.NoError(t, err, s)
	}
}

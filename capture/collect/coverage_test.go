package collect_test

import (
	"encoding/json"
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/aria"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/testpages"
	"github.com/stretchr/testify/require"
)

// renderedJS lists the stretches of text that are drawn in the viewport, as Chrome tells
// without us: text nodes of the document, its open shadow trees and the frames it may
// look into, whose boxes lie in the viewport and in what overflow leaves, and which are
// neither hidden nor transparent; and, as for innerText, not in script, style and the like.
const renderedJS = `(() => {
  const out = [];
  const skip = /^(script|style|noscript|template|textarea|select|option|title|canvas|video|audio|object)$/;
  const walk = (root, view, dx, dy) => {
    for (let n = root.firstChild; n; n = n.nextSibling) {
      if (n.nodeType === 3) {
        const el = n.parentElement || root.host;
        if (!/\S/.test(n.data) || !el || !el.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true })) continue;
        const r = n.ownerDocument.createRange();
        r.selectNodeContents(n);
        const seen = Array.from(r.getClientRects()).some((b) => {
          let box = [b.left, b.top, b.right, b.bottom];
          for (let up = el; up; up = up.parentElement || (up.getRootNode().host ?? null)) {
            const s = getComputedStyle(up);
            if (s.overflow !== 'visible' && s.display !== 'inline' && up !== up.ownerDocument.documentElement && up !== up.ownerDocument.body) {
              const c = up.getBoundingClientRect();
              box = [Math.max(box[0], c.left), Math.max(box[1], c.top), Math.min(box[2], c.right), Math.min(box[3], c.bottom)];
            }
            if (s.position === 'fixed') break;
          }
          return Math.min(box[2] + dx, view[2]) - Math.max(box[0] + dx, view[0]) > 2 && Math.min(box[3] + dy, view[3]) - Math.max(box[1] + dy, view[1]) > 2;
        });
        if (seen) out.push(n.data);
      } else if (n.nodeType === 1) {
        if (skip.test(n.localName) || n.matches('.dddk-skip, [data-dddk-skip]')) continue;
        if (n.shadowRoot) { walk(n.shadowRoot, view, dx, dy); continue; }
        if (n.localName === 'slot' && n.assignedNodes().length > 0) { for (const a of n.assignedNodes()) walk({ firstChild: a.nodeType === 3 ? null : a.firstChild, host: a }, view, dx, dy); continue; }
        let inner = null;
        try { inner = n.localName === 'iframe' ? n.contentDocument : null; } catch { /* another origin */ }
        if (inner && inner.body) {
          const b = n.getBoundingClientRect();
          walk(inner.body, [Math.max(view[0], b.left + dx), Math.max(view[1], b.top + dy), Math.min(view[2], b.right + dx), Math.min(view[3], b.bottom + dy)], dx + b.left, dy + b.top);
          continue;
        }
        walk(n, view, dx, dy);
      }
    }
  };
  walk(document.body, [0, 0, innerWidth, innerHeight], 0, 0);
  return JSON.stringify(out);
})()`

// TestCoverage compares the default dddk and aria dumps with what Chrome draws: at least
// 98 of 100 characters in view are in the dump, and each miss has a reason. aria is
// rendered for the whole page, as it says of itself that it is scoped to main.
func TestCoverage(t *testing.T) {
	t.Run("own", func(t *testing.T) {
		for _, kind := range testpages.Kinds() {
			folder := testpages.Own(t, kind)
			t.Run(folder.Name, func(t *testing.T) { coverage(t, folder.Path, folder.Pages(t)) })
		}
	})
	t.Run("corpus", func(t *testing.T) {
		testneed.Long(t, "saved pages")
		dir := corpus(t, "")
		pages := []string{
			"real/002.html", "real/medium-1.html", "real/rtl-1.html",
			"forms/disneyworld_help.html", "forms/autodesk_signup.html", "forms/cibc_com_login.html",
		}
		if os.Getenv("REFSCOPE_SLOW") != "" {
			pages = nil
			for _, kind := range []testpages.Kind{testpages.Articles, testpages.Forms} {
				folder := testpages.Folders(t, kind)[1]
				for _, name := range folder.Pages(t) {
					pages = append(pages, filepath.Base(folder.Path)+"/"+name)
				}
			}
		}
		coverage(t, dir, pages)
	})
}

// coverage holds the pages of a folder to the share.
func coverage(t *testing.T, dir string, pages []string) {
	base := strings.TrimSuffix(chrometest.Folder(t, dir), "/")
	views := []audit.View{{Format: format.DDDK}, {Format: format.Aria}}
	seen, has := make([]int, len(views)), make([]int, len(views))
	tab := chrome.Tab(t)
	for _, name := range pages {
		chrometest.Load(t, tab, base+"/"+name)
		ctx := chrometest.Context(t)
		text, err := tab.Session().Eval(ctx, tab.ID(), renderedJS)
		require.NoError(t, err)
		var rendered []string
		require.NoError(t, json.Unmarshal([]byte(text), &rendered))
		res, err := collect.Read(ctx, tab, patient)
		require.NoError(t, err)
		c := res.Capture
		res.Release(ctx)
		body, err := aria.Root(c, "body")
		require.NoError(t, err)
		views[1].Options.Aria.Root = body
		r, err := audit.Run(c, audit.Options{Views: views})
		require.NoError(t, err)
		for k, v := range views {
			d, err := format.Render(c, v.Format, v.Options)
			require.NoError(t, err)
			whole := letters(html.UnescapeString(d.Text)) + "\x00" + letters(d.Text)
			for _, s := range rendered {
				want := letters(s)
				n := utf8.RuneCountInString(want)
				seen[k] += n
				if strings.Contains(whole, want) {
					has[k] += n
				} else if os.Getenv("REFSCOPE_SLOW") != "" || testing.Verbose() {
					t.Logf("%s: %s lacks %d characters: %.80q", name, v.Format, n, s)
				}
			}
			require.Zero(t, r.Coverage[k].Unexplained, "%s: %s: %+v", name, v.Format, r.Coverage[k].Misses)
		}
	}
	for k, v := range views {
		share := float64(has[k]) / float64(seen[k])
		t.Logf("%s: %.4f of %d characters in view on %d pages", v.Format, share, seen[k], len(pages))
		require.GreaterOrEqual(t, share, 0.98, v.Format)
	}
}

// letters are a text's letters, marks and digits, in lower case.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

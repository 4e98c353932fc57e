package collect_test

import (
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/snapshot"
	"github.com/stretchr/testify/require"
)

// TestEmptyBoxes: what has an empty box is dropped because nobody sees it (D-7); what
// somebody sees of it, or presses instead of it, keeps it.
func TestEmptyBoxes(t *testing.T) {
	const pixel = `src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="`
	const gone = ` style="width:0;height:0;appearance:none;margin:0;border:0;padding:0"`
	tab := chrome.Tab(t)
	for name, c := range map[string]struct {
		html    string
		verdict snapshot.Verdict
		w, h    float64 // of #x's box, CSS px; 0 is not compared
	}{
		"image that floats":           {`<a id=x href=#><img alt=pic style="float:left;width:30px;height:30px" ` + pixel + `></a>`, snapshot.VerdictRef, 30, 30},
		"child placed absolutely":     {`<a id=x href=#><i style="position:absolute;width:30px;height:20px;background:green"></i></a>`, snapshot.VerdictRef, 30, 20},
		"contents":                    {`<a id=x href=# style="display:contents">words</a>`, snapshot.VerdictRef, 0, 17},
		"contents around an image":    {`<a id=x href=# style="display:contents"><img alt=pic width=24 height=24 ` + pixel + `></a>`, snapshot.VerdictRef, 24, 24},
		"button of contents":          {`<button id=x style="display:contents"><span>words</span></button>`, snapshot.VerdictRef, 0, 15},
		"icon before, static":         {`<style>#x::before{content:'';position:absolute;width:20px;height:21px;background:red}</style><a id=x href=#></a>`, snapshot.VerdictRef, 20, 21},
		"icon after, relative":        {`<style>#x::after{content:url(` + `data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==` + `);position:absolute;width:20px;height:21px}</style><a id=x style="position:relative" href=#></a>`, snapshot.VerdictRef, 20, 21},
		"icon before, floating":       {`<style>#x::before{content:'';float:left;width:20px;height:21px;background:red}</style><a id=x href=#></a>`, snapshot.VerdictRef, 20, 21},
		"icon after, floating right":  {`<style>#x::after{content:'';float:right;width:20px;height:21px;margin:2px;background:red}</style><a id=x href=#></a>`, snapshot.VerdictRef, 20, 21},
		"icon before, in a block":     {`<style>#x::before{content:'';float:left;width:20px;height:21px;margin:3px;background:red}</style><a id=x style="display:block" href=#></a>`, snapshot.VerdictRef, 20, 21},
		"nothing before":              {`<style>#x::before{content:'';position:absolute;width:20px;height:21px}</style><a id=x href=#></a>`, snapshot.VerdictZeroBox, 0, 0},
		"hidden before":               {`<style>#x::before{content:'';position:absolute;width:20px;height:21px;background:red;visibility:hidden}</style><a id=x href=#></a>`, snapshot.VerdictZeroBox, 0, 0},
		"link whose text overflows":   {`<a id=x href=# style="display:block;width:0;height:0">words</a>`, snapshot.VerdictRef, 0, 17},
		"text that overflows":         {`<div id=x style="width:200px;height:0">words</div>`, snapshot.VerdictContent, 0, 17},
		"text that overflows, far":    {`<div style="height:3000px"></div><div id=x style="width:200px;height:0">words</div>`, snapshot.VerdictContent, 0, 17},
		"text that is clipped":        {`<div id=x style="width:200px;height:0;overflow:hidden">words</div>`, snapshot.VerdictZeroBox, 0, 0},
		"link whose text is clipped":  {`<a id=x href=# style="display:block;width:0;height:0;overflow:hidden">words</a>`, snapshot.VerdictZeroBox, 0, 0},
		"heading of floats":           {`<h2 id=x style="overflow:visible"><span style="float:left;width:50px;height:20px">words</span></h2>`, snapshot.VerdictRef, 50, 20},
		"unslotted in an empty host":  {`<div id=x role=button><b>lost</b></div><script>x.attachShadow({mode:'open'})</script>`, snapshot.VerdictZeroBox, 0, 0},
		"empty link":                  {`<a id=x href=#></a>`, snapshot.VerdictZeroBox, 0, 0},
		"radio behind its label":      {`<input type=radio id=x` + gone + ` checked><label for=x style="display:block;width:80px;height:20px">one</label>`, snapshot.VerdictRef, 80, 20},
		"checkbox in its label":       {`<label style="display:block;width:80px;height:20px"><input type=checkbox id=x` + gone + `>one</label>`, snapshot.VerdictRef, 80, 20},
		"file field behind its label": {`<input type=file id=x style="position:absolute;clip:rect(0,0,0,0);width:1px;height:1px"><label for=x style="display:block;width:80px;height:20px">one</label>`, snapshot.VerdictRef, 80, 20},
		"clear radio keeps its place": {`<input type=radio id=x style="opacity:0;width:13px;height:13px"><label for=x>one</label>`, snapshot.VerdictRef, 13, 13},
		"radio that is not rendered":  {`<input type=radio id=x style="display:none"><label for=x>one</label>`, snapshot.VerdictDisplayNone, 0, 0},
		"radio without a label":       {`<input type=radio id=x` + gone + `>`, snapshot.VerdictZeroBox, 0, 0},
		"radio with a hidden label":   {`<input type=radio id=x` + gone + `><label for=x style="visibility:hidden">one</label>`, snapshot.VerdictZeroBox, 0, 0},
		"text field behind its label": {`<input id=x` + gone + `><label for=x>one</label>`, snapshot.VerdictZeroBox, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			got := read(t, chrometest.Load(t, tab, chrometest.Page(t, `<!doctype html><body style="font:15px sans-serif">`+c.html)))
			n := byID(t, got, "x")
			require.Equal(t, c.verdict, n.Verdict, n.Evidence)
			if c.w > 0 {
				require.InDelta(t, c.w, n.Box.W(), 0.5)
			}
			if c.h > 0 {
				require.InDelta(t, c.h, n.Box.H(), 3)
			}
			if c.verdict == snapshot.VerdictZeroBox {
				require.True(t, n.Box.Empty())
			}
			if c.verdict == snapshot.VerdictRef && n.InViewport {
				require.NotNil(t, n.Occlusion)
				require.Equal(t, snapshot.Clear, n.Occlusion.State)
			}
		})
	}
	t.Run("its evidence names the label", func(t *testing.T) {
		got := read(t, chrome.Open(t, chrometest.Page(t, `<input type=radio id=x`+gone+` checked><label for=x id=l>one</label>`)))
		n := byID(t, got, "x")
		require.Contains(t, n.Evidence, "it is where its label is, label#l (node ")
		require.True(t, n.States.Is("checked"))
		require.Contains(t, byID(t, got, "l").Interactive, "label")
	})
}

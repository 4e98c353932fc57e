package action

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Where a field does not take a text as it is, whoever cut, formatted or refused it, the result says what it holds now,
// and of a secret only how long it is. Truth is what the page itself reads in it.
func TestWhatAFieldHoldsIsSaid(t *testing.T) {
	fields := map[string]struct {
		html, asked, secret string
		refused             bool // fill refuses the value at once
	}{
		"plain":              {html: `<input id=x value=ab>`, asked: "hello"},
		"maxlength":          {html: `<input id=x maxlength=4>`, asked: "abcdefgh"},
		"maxlength, filled":  {html: `<textarea id=x maxlength=5>abc</textarea>`, asked: "defgh"},
		"lines":              {html: `<textarea id=x>abc</textarea>`, asked: "d\r\ne\nf"},
		"a mask":             {html: `<input id=x oninput="this.value = this.value.replace(/\D/g, '').slice(0, 3)">`, asked: "a1b2c3d4"},
		"capitals":           {html: `<input id=x oninput="this.value = this.value.toUpperCase()">`, asked: "abc"},
		"refused input":      {html: `<input id=x onbeforeinput="event.preventDefault()" value=q>`, asked: "abc"},
		"refused keys":       {html: `<input id=x onkeydown="event.preventDefault()">`, asked: "abc"},
		"emptied":            {html: `<input id=x oninput="this.value = ''" value=q>`, asked: "abc"},
		"a number":           {html: `<input id=x type=number>`, asked: "12"},
		"letters, no number": {html: `<input id=x type=number value=7>`, asked: "abc", refused: true},
		"half a number":      {html: `<input id=x type=number>`, asked: "1e", refused: true},
		"a slider":           {html: `<input id=x type=range min=0 max=10 step=2>`, asked: "5"},
		"a month by keys":    {html: `<input id=x type=month>`, asked: "2026-05"},
		"email":              {html: `<input id=x type=email value=a>`, asked: "b@c"},
		"rich text":          {html: `<div id=x contenteditable>some <b>bold</b></div>`, asked: "more\nlines"},
		"rich, refused":      {html: `<div id=x contenteditable onbeforeinput="event.preventDefault()">some</div>`, asked: "more"},
		"the focus leaves":   {html: `<input id=x oninput="y.focus()"><input id=y>`, asked: "abc"},
		"password":           {html: `<input id=x type=password maxlength=4>`, asked: "hunter2secret", secret: "password"},
		"one-time code":      {html: `<input id=x autocomplete=one-time-code maxlength=4>`, asked: "918273", secret: "one-time code"},
		"card number":        {html: `<input id=x autocomplete=cc-number oninput="this.value = this.value.replace(/(.{4})(?=.)/g, '$1 ')">`, asked: "4111111111111111", secret: "card"},
		"whole password":     {html: `<input id=x type=password>`, asked: "hunter2secret", secret: "password"},
	}
	value := `(x.editContext ? x.editContext.text : x.isContentEditable ? x.innerText : x.value)`
	plain := func(s string) string { return strings.Join(strings.Fields(s), "") }
	tab := chrome.Tab(t)
	const context = `<div id=x tabindex=0 role=textbox style="width:200px;height:60px"></div><script>{
		const c = new EditContext({ text: 'old' }), put = (from, to, s) => {
			c.updateText(from, to, s); c.updateSelection(from + s.length, from + s.length); };
		x.editContext = c;
		x.onkeydown = (e) => {
			const from = Math.min(c.selectionStart, c.selectionEnd), to = Math.max(c.selectionStart, c.selectionEnd);
			if (e.key === 'a' && e.ctrlKey && ALL) c.updateSelection(0, c.text.length);
			else if (e.key === 'End') c.updateSelection(c.text.length, c.text.length);
			else if (e.key === 'Enter') put(from, to, '\n');
			else if (e.key === 'Delete') put(from, to, ''); }; }</script>`
	for name, all := range map[string]string{"an edit context": "true", "an edit context without select all": "false"} {
		f := fields["rich text"]
		f.html = strings.Replace(context, "ALL", all, 1)
		fields[name] = f
	}
	for name, f := range fields {
		for way, do := range map[string]func(p *Page) (*Filled, error){
			"fill": func(p *Page) (*Filled, error) { return p.Fill(t.Context(), p.must(t, "#x"), f.asked, FillOptions{}) },
			"fill, append": func(p *Page) (*Filled, error) {
				return p.Fill(t.Context(), p.must(t, "#x"), f.asked, FillOptions{Append: true})
			},
			"type":          func(p *Page) (*Filled, error) { return p.TypeInto(t.Context(), p.must(t, "#x"), f.asked, 0, Options{}) },
			"type over":     func(p *Page) (*Filled, error) { return p.TypeOver(t.Context(), p.must(t, "#x"), f.asked, 0, Options{}) },
			"type to focus": func(p *Page) (*Filled, error) { return p.Type(t.Context(), f.asked, 0) },
		} {
			t.Run(name+"/"+way, func(t *testing.T) {
				p, ctx := openIn(t, tab, f.html)
				before := ""
				if way == "fill, append" || way == "type" || way == "type to focus" {
					before = eval(t, p, value)
				}
				if way == "type to focus" {
					_, err := p.Focus(ctx, p.must(t, "#x"))
					require.NoError(t, err)
					eval(t, p, `x.editContext ? x.editContext.updateSelection(3, 3) : x.isContentEditable ? getSelection().selectAllChildren(x) || getSelection().collapseToEnd() : /number|email|month|range/.test(x.type) || x.setSelectionRange(x.value.length, x.value.length)`)
				}
				done, err := do(p)
				if err != nil && f.refused && strings.HasPrefix(way, "fill") {
					var no *NotEditableError
					require.ErrorAs(t, err, &no)
					return
				}
				require.NoError(t, err)
				holds := eval(t, p, value)
				if way == "fill" && done.Method == methodSetter || way == "fill, append" && done.Method == methodSetter {
					before = "" // it has a value, not a text
				}
				want := before + strings.ReplaceAll(f.asked, "\r\n", "\n")
				if strings.Contains(f.html, "<div") {
					holds, want = plain(holds), plain(want)
				}
				require.Equal(t, holds == want, done.Kept, "%q, %q", holds, want)
				require.True(t, done.Kept || name != "an edit context", holds)
				require.Equal(t, done.Kept, done.Holds == nil)
				if done.Kept {
					return
				}
				said := done.Holds.String()
				if f.secret == "" {
					require.Equal(t, holds, strings.TrimSpace(plainly(f.html, done.Holds.Value)), said)
					return
				}
				require.Contains(t, done.Holds.Secret, f.secret)
				require.Empty(t, done.Holds.Value)
				require.NotContains(t, said, holds)
				require.NotContains(t, said, f.asked[:4])
				require.Contains(t, said, strconv.Itoa(len(holds))+" characters, not "+strconv.Itoa(len(f.asked)))
			})
		}
	}
}

// What an editor shows in an empty field as a hint is not what the field holds.
func TestAHintIsNotWhatAFieldHolds(t *testing.T) {
	p, ctx := open(t, `<div id=x contenteditable></div><script>const hint = '\u200b<span contenteditable=false>Write</span>';
		x.innerHTML = hint; x.oninput = () => { const s = [...x.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data)
			.join('').replaceAll('\u200b', ''); if (s) x.textContent = s; else x.innerHTML = hint; getSelection().selectAllChildren(x);
			getSelection().collapseToEnd(); }</script>`)
	for i, text := range []string{"one", "two", "", " three", "", ""} {
		done, err := p.Fill(ctx, p.must(t, "#x"), text, FillOptions{Append: i == 1 || i == 3})
		require.NoError(t, err)
		require.True(t, done.Kept, "%q: %v", text, done.Holds)
	}
	require.Equal(t, "Write", eval(t, p, "x.querySelector('span').innerText"))
	eval(t, p, "x.onbeforeinput = (e) => e.preventDefault()")
	done, err := p.Fill(ctx, p.must(t, "#x"), "refused", FillOptions{})
	require.NoError(t, err)
	require.False(t, done.Kept)
}

// plainly is a value without white space where it is that of rich text.
func plainly(html, value string) string {
	if strings.Contains(html, "<div") {
		return strings.Join(strings.Fields(value), "")
	}
	return value
}

package endpoint

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReadTask(t *testing.T) {
	for in, want := range map[string][]clause{
		`click "Buy"`:              {{do: "click", what: "Buy"}},
		`Click "Buy; then sell" .`: {{do: "click", what: "Buy; then sell"}},
		`open "A", then check "B" then uncheck "C"`: {{do: "click", what: "A"}, {do: "check", what: "B"},
			{do: "uncheck", what: "C"}},
		`fill "E" with ""; type "x" into "F"`:    {{do: "fill", what: "E"}, {do: "fill", what: "F", with: "x"}},
		`choose "Two" in "N" until "Ok" appears`: {{do: "choose", what: "N", with: "Two", until: "Ok"}},
		`press Enter until the page changes`:     {{do: "key", what: "Enter", until: "\n"}},
		`fill in the form; scroll "Log"`:         {{do: "form"}, {do: "scroll", what: "Log"}},
	} {
		got, err := readTask(in)
		require.NoError(t, err, in)
		require.Equal(t, want, got, in)
	}
	for _, in := range []string{"", "  ;; ", "buy me a kettle", `click Buy`, `click "Buy`, `fill "E"`} {
		_, err := readTask(in)
		require.Error(t, err, in)
	}
	list, err := readTask("finish the checkout")
	require.NoError(t, err)
	require.Len(t, list, 5)
}

// FuzzReadTask: whatever words come, a clause is understood whole or the task is refused.
func FuzzReadTask(f *testing.F) {
	for _, s := range []string{`click "Buy"; then fill "E" with "x" until "y" appears`, "finish the checkout", `"`,
		", then then "} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		plan, err := readTask(s)
		if err != nil {
			require.Empty(t, plan)
			return
		}
		require.NotEmpty(t, plan)
		for _, c := range plan {
			require.NotEmpty(t, c.do)
			require.NotEmpty(t, c.String())
		}
	})
}

const skeleton = `<a id="1" href="/">Home</a>
<input id="3" name="firstname" type="text" aria-label="First &quot;name&quot;" required />
<select id="6" name="month" aria-label="Month">
  <option value="1" selected>01</option>
  <option value="2">02</option>
</select>
<span id="f1_7" role="button">More</span>
<input id="8" type="submit" value="Go" disabled />
<div>no number</div>`

func TestElements(t *testing.T) {
	list := elements(skeleton)
	require.Len(t, list, 5)
	require.Equal(t, element{ID: "3", Role: "inp", Name: `First "name"`, kind: "text", field: "firstname  ",
		required: true}, list[1])
	require.Equal(t, []string{"01", "02"}, list[2].options)
	require.Equal(t, "01", list[2].Value)
	require.Equal(t, []string{"f1_7", "btn", "More"}, []string{list[3].ID, list[3].Role, list[3].Name})
	require.Equal(t, "Go", list[4].Name)
	require.True(t, list[4].is("disabled"))
	require.Equal(t, "f1_7", called(list, "more").ID)
	require.Nil(t, called(list, "less"))
	require.Nil(t, called(list, "more", "link"))
}

// FuzzElements: any text is read without harm, and what is read has a number.
func FuzzElements(f *testing.F) {
	f.Add(skeleton)
	f.Add(`<input id="1" <<a id="2">`)
	f.Fuzz(func(t *testing.T, s string) {
		for _, e := range elements(s) {
			require.NotEmpty(t, e.ID)
			_, _, _ = entry(&e)
		}
	})
}

func TestKindOf(t *testing.T) {
	for want, e := range map[string]element{
		"password": {kind: "password", Name: "Parola"},
		"email":    {kind: "text", Name: "E-Mail"},
		"card":     {kind: "tel", Name: "Card number"},
		"tel":      {kind: "tel", Name: "Mobil"},
		"given":    {Name: "First name"},
		"name":     {Name: "Name on card"},
		"username": {Name: "Логин"},
		"search":   {Name: "Search the shop by name"},
		"zip":      {field: "postal-code"},
		"":         {Name: "A line for the card's paper"},
	} {
		if got := kindOf(&e); want != "" || got != "" {
			require.Equal(t, want, got, e.Name+e.field)
		}
	}
}

// script talks to a brain: each request and the action or status that it must answer.
func TestBrain(t *testing.T) {
	type turn struct{ request, answer string }
	for name, turns := range map[string][]turn{
		"to the end": {
			{`{"query":"click \"Buy\"","interactiveTree":[{"i":"7","r":"btn","n":"Buy"}]}`, "click(7)"},
			{`{"lastActionStatus":"success","verification_passed":true}`, "completed"},
		},
		"more context, once": {
			{`{"query":"click \"Buy\"","interactiveTree":[]}`, "needs_context"},
			{`{"domMode":"skeleton","skeletonDom":"<button id=\"9\">Buy</button>"}`, "click(9)"},
			{`{"lastActionStatus":"success","verification_passed":true}`, "completed"},
		},
		"it is nowhere": {
			{`{"query":"click \"Buy\"","interactiveTree":[],"scroll_position":"100%"}`, "needs_context"},
			{`{"domMode":"skeleton","skeletonDom":"<a id=\"1\">Home</a>"}`, "failed"},
		},
		"a cookie dialog over it": {
			{`{"query":"click \"Buy\"","interactiveTree":[{"i":"7","r":"btn","n":"Buy","occ":true},{"i":"8","r":"btn",` +
				`"n":"Accept all"},{"i":"9","r":"btn","n":"Only essential"}]}`, "click(9)"},
			{`{"lastActionStatus":"success","verification_passed":true,"interactiveTree":[{"i":"7","r":"btn","n":"Buy"}]}`,
				"click(7)"},
		},
		"covered, as the client found": {
			{`{"query":"click \"Buy\"","interactiveTree":[{"i":"7","r":"btn","n":"Buy"},{"i":"9","r":"btn","n":"Close"}]}`,
				"click(7)"},
			{`{"lastActionStatus":"failure","lastActionError":{"code":"COVERED","message":"x"},"interactiveTree":[{"i":"7",` +
				`"r":"btn","n":"Buy"},{"i":"9","r":"btn","n":"Close"}]}`, "click(9)"},
		},
		"another number the next time": {
			{`{"query":"click \"Buy\"","interactiveTree":[{"i":"7","r":"btn","n":"Buy"}]}`, "click(7)"},
			{`{"lastActionStatus":"failure","lastActionError":{"code":"STALE_ELEMENT","message":"gone"},` +
				`"interactiveTree":[{"i":"12","r":"btn","n":"Buy"}]}`, "click(12)"},
		},
		"it never works": {
			{`{"query":"click \"Buy\"","interactiveTree":[{"i":"7","r":"btn","n":"Buy"}]}`, "click(7)"},
			{`{"lastActionStatus":"failure","interactiveTree":[{"i":"7","r":"btn","n":"Buy"}]}`, "click(7)"},
			{`{"lastActionStatus":"success","verification_passed":false,"verification_message":"Nothing ` +
				`changed","interactiveTree":[{"i":"7","r":"btn","n":"Buy"}]}`, "click(7)"},
			{`{"lastActionStatus":"failure","interactiveTree":[{"i":"7","r":"btn","n":"Buy"}]}`, "click(7)"},
			{`{"lastActionStatus":"failure","interactiveTree":[{"i":"7","r":"btn","n":"Buy"}]}`, "failed"},
		},
		"a form": {
			{`{"query":"fill the form","interactiveTree":[{"i":"3","r":"inp","n":"E-mail"}]}`, "needs_context"},
			{`{"domMode":"skeleton","skeletonDom":"<input id=\"3\" type=\"email\" /><input id=\"4\" type=\"text\" ` +
				`value=\"Ada\" /><input id=\"5\" type=\"checkbox\" aria-label=\"I accept\" />"}`, `setValue(3, "ada@example.org")`},
			{`{"lastActionStatus":"success","verification_passed":true}`, "check(5)"},
			{`{"lastActionStatus":"success","verification_passed":true}`, "completed"},
		},
		"resumed, it begins anew": {
			{`{"query":"check \"Gift\"; click ` +
				`\"Buy\"","interactiveTree":[{"i":"5","r":"chk","n":"Gift"},{"i":"7","r":"btn","n":"Buy"}]}`, "check(5)"},
			{`{"lastActionStatus":"success","verification_passed":true,"interactiveTree":[{"i":"5","r":"chk","n":"Gift"},` +
				`{"i":"7","r":"btn","n":"Buy"}]}`, "click(7)"},
			{`{"query":"check \"Gift\"; click ` +
				`\"Buy\"","lastActionStatus":"pending","lastActionResult":{"success":false,"actualState":"the task was resumed: ` +
				`…"},"interactiveTree":[{"i":"9","r":"chk","n":"Gift"}]}`, "check(9)"},
		},
		"no rule for it": {{`{"query":"make me happy"}`, "failed"}},
	} {
		t.Run(name, func(t *testing.T) {
			b, task := newBrain(), ""
			for i, x := range turns {
				var q request
				require.NoError(t, json.Unmarshal([]byte(x.request), &q))
				q.TaskID = task
				a := b.answer(&q)
				got := a.Action
				if got == "" {
					got = a.Status
				}
				require.Equal(t, x.answer, got, "answer %d: %+v", i+1, a)
				task = a.TaskID
			}
		})
	}
}

func TestBrainForgets(t *testing.T) {
	b := newBrain()
	for range maxTasks + 10 {
		b.answer(&request{Query: `click "x"`})
	}
	require.Len(t, b.tasks, maxTasks)
	require.Len(t, b.order, maxTasks)
}

func TestEndpointServes(t *testing.T) {
	srv := httptest.NewServer(New(func(string) {}))
	defer srv.Close()
	post := func(body string) (int, string) {
		res, err := http.Post(srv.URL+Path, "application/json", strings.NewReader(body))
		require.NoError(t, err)
		defer res.Body.Close()
		b, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		return res.StatusCode, string(b)
	}
	code, body := post(`{"url":"http://x/","query":"click \"Buy\"","interactiveTree":[{"i":"7","r":"btn","n":"Buy"}]}`)
	require.Equal(t, 200, code)
	require.JSONEq(t, `{"thought":"I click Buy.","action":"click(7)","status":"in_progress","taskId":"task-1"}`, body)
	for _, bad := range []string{"", "{", "[]", `{"url":"http://x/"}`, `{"query":"x"}`} {
		code, _ := post(bad)
		require.Equal(t, 400, code, bad)
	}
	res, err := http.Get(srv.URL + Path)
	require.NoError(t, err)
	defer res.Body.Close()
	require.Equal(t, 405, res.StatusCode)
	require.NotContains(t, reply{Action: `setValue(3, "secret")`}.String(), "secret")
}

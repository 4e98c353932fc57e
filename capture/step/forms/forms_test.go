package forms_test

import (
	"os"
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/step/forms"
	"github.com/refscope/refscope/capture/step/steptest"
	"github.com/stretchr/testify/require"
)

var chrome chrometest.Chrome

func TestMain(m *testing.M) { os.Exit(chrome.Main(m)) }

func on(t testing.TB, html string) *steptest.Bench {
	t.Helper()
	return steptest.On(t, &chrome, html)
}

func TestForms(t *testing.T) {
	b := on(t, steptest.Shop)
	var form forms.FormOutput
	a := b.Run(`[{"formState":"#f"}]`)
	a.Out(t, &form)
	require.True(t, form.Valid)
	byName := map[string]forms.Field{}
	for _, f := range form.Fields {
		byName[f.Name] = f
	}
	require.Equal(t, []any{"a@b.c", "Email", true, "email"}, []any{byName["email"].Value, byName["email"].Label, byName["email"].Required, byName["email"].Type})
	require.Contains(t, byName["pw"].Value, "[redacted")
	require.Equal(t, true, byName["news"].Checked)
	require.Equal(t, "M", byName["size"].Value)
	require.Equal(t, "h", byName["elements"].Value)
	require.NotContains(t, string(a.Steps[0].Output), "Hunter2")
	require.NotContains(t, string(a.Steps[0].Output), "c4f1e0")

	var v forms.Validity
	a = b.Run(`[{"fill":{"selector":"#email","value":"nonsense"}},{"validate":"#email"}]`)
	a.Out(t, &v)
	require.False(t, v.Valid)
	require.True(t, v.Validity["typeMismatch"])
	require.False(t, v.Validity["valueMissing"])
	require.NotEmpty(t, v.Message)
	var sent forms.SubmitOutput
	a = b.Run(`[{"submit":"#f"}]`)
	a.Out(t, &sent)
	require.False(t, sent.Submitted)
	require.Equal(t, "Email", sent.Errors[0].Field)
	a = b.Run(`[{"fill":{"selector":"#email","value":"a@b.c"}},{"submit":"#go"}]`)
	a.Out(t, &sent)
	require.True(t, sent.Submitted && sent.Valid)
	got, err := b.R.Page().Evaluate(b.Ctx, "", "window.sent")
	require.NoError(t, err)
	require.Equal(t, "1", string(got))
	a = b.Run(`[{"submit":"#intro"}]`)
	require.Contains(t, a.Steps[0].Error, "neither a form nor in one")
	a = b.Run(`[{"validate":"#intro"}]`)
	require.Contains(t, a.Steps[0].Error, "<p> is not a field")

	// What a page says of a secret does not tell it.
	_, err = b.R.Page().Evaluate(b.Ctx, "", "pw.setCustomValidity('bad: ' + pw.value), 1")
	require.NoError(t, err)
	a = b.Run(`[{"validate":"#pw"}]`)
	a.Out(t, &v)
	require.Contains(t, v.Message, "customError")
	require.NotContains(t, string(a.Steps[0].Output), "Hunter2")
}

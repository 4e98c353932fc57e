package collect

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAnswersFollowEachOther(t *testing.T) {
	long := strings.Repeat("0123456789", 30)
	var none *answer
	first, err := none.next("1 2\n\"a\":1\n\"b\":\"" + long + "\"\n\"\",\"ü\"\n\"x\"")
	require.NoError(t, err)
	assert.Equal(t, 1, first.id())
	assert.Equal(t, `{"a":1,"b":"`+long+`","strings":["","ü","x"]}`, first.text())

	second, err := first.next("2 2\n\n~10 200  new words \n\n\"y\"")
	require.NoError(t, err)
	b := `"b":"` + long + `"`
	assert.Equal(t, `{"a":1,`+b[:10]+" new words "+b[len(b)-200:]+`,"strings":["","ü","y"]}`, second.text())
	assert.Equal(t, `{"a":1,"b":"`+long+`","strings":["","ü","x"]}`, first.text(), "the answer before stays what it is")

	for name, text := range map[string]string{
		"no head":            "\"a\":1\n\"b\":2",
		"too few lines":      "3 4\n\"a\":1",
		"a line not held":    "3 2\n\n\n\n\n\n\n",
		"more than there is": "3 2\n~900 1 x\n",
		"negative":           "3 2\n~-1 1 x\n",
		"no numbers":         "3 2\n~a b x\n",
	} {
		_, err := second.next(text)
		assert.Error(t, err, name)
	}
	_, err = none.next("1 1\n\n")
	assert.ErrorContains(t, err, "not held")
}

// FuzzAnswers: an answer is refused, or is as many lines as were sent.
func FuzzAnswers(f *testing.F) {
	f.Add("1 1\n\"a\":1\n\"\"", "2 1\n\n~1 1 x")
	f.Add("1 0\n\"\"", "2 0\n")
	f.Fuzz(func(t *testing.T, one, two string) {
		var none *answer
		first, err := none.next(one)
		if err != nil {
			return
		}
		_ = first.text()
		second, err := first.next(two)
		if err != nil {
			return
		}
		assert.Len(t, second.lines, strings.Count(two, "\n"))
		_ = second.text()
	})
}

package dump

import (
	"math"
	"strconv"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

func Hex4(dst []byte, r rune) []byte {
	const digits = "0123456789abcdef"
	return append(dst, digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}

func Optional(b []byte, key, s string) []byte {
	if s == "" {
		return b
	}
	b = append(b, `,"`...)
	b = append(b, key...)
	return text.AppendJSON(append(b, `":`...), s)
}

func BoxInts(b []byte, x snapshot.Box) []byte {
	return Ints(b, Round(x.X()), Round(x.Y()), Round(x.W()), Round(x.H()))
}

func Ints(b []byte, v ...int) []byte {
	b = append(b, '[')
	for i, n := range v {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	return append(b, ']')
}

// round is a whole number of CSS px; a broken coordinate is 0.
func Round(v float64) int {
	if math.IsNaN(v) || math.Abs(v) > 1e9 {
		return 0
	}
	return int(math.Round(v))
}

// orNull appends a JSON string, null for an empty one.
func OrNull(b []byte, s string) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	return text.AppendJSON(b, s)
}

// stringList appends a named array of strings, nothing for an empty one.
func StringList(b []byte, key string, list []string) []byte {
	for i, s := range list {
		if i == 0 {
			b = append(append(append(b, `,"`...), key...), `":[`...)
		} else {
			b = append(b, ',')
		}
		b = text.AppendJSON(b, s)
	}
	if len(list) > 0 {
		b = append(b, ']')
	}
	return b
}

// numbers appends an array of numbers in hundredths at most; a broken coordinate is 0.
func Numbers(b []byte, vs ...float64) []byte {
	b = append(b, '[')
	for i, v := range vs {
		if i > 0 {
			b = append(b, ',')
		}
		if math.IsNaN(v) || math.Abs(v) > 1e9 {
			v = 0
		}
		b = strconv.AppendFloat(b, math.Round(v*100)/100, 'f', -1, 64)
	}
	return append(b, ']')
}

func Decimal(n int) string { return strconv.Itoa(n) }

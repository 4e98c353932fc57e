package collect

import (
	"encoding/base64"
	"errors"
	"fmt"
)

// ints is a column of whole numbers as js/pack.js writes it.
type ints []int

// hundredths is a column of numbers with two decimals, written the same way.
type hundredths []float64

// maxColumn bounds a column: a run of zeros is a few bytes however long it is.
const maxColumn = 16 << 20

// UnmarshalJSON reads a packed column.
func (c *ints) UnmarshalJSON(text []byte) error {
	if len(text) < 2 || text[0] != '"' || text[len(text)-1] != '"' {
		return errors.New("a packed column is a string")
	}
	text = text[1 : len(text)-1]
	data := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Decode(data, text)
	if err != nil {
		return fmt.Errorf("packed column: %w", err)
	}
	values, err := unpack(data[:n])
	if err != nil {
		return fmt.Errorf("packed column: %w", err)
	}
	*c = values
	return nil
}

// UnmarshalJSON reads a packed column of hundredths.
func (c *hundredths) UnmarshalJSON(text []byte) error {
	var values ints
	if err := values.UnmarshalJSON(text); err != nil {
		return err
	}
	column := make([]float64, len(values))
	for k, v := range values {
		column[k] = float64(v) / 100
	}
	*c = column
	return nil
}

// unpack reads what js/pack.js wrote: the stride, then the entries.
func unpack(data []byte) ([]int, error) {
	at := 0
	next := func() (uint64, error) {
		var v uint64
		for shift := 0; shift < 64; shift += 7 {
			if at == len(data) {
				return 0, errors.New("it ends inside a number")
			}
			b := data[at]
			at++
			v |= uint64(b&127) << shift
			if b < 128 {
				return v, nil
			}
		}
		return 0, errors.New("a number has more than 64 bits")
	}
	stride, err := next()
	if err != nil {
		return nil, err
	}
	if stride > 16 {
		return nil, fmt.Errorf("its stride is %d", stride)
	}
	back := int(stride)
	values := make([]int, 0, len(data))
	add := func(v int) {
		if back > 0 && len(values) >= back {
			v += values[len(values)-back]
		}
		values = append(values, v)
	}
	for at < len(data) {
		v, err := next()
		if err != nil {
			return nil, err
		}
		if v != 0 {
			add(int(v>>1) ^ -int(v&1)) // zigzag
			continue
		}
		more, err := next()
		if err != nil {
			return nil, err
		}
		if more >= maxColumn-uint64(len(values)) {
			return nil, fmt.Errorf("it has more than %d entries", maxColumn)
		}
		for range more + 1 {
			add(0)
		}
	}
	return values, nil
}

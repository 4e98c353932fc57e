package text

import "strconv"

// Bytes is a size as people read it: 812 B, 14 kB, 2.9 MB, 1.2 GB.
func Bytes(n int64) string {
	unit := func(by int64, name string) string {
		if n < 10*by {
			return strconv.FormatFloat(float64(n*10/by)/10, 'f', -1, 64) + " " + name
		}
		return Thousands(int(n/by)) + " " + name
	}
	switch {
	case n < 1000:
		return strconv.FormatInt(n, 10) + " B"
	case n < 1000*1000:
		return unit(1000, "kB")
	case n < 1000*1000*1000:
		return unit(1000*1000, "MB")
	}
	return unit(1000*1000*1000, "GB")
}

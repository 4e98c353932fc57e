package text

import "strings"

// Nearest is the one of the known names that was probably meant, "" where none is like
// it: at most a third of the letters may differ, letter case does not count, and a name
// that begins like it is near.
func Nearest(name string, known []string) string {
	low := strings.ToLower(name)
	best, score := "", 2+len(name)/3
	for _, k := range known {
		d := distance(low, strings.ToLower(k))
		if len(low) > 2 && strings.HasPrefix(strings.ToLower(k), low) {
			d = min(d, 1)
		}
		if d < score && d < len(k) {
			best, score = k, d
		}
	}
	return best
}

// distance is the number of letters to add, drop or change (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		corner := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			d := corner
			if a[i-1] != b[j-1] {
				d++
			}
			corner = row[j]
			row[j] = min(d, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}

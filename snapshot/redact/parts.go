package redact

import "strings"

// CleanParts is the texts of neighbouring elements that are read as one, without the secrets that only show when they
// are joined: a card number in four elements, a password beside the word for it. The mark is in the first of the
// parts that contained it. White space counts as one space, as it is drawn. nil where nothing was found.
func (r *Redactor) CleanParts(parts []string) []string {
	whole := strings.Join(parts, "")
	drawn, at := collapse(whole)
	q := search{rules: [][]compiled{r.builtin, r.custom}, secrets: r.secrets}
	found := q.find(drawn)
	if len(found) == 0 {
		return nil
	}
	if found = spare(join(found), genuine(Marks([]byte(drawn)), found)); len(found) == 0 {
		return nil
	}
	out := make([]string, len(parts))
	start := 0
	for i, part := range parts {
		end, done := start+len(part), start
		var b strings.Builder
		for _, f := range found {
			from, to := at[f.start], at[f.end-1]+1
			if to <= start || from >= end {
				continue
			}
			b.WriteString(whole[done:max(from, start)])
			if from >= start {
				b.WriteString(f.put)
			}
			done = min(to, end)
		}
		b.WriteString(whole[done:end])
		out[i], start = b.String(), end
	}
	return out
}

// collapse is a text with single spaces, and where each of its bytes was.
func collapse(s string) (drawn string, at []int) {
	b := make([]byte, 0, len(s))
	at = make([]int, 0, len(s))
	for i := range len(s) {
		c := s[i]
		if c == '\n' || c == '\t' || c == '\r' || c == '\f' {
			c = ' '
		}
		if c == ' ' && len(b) > 0 && b[len(b)-1] == ' ' {
			continue
		}
		b, at = append(b, c), append(at, i)
	}
	return string(b), at
}

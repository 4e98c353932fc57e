package observation

// ByRef are the lines with a ref. One may leave out the letter e that a format writes before its numbers, or write it
// where the format has none; what is written exactly so goes first.
func (t *Text) ByRef(ref string) []Line {
	var out []Line
	for _, l := range t.Lines {
		if ref != "" && l.Ref == ref {
			out = append(out, l)
		}
	}
	for _, l := range t.Lines {
		if len(out) == 0 && ref != "" && (l.Ref == "e"+ref || ref[0] == 'e' && l.Ref == ref[1:]) {
			return []Line{l}
		}
	}
	return out
}

// ByNode are the lines about the element with an index in the capture that the text was tied to.
func (t *Text) ByNode(node int) []Line {
	var out []Line
	for _, l := range t.Lines {
		if node >= 0 && l.Node == node {
			out = append(out, l)
		}
	}
	return out
}

// RefOf is the first ref by which the text lists an element, "" where it lists it by none.
func (t *Text) RefOf(node int) string {
	for _, l := range t.ByNode(node) {
		if l.Ref != "" {
			return l.Ref
		}
	}
	return ""
}

// Words are what stands in the text where a line does.
func (t *Text) Words(l Line) string {
	if l.Bytes[0] < 0 || l.Bytes[1] > len(t.body) || l.Bytes[0] > l.Bytes[1] {
		return ""
	}
	return t.body[l.Bytes[0]:l.Bytes[1]]
}

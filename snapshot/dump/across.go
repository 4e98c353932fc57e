package dump

// Place is where one document has an element, or why it has not.
type Place struct {
	Format Format
	// Lines are the indices in Document.Lines of the lines about the element, in
	// order; empty where the document has none.
	Lines []int
	// Text are these lines, without indent.
	Text []string
	// Parts are the spans of lines that are the element's own where the line is
	// about another one: a cell, a stretch of a paragraph. Byte offsets in the
	// document's text.
	Parts []Span
	// Omitted are the reasons for what the document leaves out of the element, all
	// of it where it has no line.
	Omitted []Omission
}

// Across lines up one element in several documents of one capture: its line in
// every format, in the order of the documents. An element that is not kept has
// neither line nor omission; its verdict says why.
func Across(node int, docs ...*Document) []Place {
	out := make([]Place, 0, len(docs))
	for _, d := range docs {
		p := Place{Format: d.Format, Lines: d.LinesOf(node)}
		for _, i := range p.Lines {
			l := d.Lines[i]
			p.Text = append(p.Text, d.Text[l.Start+min(l.Indent, l.End-l.Start):l.End])
		}
		for _, s := range d.Spans {
			if s.Node == node {
				p.Parts = append(p.Parts, s)
			}
		}
		for _, o := range d.Omitted {
			if o.Node == node {
				p.Omitted = append(p.Omitted, o)
			}
		}
		out = append(out, p)
	}
	return out
}

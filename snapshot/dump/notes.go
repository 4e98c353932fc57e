package dump

// NoteLegend explains the notes that options add to a format of lines, which spells
// them in that way.
func NoteLegend(o Common, note func(string) string) []string {
	var s []string
	if o.SummariseRepeats {
		s = append(s, "- "+note(
			"30 more <li> like the 20 above, numbered 41-70")+": what follows in the same manner; the "+
			"numbers can be used like those above")
	}
	if o.Query != "" {
		s = append(s, "- "+note(
			`filtered for "query": 8 of 500 elements`)+": the page has more; only what the task is "+
			"about is shown")
	}
	return s
}

// Bracketed is how dddk spells a note.
func Bracketed(remark string) string { return "[..." + remark + "]" }

package dump

// Kind is what sort of text a format is, for colours and file names.
type Kind string

const (
	KindLines Kind = "lines" // lines of its own grammar
	KindJSON  Kind = "json"
	KindYAML  Kind = "yaml"
	KindHTML  Kind = "html" // dddk's lines with tags are none
)

// Kind is the format's sort of text.
func (f Format) Kind() Kind {
	switch f {
	case Semantic, WraithJSON, DomTool, Filtered, AX:
		return KindJSON
	case Aria:
		return KindYAML
	case Skeleton, Hybrid, Full:
		return KindHTML
	}
	return KindLines
}

// Extension is the end of a file name for the format's text: .json, .yaml, .html, .txt.
func (f Format) Extension() string {
	if k := f.Kind(); k != KindLines {
		return "." + string(k)
	}
	return ".txt"
}

// Plain lists the formats that need no options of their own to say something: all but
// what a query finds.
func Plain() []Format {
	var fs []Format
	for _, f := range Formats() {
		if f != Filtered {
			fs = append(fs, f)
		}
	}
	return fs
}

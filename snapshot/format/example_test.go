package format_test

import (
	"context"
	"fmt"
	"log"

	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/turn"
)

// Every format is a pure function of the capture, so the text of a recorded turn can be made again with other options.
func ExampleRender() {
	s, err := turn.OpenPath("../turn/testdata/releases/0.1.0.refscope")
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	r, err := s.Load(context.Background(), 2)
	if err != nil {
		log.Fatal(err)
	}
	doc, err := format.Render(r.Capture, format.Aria, format.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(doc.Text)
	// Output:
	// - text: "Password"
	// - textbox "Password" [ref=s1e9]: "[redacted: password]"
	// - button "Go" [focused] [ref=s1e10]
}

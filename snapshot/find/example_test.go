package find_test

import (
	"context"
	"fmt"
	"log"

	"github.com/refscope/refscope/snapshot/find"
	"github.com/refscope/refscope/snapshot/turn"
)

// Search finds elements of a recorded turn, without a browser.
func ExampleSearch() {
	s, err := turn.OpenPath("../turn/testdata/releases/0.1.0.refscope")
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	r, err := s.Load(context.Background(), 1)
	if err != nil {
		log.Fatal(err)
	}
	answer, err := find.Search(r.Capture, find.Query{Role: "button"})
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range answer.Matches {
		fmt.Printf("[%d] %s %q\n", m.Ref, m.Role, m.Name)
	}
	// Output:
	// [7] button "Order"
}

package turn_test

import (
	"context"
	"fmt"
	"log"

	"github.com/refscope/refscope/snapshot/turn"
)

// A session is a folder, or one file that session export has written; both are opened by their path.
func ExampleOpenPath() {
	s, err := turn.OpenPath("testdata/releases/0.1.0.refscope")
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	list, _, err := s.List(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range list {
		r, err := s.Load(context.Background(), t.N)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%d %q: %d elements, %d payloads\n", t.N, t.Title, len(r.Capture.Nodes), len(r.Payloads))
	}
	// Output:
	// 1 "Order tea": 11 elements, 0 payloads
	// 2 "Step": 7 elements, 1 payloads
}

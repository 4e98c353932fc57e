package doctor_test

import (
	"context"
	"fmt"
	"log"

	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/payload"
	"github.com/refscope/refscope/snapshot/turn"
)

// A doctor takes the turns of a session in their order. Each turn with a request to a model gets a report.
func ExampleDoctor_Examine() {
	s, err := turn.OpenPath("../turn/testdata/releases/0.1.0.refscope")
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	r, err := s.Load(context.Background(), 1)
	if err != nil {
		log.Fatal(err)
	}
	p, err := payload.Build("openai-chat", payload.Input{Turn: 1, Capture: r.Capture, NoImage: true, Query: "order tea",
		Model: "gpt-4o"})
	if err != nil {
		log.Fatal(err)
	}
	r.Payloads = []turn.Payload{{Dialect: p.Dialect, Model: "gpt-4o", Way: turn.Request, Media: "application/json",
		Bytes: p.Body}}
	report, err := doctor.New(doctor.Options{}).Examine(r)
	if err != nil {
		log.Fatal(err)
	}
	for _, part := range report.Sections {
		fmt.Println(part.Role, part.Name)
	}
	fmt.Println(len(report.Findings), "findings")
	// Output:
	// system messages[0]
	// user messages[1].content[0]
	// user messages[1].content[1]
	// 0 findings
}

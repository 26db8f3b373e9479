package main

import (
	"fmt"
	"os"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"google.golang.org/protobuf/proto"

	events "example.com/ems-events/gen/ems/events/v1"
)

// receive handles a message and reports the outcome to NATS; it fails if NATS is unreachable.
func receive(message jetstream.Msg, ledger *ledger) error {
	// JSON of versions before binary events.
	if message.Headers().Get("Content-Type") != "application/protobuf" {
		return message.Term()
	}
	var event events.Event
	if err := proto.Unmarshal(message.Data(), &event); err != nil {
		fmt.Fprintln(os.Stderr, "a message can never be read:", err)
		return message.Term()
	}
	// Unset: an internal event, or a type of a newer version.
	if event.GetData() == nil || ledger.has(event.GetId()) {
		return message.Ack()
	}
	if err := handle(&event, ledger); err != nil {
		fmt.Fprintf(os.Stderr, "event %s failed: %v\n", event.GetId(), err)
		return message.NakWithDelay(backoff(message))
	}
	return message.Ack()
}

// handle appends the event to a file.
func handle(event *events.Event, ledger *ledger) error {
	data := event.ProtoReflect()
	kind := data.WhichOneof(data.Descriptor().Oneofs().ByName("data"))
	return ledger.add(entry{event.GetId(), event.GetApplicationId(), kind.JSONName(), titleOf(event)})
}

// The oneof's case is the event's type; its value has that message type.
func titleOf(event *events.Event) string {
	switch data := event.GetData().(type) {
	case *events.Event_TopicCreated:
		return data.TopicCreated.GetTitle()
	case *events.Event_TopicArchived:
		return data.TopicArchived.GetTitle()
	}
	return ""
}

func backoff(message jetstream.Msg) time.Duration {
	deliveries := uint64(1)
	if metadata, err := message.Metadata(); err == nil {
		deliveries = metadata.NumDelivered
	}
	return min(time.Second<<min(deliveries-1, 10), 5*time.Minute)
}

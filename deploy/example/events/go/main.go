// Reads events from NATS with a durable consumer. Handles each once, then acknowledges it; retries failures with a backoff.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	ledger, err := openLedger(env("LEDGER", "events.ndjson"))
	if err != nil {
		return err
	}
	defer ledger.Close()
	user := os.Getenv("NATS_USER")
	connection, err := nats.Connect(
		env("NATS_URL", nats.DefaultURL),
		nats.UserInfo(user, os.Getenv("NATS_PASSWORD")),
		nats.CustomInboxPrefix("_INBOX."+user),
		nats.MaxReconnects(-1),
		nats.RetryOnFailedConnect(true),
	)
	if err != nil {
		return err
	}
	defer connection.Close()
	js, err := jetstream.New(connection)
	if err != nil {
		return err
	}
	for failures := 0; ctx.Err() == nil; {
		started := time.Now()
		if err := consume(ctx, js, ledger); err != nil && ctx.Err() == nil {
			fmt.Fprintln(os.Stderr, "consuming failed:", err)
		}
		if time.Since(started) > time.Minute {
			failures = 0
		}
		failures++
		select {
		case <-ctx.Done():
		case <-time.After(min(250*time.Millisecond<<min(failures, 10), 30*time.Second)):
		}
	}
	// Flush the last acknowledgments.
	return connection.FlushTimeout(5 * time.Second)
}

// consume returns if the stream or the consumer was deleted, or the server is silent; the caller calls it again. Creating the same
// consumer again has no effect: it continues.
func consume(ctx context.Context, js jetstream.JetStream, ledger *ledger) error {
	consumer, err := js.CreateOrUpdateConsumer(ctx, "EMS_EVENTS", jetstream.ConsumerConfig{
		Durable:       env("CONSUMER", os.Getenv("NATS_USER")),
		FilterSubject: env("FILTER", "ems.v1.evt.>"),
		DeliverPolicy: jetstream.DeliverAllPolicy,
		AckPolicy:     jetstream.AckExplicitPolicy,
		AckWait:       30 * time.Second,
		MaxAckPending: 256,
	})
	if err != nil {
		return err
	}
	messages, err := consumer.Messages(jetstream.PullMaxMessages(100))
	if err != nil {
		return err
	}
	defer messages.Stop()
	defer context.AfterFunc(ctx, messages.Stop)()
	for {
		message, err := messages.Next()
		if err != nil {
			return err
		}
		if err := receive(message, ledger); err != nil {
			return err
		}
	}
}

func env(name, fallback string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return fallback
}

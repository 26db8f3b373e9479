package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	events "example.com/ems-client/gen/ems/events/v1"
	notifications "example.com/ems-client/gen/ems/notifications/v1"
)

// silenceMax exceeds the interval of heartbeats: a stream that is silent for longer is lost.
const silenceMax = time.Minute

// watch handles every event once, across restarts of the server and of this process, which starts with the last token.
func watch(ctx context.Context, connection *grpc.ClientConn) error {
	client := notifications.NewEventServiceClient(connection)
	token := ""
	if len(os.Args) > 2 {
		token = os.Args[2]
	}
	for {
		err := watchOnce(ctx, client, &token, handle)
		if ctx.Err() != nil {
			return nil
		}
		switch status.Code(err) {
		// The token is older than the stored events, the key was deleted, or the request is invalid: do not retry.
		case codes.OutOfRange, codes.Unauthenticated, codes.PermissionDenied, codes.InvalidArgument, codes.Unimplemented:
			return err
		}
		fmt.Fprintln(os.Stderr, "resuming after:", err)
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Second):
		}
	}
}

// watchOnce reads one stream until it ends; *token is that of the last handled message.
func watchOnce(
	ctx context.Context, client notifications.EventServiceClient, token *string, handle func(*events.Event, string) error,
) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silence := time.AfterFunc(silenceMax, func() { cancel(errors.New("no heartbeat")) })
	defer silence.Stop()
	stream, err := client.Watch(ctx, &notifications.WatchRequest{ResumeToken: *token})
	if err != nil {
		return err
	}
	for {
		message, err := stream.Recv()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		silence.Reset(silenceMax)
		if message.Event != nil {
			if err := handle(message.Event, message.GetResumeToken()); err != nil {
				return err
			}
		}
		*token = message.GetResumeToken()
	}
}

// handle should change this service's own database and store the token in the same transaction.
func handle(event *events.Event, token string) error {
	kind := event.ProtoReflect().WhichOneof(event.ProtoReflect().Descriptor().Oneofs().ByName("data"))
	fmt.Println("event", event.GetId(), kind.Name(), "token", token)
	return nil
}

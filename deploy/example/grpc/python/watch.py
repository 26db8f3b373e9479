"""Every event once, across restarts of the server and of this process, which is given the last token."""

import sys
import threading
import time

import grpc

from ems.events.v1 import event_pb2
from ems.notifications.v1 import event_service_pb2, event_service_pb2_grpc

# Exceeds the interval of heartbeats: a stream that is silent for longer is lost.
SILENCE_MAX_S = 60

# The token is older than the stored events, the key was deleted, or the request is invalid: do not retry.
FINAL = {
    grpc.StatusCode.OUT_OF_RANGE,
    grpc.StatusCode.UNAUTHENTICATED,
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.UNIMPLEMENTED,
}


def watch_events(channel: grpc.Channel, token: str) -> None:
    events = event_service_pb2_grpc.EventServiceStub(channel)
    while True:
        stream = events.Watch(event_service_pb2.WatchRequest(resume_token=token))
        try:
            for message in until_silent(stream):
                if message.HasField("event"):
                    handle(message.event, message.resume_token)
                token = message.resume_token
        except grpc.RpcError as error:
            if error.code() in FINAL:
                raise
            print("resuming after:", error.code().name, error.details(), file=sys.stderr)
        time.sleep(1)


def until_silent(stream):
    """The messages of a stream, which is cancelled when none comes for too long."""
    while True:
        silence = threading.Timer(SILENCE_MAX_S, stream.cancel)
        silence.daemon = True
        silence.start()
        try:
            message = next(stream)
        except StopIteration:
            return
        finally:
            silence.cancel()
        yield message


def handle(event: event_pb2.Event, token: str) -> None:
    """Would change this service's own database, and store the token in the same transaction."""
    print("event", event.id, event.WhichOneof("data"), "token", token, flush=True)

"""Reads events from NATS: by a durable consumer, each handled once, acknowledged when it is, tried again with a backoff."""

import asyncio
import json
import os
import signal
import sys
import time

import nats
from google.protobuf.message import DecodeError
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy

from ems.events.v1 import event_pb2

STREAM = "EMS_EVENTS"
USER = os.environ.get("NATS_USER", "")
CONSUMER = os.environ.get("CONSUMER", USER)
FILTER = os.environ.get("FILTER", "ems.v1.evt.>")
LEDGER = os.environ.get("LEDGER", "events.ndjson")

handled_ids: set[str] = set()


def handle(event: event_pb2.Event) -> None:
    """What this program does with events: it notes them in a file.

    Id and effect are one write, so that neither is without the other; with a database, insert the id in the transaction of the
    effect, and skip the event if it is there.
    """
    kind = event.WhichOneof("data")
    # The oneof's case is the event's type; its value has that message type.
    title = getattr(event, kind).title if kind in ("topic_created", "topic_archived") else None
    noted = {"id": event.id, "applicationId": event.application_id, "case": kind, "title": title}
    with open(LEDGER, "a", encoding="utf-8") as ledger:
        ledger.write(json.dumps(noted) + "\n")


async def receive(message: Msg) -> None:
    # JSON of versions before binary events.
    if (message.headers or {}).get("Content-Type") != "application/protobuf":
        return await message.term()
    try:
        event = event_pb2.Event.FromString(message.data)
    except DecodeError as error:
        print("a message can never be read:", error, file=sys.stderr)
        return await message.term()
    try:
        # Unset: an internal event, or a type of a newer version.
        if event.WhichOneof("data") is not None and event.id not in handled_ids:
            handle(event)
            handled_ids.add(event.id)
    except Exception as error:
        deliveries = message.metadata.num_delivered
        print(f"event {event.id} failed (attempt {deliveries}):", error, file=sys.stderr)
        return await message.nak(delay=min(2 ** (deliveries - 1), 300))
    await message.ack()


async def consume(js: JetStreamContext, stopping: asyncio.Event) -> None:
    """Creating the same consumer again changes nothing: it goes on where it was."""
    config = ConsumerConfig(
        # Set both: the name selects a request that the user may send.
        name=CONSUMER,
        durable_name=CONSUMER,
        filter_subject=FILTER,
        deliver_policy=DeliverPolicy.ALL,
        ack_policy=AckPolicy.EXPLICIT,
        ack_wait=30,
        max_ack_pending=256,
    )
    await js.add_consumer(STREAM, config)
    subscription = await js.pull_subscribe_bind(consumer=CONSUMER, stream=STREAM)
    try:
        while not stopping.is_set():
            try:
                messages = await subscription.fetch(100, timeout=5)
            except nats.errors.TimeoutError:
                # No event, or the consumer was deleted: creating it again has no effect.
                await js.add_consumer(STREAM, config)
                continue
            for message in messages:
                await receive(message)
    finally:
        await subscription.unsubscribe()


async def main() -> None:
    if os.path.exists(LEDGER):
        with open(LEDGER, encoding="utf-8") as ledger:
            handled_ids.update(json.loads(line)["id"] for line in ledger)
    stopping = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(name, stopping.set)
    connection = await nats.connect(
        os.environ.get("NATS_URL", "nats://127.0.0.1:4222").split(","),
        user=USER,
        password=os.environ.get("NATS_PASSWORD", ""),
        inbox_prefix=f"_INBOX.{USER}",
        max_reconnect_attempts=-1,
    )
    failures = 0
    while not stopping.is_set():
        started = time.monotonic()
        try:
            await consume(connection.jetstream(), stopping)
        except Exception as error:
            print("consuming failed:", repr(error), file=sys.stderr)
            failures = 0 if time.monotonic() - started > 60 else failures + 1
            await asyncio.sleep(min(0.25 * 2**failures, 30))
    await connection.drain()


asyncio.run(main())

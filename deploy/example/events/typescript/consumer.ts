// Reads events from NATS with a durable consumer. Handles each event once and acknowledges it; retries with a backoff.

import { appendFile, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { fromBinary } from "@bufbuild/protobuf";
import { AckPolicy, connect, DeliverPolicy, type JsMsg, type NatsConnection, nanos } from "nats";
import { type Event, EventSchema } from "./gen/ems/events/v1/event_pb.js";

const {
  NATS_URL = "nats://127.0.0.1:4222",
  NATS_USER = "",
  NATS_PASSWORD = "",
  CONSUMER = NATS_USER,
  FILTER = "ems.v1.evt.>",
  LEDGER = "events.ndjson",
} = process.env;
const stream = "EMS_EVENTS";

/**
 * Appends the event to a file. One write stores the event's id and its effect, so that both exist or neither. With a
 * database, insert the id in the same transaction as the effect, and skip the event if the id already exists.
 */
async function handle(event: Event): Promise<void> {
  const { id, applicationId, data } = event;
  await appendFile(LEDGER, `${JSON.stringify({ id, applicationId, case: data.case, title: getTitle(event) })}\n`);
}

/** Returns the topic's title. The oneof's case is the event type, which determines the type of `data.value`. */
function getTitle({ data }: Event): string | undefined {
  return data.case === "topicCreated" || data.case === "topicArchived" ? data.value.title : undefined;
}

const handledIds = new Set<string>();
for (const line of (await readFile(LEDGER, "utf8").catch(() => "")).split("\n")) {
  if (line !== "") handledIds.add(JSON.parse(line).id);
}

async function receive(message: JsMsg): Promise<void> {
  // Discard JSON messages, which product versions before binary events published.
  if (message.headers?.get("Content-Type") !== "application/protobuf") return message.term();
  let event: Event;
  try {
    event = fromBinary(EventSchema, message.data);
  } catch (error) {
    console.error(`message ${message.seq} can never be read:`, error);
    return message.term();
  }
  try {
    // `case` is unset for an internal event and for a type from a newer version. Acknowledge it without an effect.
    if (event.data.case !== undefined && !handledIds.has(event.id)) {
      await handle(event);
      handledIds.add(event.id);
    }
    message.ack();
  } catch (error) {
    const { deliveryCount } = message.info;
    console.error(`event ${event.id} failed (attempt ${deliveryCount}):`, error);
    message.nak(Math.min(1_000 * 2 ** (deliveryCount - 1), 300_000));
  }
}

/** Creates the durable consumer, unless it exists, and continues after its last acknowledged event. */
async function consume(nc: NatsConnection): Promise<void> {
  const jsm = await nc.jetstreamManager({ checkAPI: false });
  await jsm.consumers.add(stream, {
    durable_name: CONSUMER,
    filter_subject: FILTER,
    deliver_policy: DeliverPolicy.All,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(30_000),
    max_ack_pending: 256,
  });
  const consumer = await nc.jetstream().consumers.get(stream, CONSUMER);
  // The iteration ends, and the caller restarts it, if stream or consumer were deleted or the server is silent.
  const messages = await consumer.consume({ max_messages: 100, abort_on_missing_resource: true });
  process.once("SIGTERM", () => void messages.close());
  for await (const message of messages) await receive(message);
}

const [servers, inboxPrefix] = [NATS_URL.split(","), `_INBOX.${NATS_USER}`];
const login = { servers, user: NATS_USER, pass: NATS_PASSWORD, inboxPrefix };
const nc = await connect({ ...login, maxReconnectAttempts: -1, waitOnFirstConnect: true });
let isStopping = false;
process.once("SIGTERM", () => {
  isStopping = true;
});
for (let failures = 0; !isStopping; ) {
  const startedMs = Date.now();
  await consume(nc).catch((error: unknown) => console.error("consuming failed:", error));
  failures = Date.now() - startedMs > 60_000 ? 0 : failures + 1;
  if (!isStopping) await delay(Math.min(250 * 2 ** failures, 30_000));
}
await nc.drain();

// The bus over NATS JetStream. Publishing waits for the stream's ack. Stream and consumer are created if they are
// missing: at the start, after a reconnect, and after a deletion.

import { ErrorCode, headers, NatsError } from "nats";
import { systemClock } from "../../clock.ts";
import { natsMessageBytesMax } from "../../limits/sizes.ts";
import type { Logger } from "../../log.ts";
import type { BusEvent, EventBus, EventHandler, ReceivedEvent, Subscription } from "../bus.ts";
import { buildHeaders, isDeadLetter, readMessage, toMessage } from "../message.ts";
import { Connection, type NatsOptions } from "./connection.ts";
import { buildSubjects } from "./permissions.ts";
import { NatsSubscription } from "./subscription.ts";
import { consumerName, ensureConsumer, ensureStream, isMissing, streamName } from "./topology.ts";

export interface NatsBusOptions extends NatsOptions {
  /** Number of replicas of the stream in a cluster. */
  readonly replicas: number;
}

const ackMs = 3_000;
const noStream = "the event stream does not exist; notifications creates it";

/**
 * Opens the bus of the consuming process, and creates the stream. If NATS is down, it also resolves, and keeps
 * retrying. Rejects if the stream exists with wrong settings.
 */
export function openNatsBus(options: NatsBusOptions): Promise<EventBus> {
  return open(options, options.replicas);
}

/** Opens the bus of a process that only publishes. Events wait in the outbox until the consumer creates the stream. */
export function openNatsPublisher(options: NatsOptions): Promise<EventBus> {
  return open(options, undefined);
}

async function open(options: NatsOptions, replicas: number | undefined): Promise<EventBus> {
  const connection = await Connection.open(options);
  const bus = new NatsBus(connection, options.log, replicas);
  try {
    if (connection.current !== undefined) {
      await bus.ensure().catch((error: unknown) => {
        if (!isTransient(error)) throw error;
        options.log.warn("JetStream does not respond yet; events wait in the outboxes");
      });
    }
    connection.onReconnect(() => void bus.ensureLogged());
    return bus;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** JetStream's error code "no suitable peers for placement". */
const noPeers = 10_005;

/** Returns true if the cluster is starting or electing a leader. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof NatsError)) return false;
  const { code, api_error: refusal } = error;
  return code === "503" || code === ErrorCode.Timeout || refusal?.code === 503 || refusal?.err_code === noPeers;
}

/** Opens the bus of a process that only listens: it needs no stream. */
export async function openNatsListener(options: NatsOptions): Promise<Pick<EventBus, "listen" | "check" | "close">> {
  const connection = await Connection.open(options);
  const bus = new NatsBus(connection, options.log, undefined);
  return {
    listen: (type, listener) => bus.listen(type, listener),
    check: async () => void connection.get(),
    close: () => bus.close(),
  };
}

class NatsBus implements EventBus {
  readonly #connection: Connection;
  readonly #log: Logger;
  /** Number of replicas; undefined if another process creates the stream. */
  readonly #replicas: number | undefined;
  #ensuring: Promise<void> | undefined;
  /** True if the last publish found no stream. */
  #isStreamMissing = false;

  constructor(connection: Connection, log: Logger, replicas: number | undefined) {
    this.#connection = connection;
    this.#log = log;
    this.#replicas = replicas;
  }

  get isUp(): boolean {
    return this.#connection.current !== undefined;
  }

  async publish(event: BusEvent): Promise<void> {
    const head = headers();
    for (const [name, value] of buildHeaders(event)) head.set(name, value);
    const stream = this.#connection.get().jetstream();
    try {
      const options = { headers: head, timeout: ackMs, expect: { streamName } };
      await this.#connection.abortOnDisconnect(stream.publish(event.subject, event.body, options));
      this.#isStreamMissing = false;
    } catch (error) {
      this.#isStreamMissing = error instanceof NatsError && error.code === "503";
      if (!this.#isStreamMissing) throw error;
      await this.ensureLogged();
      throw new Error(noStream, { cause: error });
    }
  }

  consume(handler: EventHandler): Subscription {
    if (this.#replicas === undefined) throw new Error("this process only publishes events and cannot consume them");
    const ensure = async () => {
      await this.ensureLogged();
      for (const difference of await ensureConsumer(await this.#manager())) this.#log.error(difference);
    };
    return new NatsSubscription({ connection: this.#connection, handler, ensure, log: this.#log });
  }

  listen(type: string, listener: (event: ReceivedEvent) => void): void {
    this.#connection.onOpen((nc) => {
      nc.subscribe(buildSubjects(type), {
        callback: (error, message) => {
          const read = error === null ? readMessage(toMessage(message)) : undefined;
          if (read !== undefined && !isDeadLetter(read)) listener(read);
        },
      });
    });
  }

  async ackedUpTo(): Promise<Date> {
    const jsm = await this.#manager();
    const now = systemClock.now();
    const { num_pending, num_ack_pending, ack_floor } = await jsm.consumers.info(streamName, consumerName);
    if (num_pending + num_ack_pending === 0) return now;
    const { state } = await jsm.streams.info(streamName);
    const seq = Math.max(ack_floor.stream_seq + 1, state.first_seq);
    return (await jsm.streams.getMessage(streamName, { seq })).time;
  }

  async check(): Promise<void> {
    const jsm = await this.#manager();
    if (this.#replicas !== undefined) await jsm.streams.info(streamName);
    else if (this.#isStreamMissing) throw new Error(noStream);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  /** Ensures that the stream exists; rejects if its settings are wrong. */
  async ensure(): Promise<void> {
    const { info } = this.#connection.get();
    if (info !== undefined && info.max_payload < natsMessageBytesMax) {
      throw new Error(`max_payload of NATS is ${info.max_payload} bytes and must be at least ${natsMessageBytesMax}`);
    }
    if (this.#replicas === undefined) return;
    const differences = await ensureStream(await this.#manager(), this.#replicas).catch((error: unknown) => {
      if (!(error instanceof NatsError && error.isPermissionError())) throw error;
      throw new Error(`NATS denies a permission that events need (${error.message}); deploy/guides/nats.md lists them`);
    });
    if (differences.length > 0) throw new Error(`NATS must be reconfigured: ${differences.join("; ")}`);
  }

  /** Like `ensure`, but only logs wrong settings: the stream is used as long as it accepts events. */
  ensureLogged(): Promise<void> {
    this.#ensuring ??= this.#connection
      .abortOnDisconnect(this.ensure())
      .catch((error: unknown) => {
        if (!isMissing(error)) this.#log.error({ err: error }, "the event stream has wrong settings");
      })
      .finally(() => {
        this.#ensuring = undefined;
      });
    return this.#ensuring;
  }

  #manager() {
    return this.#connection.get().jetstreamManager({ timeout: ackMs, checkAPI: false });
  }
}

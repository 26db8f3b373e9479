// The bus over NATS JetStream. Publishing waits for the stream's word that the message is stored. The stream and the
// consumer are made where they are missing: at the start, when NATS is back, and when somebody has deleted them.

import { ErrorCode, headers, NatsError } from "nats";
import type { Logger } from "../../log.ts";
import type { BusEvent, EventBus, EventHandler, ReceivedEvent, Subscription } from "../bus.ts";
import { headersOf, isDead, readMessage } from "../message.ts";
import { Connection, type NatsOptions } from "./connection.ts";
import { NatsConsumption } from "./consumption.ts";
import { subjectsOf } from "./permissions.ts";
import { messageOf } from "./read.ts";
import { consumerName, ensureConsumer, ensureStream, isMissing, streamName } from "./topology.ts";

export interface NatsBusOptions extends NatsOptions {
  /** On how many servers of a cluster each event is stored. */
  readonly replicas: number;
}

/** What a message has to fit into, beside what a stream takes. */
const payloadBytesMin = 768 * 1024;
const ackMs = 3_000;
const noStream = "the event stream is not there; notifications makes it";

/**
 * For the process that takes events in: connects and makes sure of the stream. Without NATS it resolves all the same, and
 * goes on trying. Rejects when there is a stream of that name which is not as it must be.
 */
export function openNatsBus(options: NatsBusOptions): Promise<EventBus> {
  return open(options, options.replicas);
}

/** For a process that only tells events: it leaves the stream to the one that takes them in, and until then they wait. */
export function openNatsPublisher(options: NatsOptions): Promise<EventBus> {
  return open(options, undefined);
}

async function open(options: NatsOptions, replicas: number | undefined): Promise<EventBus> {
  const connection = await Connection.open(options);
  const bus = new NatsBus(connection, options.log, replicas);
  try {
    if (connection.live !== undefined) {
      await bus.ensure().catch((error: unknown) => {
        if (!isPassing(error)) throw error;
        options.log.warn("JetStream does not answer yet; events wait until it does");
      });
    }
    connection.onBack(() => void bus.ensureSoon());
    return bus;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** No suitable peers for placement. */
const noPeers = 10_005;

/** Whether servers only have not found each other yet, or are choosing who leads. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof NatsError)) return false;
  const { code, api_error: refusal } = error;
  return code === "503" || code === ErrorCode.Timeout || refusal?.code === 503 || refusal?.err_code === noPeers;
}

/** For a process that only listens: it needs no stream, and `check` asks for none. */
export async function openNatsListener(options: NatsOptions): Promise<Pick<EventBus, "listen" | "check" | "close">> {
  const connection = await Connection.open(options);
  const bus = new NatsBus(connection, options.log, undefined);
  return {
    listen: (type, hear) => bus.listen(type, hear),
    check: async () => void connection.get(),
    close: () => bus.close(),
  };
}

class NatsBus implements EventBus {
  readonly #connection: Connection;
  readonly #log: Logger;
  /** Undefined where the stream is another process's to make. */
  readonly #replicas: number | undefined;
  #ensuring: Promise<void> | undefined;
  /** Whether nobody took the event that was published last. */
  #isStreamMissing = false;

  constructor(connection: Connection, log: Logger, replicas: number | undefined) {
    this.#connection = connection;
    this.#log = log;
    this.#replicas = replicas;
  }

  get isUp(): boolean {
    return this.#connection.live !== undefined;
  }

  async publish(event: BusEvent): Promise<void> {
    const head = headers();
    for (const [name, value] of headersOf(event)) head.set(name, value);
    const stream = this.#connection.get().jetstream();
    try {
      const options = { headers: head, timeout: ackMs, expect: { streamName } };
      await this.#connection.whileUp(stream.publish(event.subject, Buffer.from(event.payload), options));
      this.#isStreamMissing = false;
    } catch (error) {
      this.#isStreamMissing = error instanceof NatsError && error.code === "503";
      if (!this.#isStreamMissing) throw error;
      // Nobody took it: the stream was deleted, or not made yet.
      await this.ensureSoon();
      throw new Error(noStream, { cause: error });
    }
  }

  consume(consumer: EventHandler): Subscription {
    if (this.#replicas === undefined) throw new Error("a process that only tells events takes none in");
    const ensure = async () => {
      await this.ensureSoon();
      for (const fault of await ensureConsumer(await this.#manager())) this.#log.error(fault);
    };
    return new NatsConsumption({ connection: this.#connection, consumer, ensure, log: this.#log });
  }

  listen(type: string, hear: (event: ReceivedEvent) => void): void {
    this.#connection.onOpen((nc) => {
      nc.subscribe(subjectsOf(type), {
        callback: (error, message) => {
          const read = error === null ? readMessage(messageOf(message)) : undefined;
          if (read !== undefined && !isDead(read)) hear(read);
        },
      });
    });
  }

  async ackedUpTo(): Promise<Date> {
    const jsm = await this.#manager();
    const now = new Date();
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

  /** Makes sure of the stream; rejects with all that is wrong with it. */
  async ensure(): Promise<void> {
    const { info } = this.#connection.get();
    if (info !== undefined && info.max_payload < payloadBytesMin) {
      throw new Error(
        `NATS takes messages of ${info.max_payload} bytes; max_payload must be ${payloadBytesMin} or more`,
      );
    }
    if (this.#replicas === undefined) return;
    const faults = await ensureStream(await this.#manager(), this.#replicas).catch((error: unknown) => {
      if (!(error instanceof NatsError && error.isPermissionError())) throw error;
      throw new Error(`NATS does not permit what events need (${error.message}); deploy/README.md lists it`);
    });
    if (faults.length > 0) throw new Error(`NATS cannot be used as it is: ${faults.join("; ")}`);
  }

  /** As `ensure`, but what is wrong is only told: as long as the stream takes events, they go there. */
  ensureSoon(): Promise<void> {
    this.#ensuring ??= this.#connection
      .whileUp(this.ensure())
      .catch((error: unknown) => {
        if (!isMissing(error)) this.#log.error({ err: error }, "the event stream is not as it must be");
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

// The bus over NATS JetStream. Publishing waits for the stream's word that the message is stored. The stream and the
// consumer are made where they are missing: at the start, when NATS is back, and when somebody has deleted them.

import { ErrorCode, headers, NatsError } from "nats";
import type { Logger } from "../../log.ts";
import type { BusEvent, Consumer, Consumption, EventBus, ReceivedEvent } from "../bus.ts";
import { headersOf, isDead, readMessage, subjectRoot } from "../message.ts";
import { Connection, type NatsOptions } from "./connection.ts";
import { NatsConsumption } from "./consumption.ts";
import { messageOf } from "./read.ts";
import { consumerName, ensureConsumer, ensureStream, isMissing, streamName } from "./topology.ts";

export interface NatsBusOptions extends NatsOptions {
  /** On how many servers of a cluster each event is stored. */
  readonly replicas: number;
}

/** What a message has to fit into, beside what a stream takes. */
const payloadBytesMin = 768 * 1024;
const ackMs = 3_000;

/**
 * Connects and makes sure of the stream. Without NATS it resolves all the same, and goes on trying.
 * Rejects when there is a stream of that name which is not as it must be.
 */
export async function openNatsBus(options: NatsBusOptions): Promise<EventBus> {
  const connection = await Connection.open(options);
  const bus = new NatsBus(connection, options);
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
  const bus = new NatsBus(connection, { ...options, replicas: 1 });
  return {
    listen: (type, hear) => bus.listen(type, hear),
    check: async () => void connection.get(),
    close: () => bus.close(),
  };
}

class NatsBus implements EventBus {
  readonly #connection: Connection;
  readonly #replicas: number;
  readonly #log: Logger;
  #ensuring: Promise<void> | undefined;

  constructor(connection: Connection, { replicas, log }: NatsBusOptions) {
    this.#connection = connection;
    this.#replicas = replicas;
    this.#log = log;
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
    } catch (error) {
      // Nobody took it: the stream may have been deleted.
      if (error instanceof NatsError && error.code === "503") await this.ensureSoon();
      throw error;
    }
  }

  consume(consumer: Consumer): Consumption {
    const ensure = async () => {
      await this.ensureSoon();
      for (const fault of await ensureConsumer(await this.#manager())) this.#log.error(fault);
    };
    return new NatsConsumption({ connection: this.#connection, consumer, ensure, log: this.#log });
  }

  listen(type: string, hear: (event: ReceivedEvent) => void): void {
    this.#connection.onOpen((nc) => {
      nc.subscribe(`${subjectRoot}.*.${type}.*`, {
        callback: (error, message) => {
          const read = error === null ? readMessage(messageOf(message)) : undefined;
          if (read !== undefined && !isDead(read)) hear(read);
        },
      });
    });
  }

  async settledUntil(): Promise<Date> {
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
    await jsm.streams.info(streamName);
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

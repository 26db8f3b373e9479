// The JetStream consumer. Each pull session first ensures stream and consumer: a pull on a deleted consumer would wait
// without end.

import { setTimeout as delay } from "node:timers/promises";
import type { JsMsg } from "nats";
import { type BackgroundLoop, type RunResult, startLoop } from "../../background.ts";
import type { Logger } from "../../log.ts";
import {
  batchMax,
  type DeadLetter,
  type EventHandler,
  handleBatch,
  type ReceivedEvent,
  type Subscription,
} from "../bus.ts";
import { isDeadLetter, readMessage, toMessage } from "../message.ts";
import type { Connection } from "./connection.ts";
import { consumerName, maxAckPending, maxDeliver, streamName } from "./topology.ts";

export interface SubscriptionOptions {
  readonly connection: Connection;
  readonly handler: EventHandler;
  /** Ensures that stream and consumer exist. */
  readonly ensure: () => Promise<void>;
  readonly log: Logger;
}

const retryMs = 200;
const backoffMaxMs = 5_000;
/** Heartbeat interval. A server that is silent for twice this time has lost the pull. */
const heartbeatMs = 1_000;
const pullMs = 5_000;
const redeliveryBackoffMaxMs = 300_000;
/** Nak delay while the handler is down; with a shorter one, this process would get the message again. */
const nakDelayMs = 1_000;
/** Time within which messages in flight arrive after a pull is closed. */
const inFlightMs = 100;

export class NatsSubscription implements Subscription {
  readonly #options: SubscriptionOptions;
  readonly #loop: BackgroundLoop;
  #session: PullSession | undefined;

  constructor(options: SubscriptionOptions) {
    this.#options = options;
    options.connection.onReconnect(() => this.#session?.end());
    const work = (signal: AbortSignal) => this.#run(signal);
    this.#loop = startLoop({ name: "consuming events", everyMs: retryMs, backoffMaxMs, log: options.log, work });
  }

  async stop(): Promise<void> {
    const stopped = this.#loop.stop();
    this.#session?.end();
    await stopped;
  }

  async #run(signal: AbortSignal): Promise<RunResult> {
    const { connection, handler, ensure, log } = this.#options;
    try {
      await connection.waitConnected(signal);
      if (signal.aborted) return "idle";
      await handler.ready();
      await connection.abortOnDisconnect(ensure());
      await this.#pull(signal);
      return "idle";
    } catch (error) {
      log.warn({ err: error }, "events cannot be consumed; retrying");
      return "failed";
    }
  }

  /** Handles deliveries until the session ends. */
  async #pull(signal: AbortSignal): Promise<void> {
    const session = new PullSession();
    this.#session = session;
    const { connection } = this.#options;
    const consumers = connection.get().jetstream().consumers;
    const consumer = await connection.abortOnDisconnect(consumers.get(streamName, consumerName));
    if (session.isOver || signal.aborted) return;
    const pull = await consumer.consume({
      max_messages: maxAckPending,
      expires: pullMs,
      idle_heartbeat: heartbeatMs,
      abort_on_missing_resource: true,
      callback: (message) => session.push(message),
    });
    const end = () => session.end();
    pull.closed().then(end, end);
    try {
      while (!session.isOver && !signal.aborted) await this.#handle(await session.next());
    } finally {
      await this.#nakUnhandled(session.messages);
      await pull.close();
    }
  }

  /** Naks queued messages and those in flight; otherwise redelivery would wait for the ack timeout. */
  async #nakUnhandled(messages: JsMsg[]): Promise<void> {
    for (let rounds = 0; rounds < 10; rounds++) {
      for (const message of messages.splice(0)) message.nak(nakDelayMs);
      await delay(inFlightMs);
      if (messages.length === 0) return;
    }
  }

  async #handle(messages: readonly JsMsg[]): Promise<void> {
    const { handler, log } = this.#options;
    const valid: { message: JsMsg; event: ReceivedEvent }[] = [];
    for (const message of messages) {
      const read = readMessage(toMessage(message));
      if (isDeadLetter(read)) await this.#deadLetter(message, read);
      else valid.push({ message, event: read });
    }
    if (valid.length === 0) return;
    const { failures, isDown } = await handleBatch(
      handler,
      valid.map(({ event }) => event),
    );
    for (const [index, { message, event }] of valid.entries()) {
      if (!failures.has(index)) message.ack();
      else if (isDown) message.nak(nakDelayMs);
      else await this.#nakOrDeadLetter(message, event, failures.get(index));
    }
    if (isDown) throw new Error("the event handler is not ready", { cause: failures.values().next().value });
    if (failures.size > 0) log.debug({ failed: failures.size }, "events will be redelivered");
  }

  async #nakOrDeadLetter(message: JsMsg, { id, applicationId }: ReceivedEvent, error: unknown): Promise<void> {
    const { deliveryCount } = message.info;
    this.#options.log.error({ err: error, event: id, applicationId, deliveryCount }, "an event was not handled");
    const backoffMs = Math.min(1_000 * 2 ** (deliveryCount - 1), redeliveryBackoffMaxMs);
    if (deliveryCount < maxDeliver) return message.nak(backoffMs);
    const reason = `not handled: ${String(error)}`;
    await this.#deadLetter(message, { ...toMessage(message), applicationId, id, reason });
  }

  async #deadLetter(message: JsMsg, deadLetter: DeadLetter): Promise<void> {
    try {
      await this.#options.handler.deadLetter(deadLetter);
      message.term();
    } catch (error) {
      this.#options.log.error({ err: error, reason: deadLetter.reason }, "a dead letter was not stored");
      message.nak(nakDelayMs);
    }
  }
}

/** Queue of the messages of one pull. The queue ends with the pull. */
class PullSession {
  readonly messages: JsMsg[] = [];
  #changed = Promise.withResolvers<void>();
  #isOver = false;

  get isOver(): boolean {
    return this.#isOver;
  }

  push(message: JsMsg): void {
    this.messages.push(message);
    this.#changed.resolve();
  }

  end(): void {
    this.#isOver = true;
    this.#changed.resolve();
  }

  /** Returns the next batch; empty when the session has ended. */
  async next(): Promise<readonly JsMsg[]> {
    while (this.messages.length === 0 && !this.#isOver) {
      await this.#changed.promise;
      this.#changed = Promise.withResolvers();
    }
    return this.#isOver ? [] : this.messages.splice(0, batchMax);
  }
}

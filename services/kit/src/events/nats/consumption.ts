// Taking events in from JetStream. Whatever ends a round of pulling (the consumer deleted, NATS gone and back, the database
// down), the next one makes sure of stream and consumer anew: a pull that waits for a consumer that is gone would wait for
// ever without a word.

import { setTimeout as delay } from "node:timers/promises";
import type { ConsumerMessages, JsMsg } from "nats";
import type { Logger } from "../../log.ts";
import { batchMax, type DeadLetter, type EventHandler, type ReceivedEvent, type Subscription } from "../bus.ts";
import { handleBatch } from "../handle-batch.ts";
import { isDead, readMessage } from "../message.ts";
import type { Connection } from "./connection.ts";
import { messageOf } from "./read.ts";
import { consumerName, maxAckPending, maxDeliver, streamName } from "./topology.ts";

export interface ConsumptionOptions {
  readonly connection: Connection;
  readonly consumer: EventHandler;
  /** Makes sure of stream and consumer. */
  readonly ensure: () => Promise<void>;
  readonly log: Logger;
}

const retryMs = 200;
const retryMaxMs = 5_000;
/** A server that says nothing for twice that long has lost the pull: it is asked whether the consumer is still there. */
const heartbeatMs = 1_000;
const pullMs = 5_000;
const pauseMaxMs = 300_000;
/** After that long others may take what we cannot; sooner it would come back to us. */
const giveBackMs = 1_000;
/** What the server sends in answer to a pull is here by then. */
const quietMs = 100;

/** The consumer can take in nothing for the time being. */
class ConsumerDown extends Error {
  override name = "ConsumerDown";
}

export class NatsConsumption implements Subscription {
  readonly #options: ConsumptionOptions;
  readonly #stopping = new AbortController();
  readonly #ran: Promise<void>;
  /** Ends the round of pulling that is on; set while one is. */
  #endRound: () => void = () => undefined;

  constructor(options: ConsumptionOptions) {
    this.#options = options;
    options.connection.onBack(() => this.#endRound());
    this.#ran = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#endRound();
    await this.#ran;
  }

  async #run(): Promise<void> {
    const { connection, consumer, ensure, log } = this.#options;
    const { signal } = this.#stopping;
    for (let waitMs = retryMs; !signal.aborted; waitMs = Math.min(waitMs * 2, retryMaxMs)) {
      try {
        await connection.waitUp(signal);
        if (signal.aborted) return;
        await consumer.ready();
        await connection.whileUp(ensure());
        await this.#pull();
        waitMs = retryMs;
      } catch (error) {
        log.warn({ err: error }, "events cannot be taken in; trying again");
      }
      await delay(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** One round: takes in what comes until something ends it. */
  async #pull(): Promise<void> {
    const waiting: JsMsg[] = [];
    const round = new Round();
    this.#endRound = () => round.end();
    const { connection } = this.#options;
    const source = await connection.whileUp(connection.get().jetstream().consumers.get(streamName, consumerName));
    if (round.isOver || this.#stopping.signal.aborted) return;
    const pulling: ConsumerMessages = await source.consume({
      max_messages: maxAckPending,
      expires: pullMs,
      idle_heartbeat: heartbeatMs,
      abort_on_missing_resource: true,
      callback: (message) => {
        waiting.push(message);
        round.wake();
      },
    });
    pulling.closed().then(
      () => round.end(),
      () => round.end(),
    );
    try {
      while (!round.isOver && !this.#stopping.signal.aborted) {
        if (waiting.length === 0) await round.woken();
        else await this.#take(waiting.splice(0, batchMax));
      }
    } finally {
      await this.#giveBack(waiting);
      await pulling.close();
    }
  }

  /** Gives back what is waiting and what is still on its way to us; unanswered it would come again only after 30 s. */
  async #giveBack(waiting: JsMsg[]): Promise<void> {
    for (let rounds = 0; rounds < 10; rounds++) {
      for (const message of waiting.splice(0)) message.nak(giveBackMs);
      await delay(quietMs);
      if (waiting.length === 0) return;
    }
  }

  async #take(messages: readonly JsMsg[]): Promise<void> {
    const { consumer, log } = this.#options;
    const good: { message: JsMsg; event: ReceivedEvent }[] = [];
    for (const message of messages) {
      const read = readMessage(messageOf(message));
      if (isDead(read)) await this.#deadLetter(message, read);
      else good.push({ message, event: read });
    }
    if (good.length === 0) return;
    const { failures, isDown } = await handleBatch(
      consumer,
      good.map(({ event }) => event),
    );
    for (const [at, { message, event }] of good.entries()) {
      if (!failures.has(at)) message.ack();
      else if (isDown) message.nak(giveBackMs);
      else await this.#postpone(message, event, failures.get(at));
    }
    if (isDown) throw new ConsumerDown("the consumer is down", { cause: failures.values().next().value });
    if (failures.size > 0) log.debug({ failed: failures.size }, "events come again");
  }

  /** The event is at fault, or we are: it comes again after a pause, and is put aside after the last time. */
  async #postpone(message: JsMsg, { id, applicationId }: ReceivedEvent, error: unknown): Promise<void> {
    const { deliveryCount } = message.info;
    this.#options.log.error({ err: error, event: id, applicationId, deliveryCount }, "an event was not taken in");
    if (deliveryCount < maxDeliver) return message.nak(Math.min(1_000 * 2 ** (deliveryCount - 1), pauseMaxMs));
    await this.#deadLetter(message, {
      ...messageOf(message),
      applicationId,
      id,
      reason: `not taken in: ${String(error)}`,
    });
  }

  async #deadLetter(message: JsMsg, dead: DeadLetter): Promise<void> {
    try {
      await this.#options.consumer.deadLetter(dead);
      message.term();
    } catch (error) {
      this.#options.log.error({ err: error, reason: dead.reason }, "a message could not be put aside");
      message.nak(1_000);
    }
  }
}

/** Tells whoever waits within a round of pulling that there is something, or that the round is over. */
class Round {
  #woken = Promise.withResolvers<void>();
  #isOver = false;

  get isOver(): boolean {
    return this.#isOver;
  }

  wake(): void {
    this.#woken.resolve();
  }

  end(): void {
    this.#isOver = true;
    this.#woken.resolve();
  }

  async woken(): Promise<void> {
    await this.#woken.promise;
    this.#woken = Promise.withResolvers();
  }
}

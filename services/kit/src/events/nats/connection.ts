// A connection to NATS that is there whenever NATS is: made in the background, and made again for ever.

import { setTimeout as delay } from "node:timers/promises";
import { connect, Events, type NatsConnection } from "nats";
import type { Logger } from "../../log.ts";
import { connectionOptions, describeConnectionFailure, isRefused, type NatsAccess } from "./access.ts";

export interface NatsOptions extends NatsAccess {
  readonly log: Logger;
}

const retryMs = 250;
const retryMaxMs = 5_000;
const drainMs = 2_000;

export class Connection {
  readonly #options: NatsOptions;
  readonly #opened: ((nc: NatsConnection) => void)[] = [];
  readonly #back: (() => void)[] = [];
  readonly #waiting = new Set<(reason: Error) => void>();
  readonly #closing = new AbortController();
  readonly #ran: Promise<void>;
  #nc: NatsConnection | undefined;
  #isConnected = false;
  #changed = Promise.withResolvers<void>();
  readonly #tried = Promise.withResolvers<void>();

  /**
   * Resolves after the first try, which takes 2 s at most; when that failed, it goes on trying.
   * Rejects when a file that a setting names cannot be used.
   */
  static async open(options: NatsOptions): Promise<Connection> {
    await connectionOptions(options);
    const connection = new Connection(options);
    await connection.#tried.promise;
    return connection;
  }

  private constructor(options: NatsOptions) {
    this.#options = options;
    this.#ran = this.#run();
  }

  /** The connection while it is up. */
  get live(): NatsConnection | undefined {
    return this.#isConnected ? this.#nc : undefined;
  }

  /** The connection; rejects while there is none. */
  get(): NatsConnection {
    const { live } = this;
    if (live === undefined) throw new Error("NATS is not connected");
    return live;
  }

  /** What `work` answers; rejects at once when NATS is gone meanwhile, instead of waiting for an answer in vain. */
  async whileUp<T>(work: Promise<T>): Promise<T> {
    const lost = Promise.withResolvers<never>();
    this.#waiting.add(lost.reject);
    try {
      return await Promise.race([work, lost.promise]);
    } finally {
      this.#waiting.delete(lost.reject);
    }
  }

  /** Calls `then` with each connection, now or when it is made. What is subscribed on it outlives its interruptions. */
  onOpen(then: (nc: NatsConnection) => void): void {
    this.#opened.push(then);
    if (this.#nc !== undefined) then(this.#nc);
  }

  /** Calls `then` whenever NATS is connected, again or at last; it may be another server than before. */
  onBack(then: () => void): void {
    this.#back.push(then);
  }

  /** Resolves when NATS is connected, or `signal` says not to wait on. */
  async waitUp(signal: AbortSignal): Promise<void> {
    if (this.live !== undefined || signal.aborted) return;
    const given = Promise.withResolvers<void>();
    signal.addEventListener("abort", () => given.resolve(), { once: true });
    while (this.live === undefined && !signal.aborted) await Promise.race([this.#changed.promise, given.promise]);
  }

  /** Sends out what is on its way, and ends. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#changed.resolve();
    // Draining a connection that is down would wait until it is back.
    const ending = this.live?.drain() ?? this.#nc?.close();
    const cut = setTimeout(() => void this.#nc?.close(), drainMs);
    await ending?.catch(() => undefined);
    await this.#ran;
    clearTimeout(cut);
  }

  async #run(): Promise<void> {
    for (let waitMs = retryMs; !this.#closing.signal.aborted; waitMs = Math.min(waitMs * 2, retryMaxMs)) {
      try {
        const nc = await connect(await connectionOptions(this.#options));
        if (this.#closing.signal.aborted) return await nc.close();
        waitMs = retryMs;
        this.#nc = nc;
        this.#set(true);
        for (const then of this.#opened) then(nc);
        for (const then of this.#back) then();
        this.#tried.resolve();
        await Promise.race([this.#watch(nc), nc.closed()]);
        this.#set(false);
        this.#nc = undefined;
      } catch (error) {
        const reason = describeConnectionFailure(error, this.#options);
        if (isRefused(error)) this.#options.log.error({ reason }, "NATS refuses us; events wait until it does not");
        else this.#options.log.warn({ reason }, "cannot connect to NATS; events wait until it is there");
        this.#tried.resolve();
      }
      await delay(waitMs, undefined, { signal: this.#closing.signal }).catch(() => undefined);
    }
  }

  async #watch(nc: NatsConnection): Promise<void> {
    const { log } = this.#options;
    for await (const { type, data, permissionContext } of nc.status()) {
      if (type === Events.Disconnect) {
        this.#set(false);
        log.warn("NATS is gone; events wait until it is back");
      } else if (type === Events.Reconnect) {
        this.#set(true);
        log.info("NATS is back");
        for (const then of this.#back) then();
      } else if (type === Events.Error) {
        log.warn({ reason: String(data), ...permissionContext }, "NATS refused something");
      }
    }
    await nc.closed();
  }

  #set(isConnected: boolean): void {
    this.#isConnected = isConnected;
    if (!isConnected) for (const reject of this.#waiting) reject(new Error("NATS is gone"));
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}

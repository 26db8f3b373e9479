// A connection to NATS that is opened in the background and reconnected without limit.

import { connect, Events, type NatsConnection } from "nats";
import { type BackgroundLoop, type RunResult, startLoop } from "../../background.ts";
import type { Logger } from "../../log.ts";
import { connectionOptions, describeConnectionFailure, isRefused, type NatsAccess } from "./access.ts";

export interface NatsOptions extends NatsAccess {
  readonly log: Logger;
}

const retryMs = 250;
const backoffMaxMs = 5_000;
const drainMs = 2_000;

export class Connection {
  readonly #options: NatsOptions;
  readonly #openListeners: ((nc: NatsConnection) => void)[] = [];
  readonly #reconnectListeners: (() => void)[] = [];
  readonly #pending = new Set<(reason: Error) => void>();
  readonly #firstAttempt = Promise.withResolvers<void>();
  readonly #loop: BackgroundLoop;
  #nc: NatsConnection | undefined;
  #isConnected = false;
  #changed = Promise.withResolvers<void>();

  /**
   * Resolves after the first attempt, at most 2 s; after a failure it keeps retrying. Rejects if a file that a setting
   * names is unusable.
   */
  static async open(options: NatsOptions): Promise<Connection> {
    await connectionOptions(options);
    const connection = new Connection(options);
    await connection.#firstAttempt.promise;
    return connection;
  }

  private constructor(options: NatsOptions) {
    this.#options = options;
    const work = (signal: AbortSignal) => this.#connect(signal);
    this.#loop = startLoop({ name: "connecting to NATS", everyMs: retryMs, backoffMaxMs, log: options.log, work });
  }

  /** Returns the connection; undefined while NATS is not connected. */
  get current(): NatsConnection | undefined {
    return this.#isConnected ? this.#nc : undefined;
  }

  /** Returns the connection; throws while NATS is not connected. */
  get(): NatsConnection {
    const { current } = this;
    if (current === undefined) throw new Error("NATS is not connected");
    return current;
  }

  /** Returns the result of `request`; rejects at once when NATS disconnects, instead of at the request's timeout. */
  async abortOnDisconnect<T>(request: Promise<T>): Promise<T> {
    const disconnected = Promise.withResolvers<never>();
    this.#pending.add(disconnected.reject);
    try {
      return await Promise.race([request, disconnected.promise]);
    } finally {
      this.#pending.delete(disconnected.reject);
    }
  }

  /** Calls `listener` with the connection, now or when it opens. Its subscriptions survive reconnects. */
  onOpen(listener: (nc: NatsConnection) => void): void {
    this.#openListeners.push(listener);
    if (this.#nc !== undefined) listener(this.#nc);
  }

  /** Calls `listener` at each connect, including the first. Each may lead to a different server. */
  onReconnect(listener: () => void): void {
    this.#reconnectListeners.push(listener);
  }

  /** Resolves when NATS is connected, or `signal` is aborted. */
  async waitConnected(signal: AbortSignal): Promise<void> {
    if (this.current !== undefined || signal.aborted) return;
    const aborted = Promise.withResolvers<void>();
    signal.addEventListener("abort", () => aborted.resolve(), { once: true });
    while (this.current === undefined && !signal.aborted) {
      await Promise.race([this.#changed.promise, aborted.promise]);
    }
  }

  /** Drains the connection, then closes it. */
  async close(): Promise<void> {
    const stopped = this.#loop.stop();
    this.#changed.resolve();
    // Without a connection there is nothing to drain: `drain` would wait for the reconnect.
    const closing = this.current?.drain() ?? this.#nc?.close();
    const forceClose = setTimeout(() => void this.#nc?.close(), drainMs);
    await closing?.catch(() => undefined);
    await stopped;
    clearTimeout(forceClose);
  }

  /** Connects, and returns when the connection is closed. */
  async #connect(signal: AbortSignal): Promise<RunResult> {
    const { log } = this.#options;
    try {
      const nc = await connect(await connectionOptions(this.#options));
      if (signal.aborted) {
        await nc.close();
        return "idle";
      }
      this.#nc = nc;
      this.#set(true);
      for (const listener of this.#openListeners) listener(nc);
      for (const listener of this.#reconnectListeners) listener();
      this.#firstAttempt.resolve();
      await Promise.race([this.#watch(nc), nc.closed()]);
      this.#set(false);
      this.#nc = undefined;
      return "idle";
    } catch (error) {
      const reason = describeConnectionFailure(error, this.#options);
      if (isRefused(error)) log.error({ reason }, "NATS refused the connection; events wait in the outboxes");
      else log.warn({ reason }, "cannot connect to NATS; events wait in the outboxes");
      this.#firstAttempt.resolve();
      return "failed";
    }
  }

  async #watch(nc: NatsConnection): Promise<void> {
    const { log } = this.#options;
    for await (const { type, data, permissionContext } of nc.status()) {
      if (type === Events.Disconnect) {
        this.#set(false);
        log.warn("NATS disconnected; events wait in the outboxes");
      } else if (type === Events.Reconnect) {
        this.#set(true);
        log.info("NATS reconnected");
        for (const listener of this.#reconnectListeners) listener();
      } else if (type === Events.Error) {
        log.warn({ reason: String(data), ...permissionContext }, "NATS reported an error");
      }
    }
    await nc.closed();
  }

  #set(isConnected: boolean): void {
    this.#isConnected = isConnected;
    if (!isConnected) for (const reject of this.#pending) reject(new Error("NATS disconnected"));
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}

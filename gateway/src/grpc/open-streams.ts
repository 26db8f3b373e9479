// Open streams: their number is limited separately from requests because they are long-lived.

import { type ConnectError, canceled, unavailable } from "@ems/kit/errors";
import { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";
import { gauge } from "@ems/kit/telemetry/metrics";
import { clientNetwork } from "../auth/client-address.ts";
import { rejection } from "../budget/index.ts";
import type { GatewayConfig } from "../config.ts";
import { countRejection } from "../telemetry.ts";
import type { Exchange } from "./exchange.ts";

const observeStreams = gauge({ name: "ems_grpc_streams", help: "Open streams of the gRPC port.", labels: [] });

type Settings = Pick<
  GatewayConfig,
  "STREAMS_MAX" | "STREAMS_PER_APPLICATION_MAX" | "STREAM_AGE_MAX_MS" | "STREAM_STALL_MS" | "STREAM_KEY_CHECK_MS"
>;

/** Spread of the maximum age, so that streams opened together after a restart do not all resume together. */
const ageJitter = 0.2;

export class OpenStreams {
  readonly #settings: Settings;
  readonly #limiter: TenantConcurrencyLimiter;
  /** Streams of clients without a key, such as health watches. */
  readonly #withoutKey: TenantConcurrencyLimiter;
  readonly #streams = new Set<OpenStream>();
  readonly #stopObserving: () => void;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#limiter = new TenantConcurrencyLimiter({
      max: settings.STREAMS_MAX,
      maxPerKey: settings.STREAMS_PER_APPLICATION_MAX,
      reject: rejection("streams", "Too many streams"),
    });
    this.#withoutKey = new TenantConcurrencyLimiter({
      max: settings.STREAMS_MAX,
      maxPerKey: settings.STREAMS_PER_APPLICATION_MAX,
      reject: rejection("streams_without_key", "Too many streams without a key", "address"),
    });
    this.#stopObserving = observeStreams(() => [{ labels: {}, value: this.#streams.size }]);
  }

  /** Takes a place until the exchange ends; `checkKey` rejects once the stream's key is no longer valid. */
  open(applicationId: string, exchange: Exchange, checkKey: () => Promise<void>): OpenStream {
    // The client disconnected during authentication, and its `close` event has already fired.
    if (exchange.response.closed || exchange.response.destroyed) throw canceled();
    this.#limiter.acquireNow(applicationId);
    const stream = new OpenStream(this.#settings, exchange, checkKey);
    this.#streams.add(stream);
    exchange.response.once("close", () => {
      this.#limiter.release(applicationId);
      this.#streams.delete(stream);
      stream.end(canceled());
    });
    return stream;
  }

  /** Takes a place in the separate limit of streams without a key, until the exchange ends. */
  openWithoutKey(address: string, { response }: Exchange): void {
    if (response.closed || response.destroyed) throw canceled();
    const network = clientNetwork(address);
    this.#withoutKey.acquireNow(network);
    response.once("close", () => this.#withoutKey.release(network));
  }

  /** Ends all streams when the process stops; clients resume at another process. */
  close(): void {
    this.#stopObserving();
    for (const stream of this.#streams)
      stream.end(unavailable("The server is restarting; resume the stream in a moment"));
  }
}

export class OpenStream {
  readonly #controller = new AbortController();
  readonly #exchange: Exchange;
  readonly #stallMs: number;
  readonly #age: NodeJS.Timeout;
  readonly #keyCheck: NodeJS.Timeout;

  constructor(
    { STREAM_AGE_MAX_MS: ageMs, STREAM_STALL_MS: stallMs, STREAM_KEY_CHECK_MS: keyCheckMs }: Settings,
    exchange: Exchange,
    checkKey: () => Promise<void>,
  ) {
    this.#exchange = exchange;
    this.#stallMs = stallMs;
    const endMs = ageMs * (1 - ageJitter * Math.random());
    this.#age = setTimeout(
      () => this.end(unavailable("The stream reached its maximum age; resume it now")),
      endMs,
    ).unref();
    const check = () => void checkKey().catch((error: ConnectError) => this.end(error));
    this.#keyCheck = setInterval(check, keyCheckMs).unref();
  }

  /** Aborted when the stream must end, with the client's error as its reason. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  end(reason: Error): void {
    if (this.signal.aborted) return;
    clearTimeout(this.#age);
    clearInterval(this.#keyCheck);
    this.#controller.abort(reason);
  }

  /**
   * Yields the messages, each after the client has read the previous ones. A client that reads nothing for long is
   * disconnected.
   */
  async *messages<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const message of source) {
      const stalled = setTimeout(() => this.#disconnect(), this.#stallMs).unref();
      try {
        yield message;
      } finally {
        clearTimeout(stalled);
      }
      this.signal.throwIfAborted();
    }
  }

  /** Resets the exchange, because its unread data would block any other response. */
  #disconnect(): void {
    countRejection({ reason: "stalled" });
    this.#exchange.reset();
  }
}

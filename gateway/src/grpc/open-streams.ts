// Open streams: how many there may be, and what ends one. They last, so they have places of their own beside requests.

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

/** How much earlier than others a stream may end: those that a restart opened at once do not come back at once. */
const ageJitter = 0.2;

export class OpenStreams {
  readonly #settings: Settings;
  readonly #limiter: TenantConcurrencyLimiter;
  /** Of clients without a key, such as those that watch the health. */
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

  /** Takes a place until the exchange has ended; `checkKey` rejects once the stream's key is not valid any more. */
  open(applicationId: string, exchange: Exchange, checkKey: () => Promise<void>): OpenStream {
    // Gone while it was authenticated: its end was told already.
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

  /** Takes a place beside those of applications, until the exchange has ended. */
  openWithoutKey(address: string, { response }: Exchange): void {
    if (response.closed || response.destroyed) throw canceled();
    const network = clientNetwork(address);
    this.#withoutKey.acquireNow(network);
    response.once("close", () => this.#withoutKey.release(network));
  }

  /** The process stops: clients resume at another one. */
  close(): void {
    this.#stopObserving();
    for (const stream of this.#streams) stream.end(unavailable("The server restarts; resume in a moment"));
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
    this.#age = setTimeout(() => this.end(unavailable("The stream is old; resume at once")), endMs).unref();
    const check = () => void checkKey().catch((error: ConnectError) => this.end(error));
    this.#keyCheck = setInterval(check, keyCheckMs).unref();
  }

  /** Aborted when the stream is to end, with the client's error as its reason. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  end(reason: Error): void {
    if (this.signal.aborted) return;
    clearTimeout(this.#age);
    clearInterval(this.#keyCheck);
    this.#controller.abort(reason);
  }

  /** The messages, each made when the client has taken those before; a client that takes nothing for long is disconnected. */
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

  /** What is unread holds up any other answer. */
  #disconnect(): void {
    countRejection({ reason: "stalled" });
    this.#exchange.reset();
  }
}

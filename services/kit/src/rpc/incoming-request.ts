import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { type ContextValues, createContextValues, type UnaryRequest } from "@connectrpc/connect";
import { callerKey, deadlineKey, platformCallerKey, tenantKey } from "./call.ts";
import type { Endpoint } from "./endpoints.ts";
import type { Caller } from "./tokens/claims.ts";

type HeadersSource = ConstructorParameters<typeof Headers>[0];

/** A call at the callee, as its transport creates it. */
export class IncomingRequest implements UnaryRequest {
  readonly stream = false;
  readonly requestMethod = "POST";
  readonly contextValues: ContextValues;
  readonly #endpoint: Endpoint;
  readonly #signal: LazySignal;
  readonly #header: HeadersSource;
  #headers: Headers | undefined;
  readonly message: MessageShape<DescMessage>;

  constructor(
    endpoint: Endpoint,
    caller: Caller | undefined,
    message: MessageShape<DescMessage>,
    header: HeadersSource,
    deadlineMs: number | undefined,
    signal: LazySignal,
  ) {
    this.#endpoint = endpoint;
    this.#signal = signal;
    this.message = message;
    this.#header = header;
    this.contextValues = createContextValues().set(deadlineKey, deadlineMs);
    if (caller === undefined) return;
    this.contextValues.set(callerKey, caller.name).set(tenantKey, caller.tenant);
    if (caller.platform !== undefined) this.contextValues.set(platformCallerKey, caller.platform);
  }

  /**
   * Created on first use: most reads use no header, and a Headers object costs more than the rest of an in-process
   * call.
   */
  get header() {
    this.#headers ??= this.#header instanceof Headers ? this.#header : new Headers(this.#header);
    return this.#headers;
  }

  get service() {
    return this.#endpoint.service;
  }

  get method() {
    return this.#endpoint.method;
  }

  get url() {
    return `/${this.service.typeName}/${this.method.name}`;
  }

  get signal() {
    return this.#signal.signal;
  }
}

/** An abort signal created on first use: an AbortController costs more than the rest of an in-process call. */
export class LazySignal {
  #controller: AbortController | undefined;
  #reason: unknown;
  #aborted = false;

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}

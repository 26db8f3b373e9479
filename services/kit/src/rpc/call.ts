// What a handler knows about the call that it answers. Interceptors find it out, one fact each, and leave it in the
// request's context values; `callOf` collects it.

import { createHash } from "node:crypto";
import { create, type DescMessage, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import {
  type ContextKey,
  type ContextValues,
  createContextKey,
  createContextValues,
  type UnaryRequest,
} from "@connectrpc/connect";
import { malformedCall } from "../errors.ts";
import type { Tenant } from "../tenant.ts";

export interface Call {
  /** Name of the calling process in the mesh's table. */
  readonly caller: string;
  /** Id of the request from outside that this call is part of. */
  readonly requestId: string;
  /** When the caller stops waiting, in milliseconds since 1970. */
  readonly deadlineMs: number;
  /** Aborted when the caller has gone or the deadline has passed. */
  readonly signal: AbortSignal;
  /** On whose behalf; a call without one is refused as soon as a handler asks. */
  readonly tenant: Tenant;
  /** Set when the caller may repeat the call and wants it to have one effect. */
  readonly idempotency?: Idempotency | undefined;
}

/** A call that may come more than once, and what is needed to know it again and to give the same answer. */
export interface Idempotency {
  /** The caller's own name for the call, unique within the application and the RPC. */
  readonly key: string;
  /** The RPC, `ems.catalog.v1.TopicService/CreateTopic`. */
  readonly rpc: string;
  /** A digest of the request: another request under the same key is told apart. */
  readonly fingerprint: Buffer;
  /** The RPC's answer as it is kept, */
  encode(answer: unknown): Buffer;
  /** and as it is given again. */
  decode(kept: Buffer): unknown;
  /** Says of the call that it is a repeat. */
  markReplayed(): void;
}

export const callerKey: ContextKey<string> = createContextKey("");
export const deadlineKey: ContextKey<number | undefined> = createContextKey<number | undefined>(undefined);
export const tenantKey: ContextKey<Tenant | undefined> = createContextKey<Tenant | undefined>(undefined);

/** Makes a call one on behalf of `tenant`: between processes the transport puts it into the caller's token. */
export function onBehalfOf(tenant: Tenant | undefined): ContextValues {
  return createContextValues().set(tenantKey, tenant);
}

export const requestIdHeader = "ems-request-id";
export const idempotencyKeyHeader = "ems-idempotency-key";
/** On an answer that was given before. */
export const replayedHeader = "ems-idempotency-replayed";

/** The part of the remaining time that a callee is given, so that the caller can still answer when it runs out. */
const forwardedShare = 0.9;

export function callOf(request: UnaryRequest): InterceptedCall {
  return new InterceptedCall(request);
}

export class InterceptedCall implements Call {
  readonly #request: UnaryRequest;
  /** Whether the answer is one that was given before. */
  isReplayed = false;

  constructor(request: UnaryRequest) {
    this.#request = request;
  }

  get caller() {
    return this.#request.contextValues.get(callerKey);
  }

  get requestId() {
    return this.#request.header.get(requestIdHeader) ?? "";
  }

  get deadlineMs() {
    const deadline = this.#request.contextValues.get(deadlineKey);
    if (deadline === undefined) throw malformedCall("A deadline is required");
    return deadline;
  }

  get signal() {
    return this.#request.signal;
  }

  get tenant() {
    const tenant = this.#request.contextValues.get(tenantKey);
    if (tenant === undefined) throw malformedCall(`${this.#request.method.name} is called on behalf of a tenant`);
    return tenant;
  }

  get idempotency(): Idempotency | undefined {
    const { header, service, method, message } = this.#request;
    const key = header.get(idempotencyKeyHeader);
    if (key === null) return undefined;
    return {
      key,
      rpc: `${service.typeName}/${method.name}`,
      fingerprint: createHash("sha256").update(toBinary(method.input, message)).digest(),
      // What a handler answers is what its method's output is made of.
      encode: (answer) =>
        Buffer.from(toBinary(method.output, create(method.output, answer as MessageInitShape<DescMessage>))),
      decode: (kept) => fromBinary(method.output, kept),
      markReplayed: () => {
        this.isReplayed = true;
      },
    };
  }
}

/** How long the caller of `call` still waits, in milliseconds; 0 when it does not any more. */
export function remainingMs({ deadlineMs }: Call): number {
  return Math.max(0, deadlineMs - Date.now());
}

/** Options for a call to a peer that is part of answering `call`: same tenant, same request, a smaller deadline. */
export function forward(call: Call) {
  return {
    contextValues: onBehalfOf(call.tenant),
    headers: { [requestIdHeader]: call.requestId },
    timeoutMs: Math.max(1, Math.floor(remainingMs(call) * forwardedShare)),
    signal: call.signal,
  };
}

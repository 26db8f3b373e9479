// What a handler knows about its call: context values set by transports, and headers.

import { createHash } from "node:crypto";
import { create, type DescMessage, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import {
  type ContextKey,
  type ContextValues,
  createContextKey,
  createContextValues,
  type UnaryRequest,
} from "@connectrpc/connect";
import { monotonicMs } from "../clock.ts";
import { malformedCall } from "../errors.ts";
import type { NewId } from "../id.ts";
import type { Tenant } from "../tenant.ts";
import { type IfMatch, ifMatchHeader, readIfMatch } from "./etag.ts";
import { idempotencyKeyHeader, readIdempotencyKey } from "./idempotency-key.ts";
import type { PlatformCaller } from "./platform/callers.ts";

export interface Call {
  /** Name of the calling process in the mesh's table, or of the platform caller. */
  readonly caller: string;
  /** Id of the request from outside that this call is part of. */
  readonly requestId: string;
  /** By `monotonicMs`. */
  readonly deadlineMs: number;
  /** Aborted when the caller cancels or the deadline passes. */
  readonly signal: AbortSignal;
  /** On whose behalf; reading it throws when there is none. */
  readonly tenant: Tenant;
  /** Who is behind the call, where somebody is. */
  readonly actor?: Actor | undefined;
  /** Set when the call has an idempotency key. */
  readonly idempotency?: Idempotency | undefined;
  /** The versions that the call may change, where it names them. */
  readonly ifMatch?: IfMatch | undefined;
  /** Names the stored version in the answer. */
  answerEtag?(etag: string): void;
}

/** A call of the process itself, in the background. */
export function backgroundCall(
  { applicationId, orgId }: Pick<Tenant, "applicationId" | "orgId">,
  timeoutMs: number,
): Call {
  const tenant = { applicationId, orgId, userId: "", isBackground: true } as const;
  const [deadlineMs, signal] = [monotonicMs() + timeoutMs, AbortSignal.timeout(timeoutMs)];
  return { caller: "", requestId: "", tenant, deadlineMs, signal };
}

/** Whose request a call is part of, and which RPC it calls. */
export interface Actor {
  /** `ems.catalog.v1.TopicService/CreateTopic` */
  readonly operation: string;
  /** The API key that the request has shown; a member's session has none. */
  readonly keyId?: string;
  /** The platform caller, which has no key. */
  readonly caller?: string;
}

/** An idempotency key, and what is needed to recognise and replay its call. */
export interface Idempotency {
  /** Unique within the application and the RPC. */
  readonly key: string;
  /** The RPC, `ems.catalog.v1.TopicService/CreateTopic`. */
  readonly rpc: string;
  /** A digest of the request, which detects another request under the same key. */
  readonly fingerprint: Buffer;
  /** The response, serialized for storage. */
  encode(response: unknown): Buffer;
  decode(stored: Buffer): unknown;
  /** The ETag of the response, once its work has ended. */
  etag(): string | undefined;
  /** Marks the response as a replay, with the ETag that it had. */
  markReplayed(etag: string | undefined): void;
}

export const callerKey: ContextKey<string> = createContextKey("");
/** Set on calls of platform callers. */
export const platformCallerKey: ContextKey<PlatformCaller | undefined> = createContextKey<PlatformCaller | undefined>(
  undefined,
);
export const deadlineKey: ContextKey<number | undefined> = createContextKey<number | undefined>(undefined);
export const tenantKey: ContextKey<Tenant | undefined> = createContextKey<Tenant | undefined>(undefined);

/** Context values of a call on behalf of `tenant`; between processes it travels in the caller's token. */
export function onBehalfOf(tenant: Tenant | undefined): ContextValues {
  return createContextValues().set(tenantKey, tenant);
}

export const requestIdHeader = "x-request-id";
const requestIdPattern = /^[A-Za-z0-9._:+/=-]{1,128}$/;

/** A client's request id is kept when it is safe in logs and headers. */
export function requestIdOf(requestId: unknown, newId: NewId): string {
  return typeof requestId === "string" && requestIdPattern.test(requestId) ? requestId : newId();
}

/** The share of the remaining time that a callee gets: the caller can still answer after the callee's deadline. */
const forwardedShare = 0.9;

export class InterceptedCall implements Call {
  readonly #request: UnaryRequest;
  /** Whether the response is a replay. */
  isReplayed = false;
  /** Of the response. */
  etag: string | undefined;

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
    if (deadline === undefined) throw malformedCall("DEADLINE_MISSING", "A deadline is required");
    return deadline;
  }

  get signal() {
    return this.#request.signal;
  }

  get tenant() {
    const tenant = this.#request.contextValues.get(tenantKey);
    if (tenant === undefined)
      throw malformedCall("TENANT_MISSING", `${this.#request.method.name} is called on behalf of a tenant`);
    return tenant;
  }

  get actor(): Actor | undefined {
    const { contextValues, service, method } = this.#request;
    const { keyId, memberId } = contextValues.get(tenantKey) ?? {};
    const caller = contextValues.get(platformCallerKey)?.name;
    if (keyId === undefined && memberId === undefined && caller === undefined) return undefined;
    const operation = `${service.typeName}/${method.name}`;
    return { operation, ...(keyId !== undefined && { keyId }), ...(caller !== undefined && { caller }) };
  }

  get ifMatch(): IfMatch | undefined {
    return readIfMatch(this.#request.header.get(ifMatchHeader) ?? undefined).ifMatch;
  }

  answerEtag(etag: string): void {
    this.etag = etag;
  }

  get idempotency(): Idempotency | undefined {
    const { header, service, method, message } = this.#request;
    const { key } = readIdempotencyKey(header.get(idempotencyKeyHeader) ?? undefined);
    if (key === undefined) return undefined;
    return {
      key,
      rpc: `${service.typeName}/${method.name}`,
      fingerprint: createHash("sha256").update(toBinary(method.input, message)).digest(),
      encode: (response) =>
        Buffer.from(toBinary(method.output, create(method.output, response as MessageInitShape<DescMessage>))),
      decode: (stored) => fromBinary(method.output, stored),
      etag: () => this.etag,
      markReplayed: (etag) => {
        this.isReplayed = true;
        this.etag = etag;
      },
    };
  }
}

/** Whole milliseconds until the deadline; 0 after it. Timers refuse parts of one, and a gRPC call's deadline has them. */
export function remainingMs({ deadlineMs }: Call): number {
  return Math.max(0, Math.floor(deadlineMs - monotonicMs()));
}

/** Options of a call to a peer on behalf of `call`: same tenant and request id, a shorter deadline. */
export function forward(call: Call) {
  return {
    contextValues: onBehalfOf(call.tenant),
    headers: { [requestIdHeader]: call.requestId },
    timeoutMs: Math.max(1, Math.floor(remainingMs(call) * forwardedShare)),
    signal: call.signal,
  };
}

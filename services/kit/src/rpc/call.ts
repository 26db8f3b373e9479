// Properties of a handler's call: context values set by transports, and headers.

import { createHash } from "node:crypto";
import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type ContextKey,
  type ContextValues,
  createContextKey,
  createContextValues,
  type UnaryRequest,
} from "@connectrpc/connect";
import { monotonicMs } from "../clock.ts";
import { decodeMessage, encodeMessage } from "../codec.ts";
import { malformedCall } from "../errors.ts";
import type { NewId } from "../id.ts";
import type { Tenant } from "../tenant.ts";
import { type IfMatch, ifMatchHeader, readIfMatch } from "./etag.ts";
import { idempotencyKeyHeader, readIdempotencyKey } from "./idempotency-key.ts";
import type { PlatformCaller } from "./platform/callers.ts";

export interface Call {
  /** Name of the calling process in the mesh's table, or of the platform caller. */
  readonly caller: string;
  /** Id of the external request that this call is part of. */
  readonly requestId: string;
  /** Deadline in `monotonicMs`. */
  readonly deadlineMs: number;
  /** Aborted when the caller cancels or the deadline passes. */
  readonly signal: AbortSignal;
  /** Tenant of the call; reading it throws if there is none. */
  readonly tenant: Tenant;
  /** Actor behind the call, if any. */
  readonly actor?: Actor | undefined;
  /** Set when the call has an idempotency key. */
  readonly idempotency?: Idempotency | undefined;
  /** Versions that the call may change, from its If-Match header. */
  readonly ifMatch?: IfMatch | undefined;
  /** Adds the stored version to the response, as its ETag. */
  answerEtag?(etag: string): void;
}

/** Creates the call for background work of the process itself. */
export function backgroundCall(
  { applicationId, orgId }: Pick<Tenant, "applicationId" | "orgId">,
  timeoutMs: number,
): Call {
  const tenant = { applicationId, orgId, userId: "", isBackground: true } as const;
  const [deadlineMs, signal] = [monotonicMs() + timeoutMs, AbortSignal.timeout(timeoutMs)];
  return { caller: "", requestId: "", tenant, deadlineMs, signal };
}

/** Actor of the request that a call is part of, and the called RPC. */
export interface Actor {
  /** The called RPC: `ems.catalog.v1.TopicService/CreateTopic`. */
  readonly operation: string;
  /** API key of the request; a member's session has none. */
  readonly keyId?: string;
  /** Platform caller, which has no key. */
  readonly caller?: string;
}

/** An idempotency key, and the data to recognize and replay its call. */
export interface Idempotency {
  /** Unique within the application and the RPC. */
  readonly key: string;
  /** The RPC, `ems.catalog.v1.TopicService/CreateTopic`. */
  readonly rpc: string;
  /** Digest of the request, which detects a different request with the same key. */
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
/** Key of the platform caller in the context of its calls. */
export const platformCallerKey: ContextKey<PlatformCaller | undefined> = createContextKey<PlatformCaller | undefined>(
  undefined,
);
export const deadlineKey: ContextKey<number | undefined> = createContextKey<number | undefined>(undefined);
export const tenantKey: ContextKey<Tenant | undefined> = createContextKey<Tenant | undefined>(undefined);

/** Context values of a call for `tenant`; between processes the tenant is in the caller's token. */
export function createTenantContext(tenant: Tenant | undefined): ContextValues {
  return createContextValues().set(tenantKey, tenant);
}

export const requestIdHeader = "x-request-id";
const requestIdPattern = /^[A-Za-z0-9._:+/=-]{1,128}$/;

/** Uses a client's request id if it is safe in logs and headers; otherwise creates one. */
export function chooseRequestId(requestId: unknown, newId: NewId): string {
  return typeof requestId === "string" && requestIdPattern.test(requestId) ? requestId : newId();
}

/** Share of the remaining time that a callee gets, so that the caller can still respond after the callee's deadline. */
const forwardedShare = 0.9;

export class InterceptedCall implements Call {
  readonly #request: UnaryRequest;
  /** True if the response is a replay. */
  isReplayed = false;
  /** ETag of the response. */
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
      throw malformedCall("TENANT_MISSING", `${this.#request.method.name} must be called on behalf of a tenant`);
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
      fingerprint: createHash("sha256").update(encodeMessage(method.input, message)).digest(),
      encode: (response) =>
        Buffer.from(encodeMessage(method.output, create(method.output, response as MessageInitShape<DescMessage>))),
      decode: (stored) => decodeMessage(method.output, stored),
      etag: () => this.etag,
      markReplayed: (etag) => {
        this.isReplayed = true;
        this.etag = etag;
      },
    };
  }
}

/**
 * Whole milliseconds until the deadline; 0 after it. Rounded, since a gRPC call's deadline has fractions that timers
 * reject.
 */
export function remainingMs({ deadlineMs }: Call): number {
  return Math.max(0, Math.floor(deadlineMs - monotonicMs()));
}

/** Returns options to call a peer within `call`: the same tenant and request id, a shorter deadline. */
export function forward(call: Call) {
  return {
    contextValues: createTenantContext(call.tenant),
    headers: { [requestIdHeader]: call.requestId },
    timeoutMs: Math.max(1, Math.floor(remainingMs(call) * forwardedShare)),
    signal: call.signal,
  };
}

import type { DescMethod } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type Interceptor, type StreamRequest, type UnaryRequest } from "@connectrpc/connect";
import { type Clock, clockFault, monotonicMs, systemClock } from "../clock.ts";
import { deadlineExceeded, forbidden, internalError, invalidRequest, malformedCall, unavailable } from "../errors.ts";
import { findViolations } from "../json/validate.ts";
import { requestLoad } from "../limits/request-load.ts";
import type { Logger } from "../log.ts";
import { observeCall, spanInterceptor } from "../telemetry/rpc.ts";
import { isTracing } from "../telemetry/trace.ts";
import { type Work, watchdog } from "../telemetry/watchdog.ts";
import { callerKey, deadlineKey, requestIdHeader, tenantKey } from "./call.ts";
import { hasEtag, ifMatchHeader, invalidIfMatch, readIfMatch } from "./etag.ts";
import { notRunHeader } from "./grpc-metadata.ts";
import { idempotencyKeyHeader, invalidIdempotencyKey, readIdempotencyKey } from "./idempotency-key.ts";

export interface ServiceInterceptorOptions {
  /** Processes that may call the service. */
  readonly callers: readonly string[];
  readonly log: Logger;
  readonly clock?: Clock;
  /** Converts a cause to an error for callers; undefined for an internal error. */
  readonly explain?: (cause: unknown) => ConnectError | undefined;
}

/** The interceptors of every service, outermost first, whatever the transport. */
export function serviceInterceptors(options: ServiceInterceptorOptions): Interceptor[] {
  const { callers, clock = systemClock } = options;
  return [...(isTracing() ? [spanInterceptor] : []), observe(options), refuseWhileSkewed(clock), check(callers)];
}

/**
 * Records metrics and a log line for each call. Errors from outside errors.ts become internal errors, whose cause is
 * only logged.
 */
function observe({ log, explain }: ServiceInterceptorOptions): Interceptor {
  return (next) => async (request) => {
    const startedMs = performance.now();
    let error: ConnectError | undefined;
    // Excludes streams, which stay open for hours.
    const isRequest = !request.stream && request.contextValues.get(tenantKey)?.isBackground !== true;
    if (isRequest) requestLoad.begin();
    try {
      return await watchdog.watch(toWork(request), () => next(request));
    } catch (cause) {
      error = cause instanceof ConnectError ? cause : (explain?.(cause) ?? internalError(cause));
      throw error;
    } finally {
      if (isRequest) requestLoad.end();
      const ms = performance.now() - startedMs;
      observeCall(request.method, error, ms);
      logCall(log, request, error, ms);
    }
  };
}

/** A call within this process is part of a request whose route is already known. */
function toWork({ service, method, header, contextValues }: UnaryRequest | StreamRequest): Work {
  const around = watchdog.work;
  return {
    ...around,
    rpc: `${service.typeName}/${method.name}`,
    requestId: around?.requestId ?? header.get(requestIdHeader) ?? undefined,
    applicationId: contextValues.get(tenantKey)?.applicationId,
  };
}

/** Records a call that was refused before it reached these interceptors. */
export function observeRefusal(log: Logger, request: UnaryRequest, error: ConnectError, ms: number): void {
  observeCall(request.method, error, ms);
  logCall(log, request, error, ms);
}

/** A process with a wrong clock runs no call. Another process may run the call, or this process may run it later. */
function refuseWhileSkewed(clock: Clock): Interceptor {
  return (next) => (request) => {
    const fault = clockFault(clock);
    if (fault === undefined) return next(request);
    const refusal = unavailable(undefined, new Error(fault));
    refusal.metadata.set(notRunHeader, "true");
    throw refusal;
  };
}

/**
 * The transport has authenticated the caller. Services also check the rules, since the gateway is not the only caller.
 */
function check(callers: readonly string[]): Interceptor {
  return (next) => (request) => {
    // Rejects callers that the mesh's table does not list.
    if (!callers.includes(request.contextValues.get(callerKey))) {
      throw forbidden("CALLER_FORBIDDEN", "This caller may not call this service");
    }
    const deadlineMs = request.contextValues.get(deadlineKey);
    if (deadlineMs === undefined) throw malformedCall("DEADLINE_MISSING", "A deadline is required");
    if (deadlineMs <= monotonicMs()) throw deadlineExceeded();
    const violations = request.stream ? [] : findViolations(request.method.input, request.message);
    if (violations.length > 0) throw invalidRequest(violations);
    // Reject a malformed key: otherwise its caller would believe that the call is repeatable.
    if (!isReadOnly(request.method)) {
      const key = request.header.get(idempotencyKeyHeader) ?? undefined;
      if (readIdempotencyKey(key).issue !== undefined) throw invalidIdempotencyKey();
      // Reject a malformed precondition, because a precondition must never be ignored.
      if (hasEtag(request.method) && readIfMatch(request.header.get(ifMatchHeader) ?? undefined).issue !== undefined)
        throw invalidIfMatch();
    }
    return next(request);
  };
}

/** Codes of failures on the server's side. */
const serverFailures: ReadonlySet<Code> = new Set([
  Code.Internal,
  Code.Unknown,
  Code.DataLoss,
  Code.Unavailable,
  Code.DeadlineExceeded,
]);

/** Logs one line per call, with outcome and time, and with the cause of a server failure. */
function logCall(
  log: Logger,
  request: UnaryRequest | StreamRequest,
  error: ConnectError | undefined,
  durationMs: number,
): void {
  const isFailure = error !== undefined && serverFailures.has(error.code);
  if (!isFailure && !log.isLevelEnabled("info")) return;
  const line = {
    rpc: `${request.service.typeName}/${request.method.name}`,
    caller: request.contextValues.get(callerKey),
    requestId: request.header.get(requestIdHeader) ?? undefined,
    code: error === undefined ? "ok" : Code[error.code],
    ms: Math.round(durationMs * 1000) / 1000,
  };
  if (error === undefined) log.info(line, "rpc");
  else if (isFailure) log.error({ ...line, reason: error.message, err: error.cause ?? error }, "rpc failed");
  else log.info({ ...line, reason: error.message }, "rpc refused");
}

/** Returns true if the RPC only reads. */
function isReadOnly(method: DescMethod): boolean {
  return method.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
}

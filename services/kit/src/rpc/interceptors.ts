import { ConnectError, type Interceptor } from "@connectrpc/connect";
import { databaseError } from "../db/errors.ts";
import { deadlineExceeded, forbidden, internalError, invalidRequest, malformedCall } from "../errors.ts";
import { findViolations } from "../json/validate.ts";
import type { Logger } from "../log.ts";
import { metricsInterceptor, spanInterceptor } from "../telemetry/rpc.ts";
import { callerKey, deadlineKey } from "./call.ts";
import { logInterceptor } from "./log-interceptor.ts";

export interface ServiceInterceptorOptions {
  /** Processes that may call. */
  readonly callers: readonly string[];
  readonly log: Logger;
}

/** The interceptors of every service, outermost first, whatever the transport. */
export function serviceInterceptors({ callers, log }: ServiceInterceptorOptions): Interceptor[] {
  return [
    metricsInterceptor(),
    spanInterceptor(),
    authorizeCaller(callers),
    requireDeadline,
    logInterceptor(log),
    validateRequest,
    convertErrors,
  ];
}

/** Refuses callers that the mesh's table does not list. The transport has authenticated the caller. */
function authorizeCaller(callers: readonly string[]): Interceptor {
  return (next) => (request) => {
    if (callers.includes(request.contextValues.get(callerKey))) return next(request);
    return Promise.reject(forbidden("This caller may not call this service"));
  };
}

const requireDeadline: Interceptor = (next) => (request) => {
  const deadlineMs = request.contextValues.get(deadlineKey);
  if (deadlineMs === undefined) return Promise.reject(malformedCall("A deadline is required"));
  if (deadlineMs <= Date.now()) return Promise.reject(deadlineExceeded());
  return next(request);
};

/** Services check the rules too, since not every caller is the gateway. */
const validateRequest: Interceptor = (next) => (request) => {
  if (request.stream) return next(request);
  const violations = findViolations(request.method.input, request.message);
  return violations.length === 0 ? next(request) : Promise.reject(invalidRequest(violations));
};

/** Errors that errors.ts did not make become internal errors, whose cause only the log has. */
const convertErrors: Interceptor = (next) => async (request) => {
  try {
    return await next(request);
  } catch (cause) {
    if (cause instanceof ConnectError) throw cause;
    throw databaseError(cause) ?? internalError(cause);
  }
};

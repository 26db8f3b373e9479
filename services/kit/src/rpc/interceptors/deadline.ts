import type { Interceptor } from "@connectrpc/connect";
import { deadlineExceeded, malformedCall } from "../../errors.ts";
import { deadlineKey } from "../call.ts";

/** Refuses a call without a deadline, and one whose deadline has passed: its answer would reach nobody. */
export function deadlineInterceptor(): Interceptor {
  return (next) => (request) => {
    const deadlineMs = request.contextValues.get(deadlineKey);
    if (deadlineMs === undefined) return Promise.reject(malformedCall("A deadline is required"));
    if (deadlineMs <= Date.now()) return Promise.reject(deadlineExceeded());
    return next(request);
  };
}

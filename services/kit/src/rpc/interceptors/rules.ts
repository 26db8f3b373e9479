import type { Interceptor } from "@connectrpc/connect";
import { invalidRequest } from "../../errors.ts";
import { findViolations } from "../../json/validate.ts";

/** Refuses a request that breaks the rules of its message: callers inside the mesh are held to the contract as well. */
export function rulesInterceptor(): Interceptor {
  return (next) => (request) => {
    if (request.stream) return next(request);
    const broken = findViolations(request.method.input, request.message);
    return broken.length === 0 ? next(request) : Promise.reject(invalidRequest(broken));
  };
}

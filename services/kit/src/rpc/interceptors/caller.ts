import type { Interceptor } from "@connectrpc/connect";
import { forbidden } from "../../errors.ts";
import { callerKey } from "../call.ts";

/**
 * Refuses everybody but `callers`, the processes that the mesh's table lets call this service. Who calls was found out by
 * the transport: by a token (tokens/verify.ts), or in one process by who was given the transport.
 */
export function callerInterceptor(callers: readonly string[]): Interceptor {
  return (next) => (request) => {
    if (callers.includes(request.contextValues.get(callerKey))) return next(request);
    return Promise.reject(forbidden("This caller may not call this service"));
  };
}

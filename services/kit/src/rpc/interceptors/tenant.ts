import type { Interceptor } from "@connectrpc/connect";
import { readTenant } from "../../tenant.ts";
import { tenantKey } from "../call.ts";

/** Finds out on whose behalf the call is made. Whether it must be on somebody's, the handler says by asking. */
export function tenantInterceptor(): Interceptor {
  return (next) => (request) => {
    request.contextValues.set(tenantKey, readTenant(request.header));
    return next(request);
  };
}

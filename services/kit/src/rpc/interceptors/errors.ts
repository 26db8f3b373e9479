import { ConnectError, type Interceptor } from "@connectrpc/connect";
import { databaseError } from "../../db/errors.ts";
import { internalError } from "../../errors.ts";

/** Turns whatever a handler throws into one of our errors: what is not expected becomes a internalError, its cause kept for the log. */
export function errorsInterceptor(): Interceptor {
  return (next) => async (request) => {
    try {
      return await next(request);
    } catch (cause) {
      if (cause instanceof ConnectError) throw cause;
      throw databaseError(cause) ?? internalError(cause);
    }
  };
}

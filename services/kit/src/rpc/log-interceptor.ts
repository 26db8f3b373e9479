import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import type { Logger } from "../log.ts";
import { callerKey, requestIdHeader } from "./call.ts";

/** Codes of failures on the server's side. */
const serverFailures: ReadonlySet<Code> = new Set([
  Code.Internal,
  Code.Unknown,
  Code.DataLoss,
  Code.Unavailable,
  Code.DeadlineExceeded,
]);

/** Logs one line a call, with outcome and time, and with the cause of a server failure. */
export function logInterceptor(log: Logger): Interceptor {
  return (next) => async (request) => {
    const startedMs = performance.now();
    const line = (code: string) => ({
      rpc: `${request.service.typeName}/${request.method.name}`,
      caller: request.contextValues.get(callerKey),
      requestId: request.header.get(requestIdHeader) ?? undefined,
      code,
      ms: Math.round((performance.now() - startedMs) * 1000) / 1000,
    });
    try {
      const response = await next(request);
      if (log.isLevelEnabled("info")) log.info(line("ok"), "rpc");
      return response;
    } catch (error) {
      const code = error instanceof ConnectError ? error.code : Code.Internal;
      const isError = error instanceof Error;
      const fields = { ...line(Code[code] ?? String(code)), reason: isError ? error.message : undefined };
      if (serverFailures.has(code)) {
        log.error({ ...fields, err: isError ? (error.cause ?? error) : error }, "rpc failed");
      } else log.info(fields, "rpc refused");
      throw error;
    }
  };
}

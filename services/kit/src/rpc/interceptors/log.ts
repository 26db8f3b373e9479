import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import type { Logger } from "../../log.ts";
import { callerKey, requestIdHeader } from "../call.ts";

/** Codes that speak of our own side, not of the request. */
const ours: ReadonlySet<Code> = new Set([
  Code.Internal,
  Code.Unknown,
  Code.DataLoss,
  Code.Unavailable,
  Code.DeadlineExceeded,
]);

/** One line a call, with its outcome and time; a defect with its cause. */
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
      const told = { ...line(Code[code] ?? String(code)), reason: error instanceof Error ? error.message : undefined };
      if (ours.has(code))
        log.error({ ...told, err: error instanceof Error ? (error.cause ?? error) : error }, "rpc failed");
      else log.info(told, "rpc refused");
      throw error;
    }
  };
}

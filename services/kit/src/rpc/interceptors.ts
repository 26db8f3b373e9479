import type { Interceptor } from "@connectrpc/connect";
import type { Logger } from "../log.ts";
import { metricsInterceptor } from "../telemetry/rpc.ts";
import { spanInterceptor } from "../telemetry/rpc-spans.ts";
import { callerInterceptor } from "./interceptors/caller.ts";
import { deadlineInterceptor } from "./interceptors/deadline.ts";
import { errorsInterceptor } from "./interceptors/errors.ts";
import { logInterceptor } from "./interceptors/log.ts";
import { rulesInterceptor } from "./interceptors/rules.ts";

export interface ServiceInterceptorOptions {
  /** Processes that may call. */
  readonly callers: readonly string[];
  readonly log: Logger;
}

/** What every call to a service passes, outermost first, whatever the transport. */
export function serviceInterceptors({ callers, log }: ServiceInterceptorOptions): Interceptor[] {
  return [
    metricsInterceptor(),
    spanInterceptor(),
    callerInterceptor(callers),
    deadlineInterceptor(),
    logInterceptor(log),
    rulesInterceptor(),
    errorsInterceptor(),
  ];
}

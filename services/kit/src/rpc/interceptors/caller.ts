// Who calls: the name of a process in the mesh's table, proven by a token that only holders of the mesh's secret can
// make. Services trust the tenant that a caller names, so they must know that it is one of them.

import { createHmac, timingSafeEqual } from "node:crypto";
import type { Interceptor } from "@connectrpc/connect";
import { forbidden } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import { callerKey } from "../call.ts";

const nameHeader = "ems-caller";
const tokenHeader = "ems-caller-token";

/** The headers by which `name` proves itself. */
export function callerHeaders(name: string, secret: string): Record<string, string> {
  return { [nameHeader]: name, [tokenHeader]: token(name, secret) };
}

/** Refuses everybody but `callers`, the processes that the mesh's table lets call this service. */
export function callerInterceptor(callers: readonly string[], secret: string, log: Logger): Interceptor {
  const tokens = new Map(callers.map((name) => [name, Buffer.from(token(name, secret))]));
  return (next) => (request) => {
    const name = request.header.get(nameHeader) ?? "";
    const expected = tokens.get(name);
    const given = Buffer.from(request.header.get(tokenHeader) ?? "");
    if (expected === undefined || given.length !== expected.length || !timingSafeEqual(given, expected)) {
      log.warn({ rpc: request.method.name, caller: expected === undefined ? "unknown" : name }, "caller refused");
      return Promise.reject(forbidden("This caller may not call this service"));
    }
    request.contextValues.set(callerKey, name);
    return next(request);
  };
}

function token(name: string, secret: string): string {
  return createHmac("sha256", secret).update(`ems-caller:${name}`).digest("base64url");
}

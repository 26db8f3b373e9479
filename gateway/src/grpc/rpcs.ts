// The RPCs of the gRPC port that are routes, and OpenTelemetry's.

import type { Route } from "../rest/routes.ts";
import { otlpRpcs } from "./otlp.ts";
import type { PublicUnary } from "./public-rpc.ts";

export function publicRpcs(routes: readonly Route[]): PublicUnary[] {
  // Additional bindings are other paths of the same RPC.
  const own = routes.filter(({ aliasOf }) => aliasOf === undefined);
  return [...own.map((route) => ({ kind: "unary", method: route.method, route }) as const), ...otlpRpcs(routes)];
}

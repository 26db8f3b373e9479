// RPCs of the gRPC port: the routes, OpenTelemetry's, and streams.

import { getOption } from "@bufbuild/protobuf";
import { grpc } from "@ems/proto/rest/v1/rest";
import { services } from "@ems/proto/services";
import type { GatewayConfig } from "../config.ts";
import type { Route } from "../rest/routes.ts";
import { otlpRpcs } from "./otlp.ts";
import type { PublicRpc, PublicStream } from "./public-rpc.ts";
import { watchRpc } from "./watch.ts";

/**
 * Lists the RPCs. Throws when a public RPC of the contract is missing, so that the process does not start without it.
 */
export function publicRpcs(routes: readonly Route[], config: GatewayConfig): PublicRpc[] {
  // Skips additional bindings, which are other paths of the same RPC.
  const own = routes.filter(({ primaryRoute }) => primaryRoute === undefined);
  const unary = own.map((route) => ({ kind: "unary", method: route.method, route }) as const);
  return [...unary, ...otlpRpcs(routes), ...served([watchRpc(config)])];
}

function served(streams: readonly PublicStream[]): readonly PublicStream[] {
  const declared = services.flatMap((service) => service.methods).filter((method) => getOption(method, grpc));
  const missing = declared.filter((method) => !streams.some((stream) => stream.method === method));
  if (missing.length > 0) throw new Error(`not served: ${missing.join(", ")}`);
  return streams;
}

// Builds the gateway without listening. Its HTTP port authenticates requests and translates JSON to the RPC of the
// route and back; its gRPC port serves the same RPCs.

import { readyz } from "@ems/kit/admin";
import type { Clock } from "@ems/kit/clock";
import type { EventBus } from "@ems/kit/events/bus";
import type { Health } from "@ems/kit/health";
import type { NewId } from "@ems/kit/id";
import type { Logger } from "@ems/kit/log";
import { services } from "@ems/proto/services";
import type { FastifyInstance } from "fastify";
import type { GatewayConfig } from "./config.ts";
import { builtConsole, pageFallback } from "./console/pages.ts";
import { registerConsole, withoutCookiePath } from "./console/register.ts";
import { GrpcServer } from "./grpc/grpc-server.ts";
import { publicRpcs } from "./grpc/rpcs.ts";
import { withHealthService } from "./health/health-service.ts";
import { httpServer } from "./http/http-server.ts";
import { registerReference } from "./openapi/reference.ts";
import { Pipeline } from "./pipeline.ts";
import { registerRoute } from "./rest/register-route.ts";
import { listRoutes } from "./rest/routes.ts";
import type { Peer } from "./upstreams/call-upstream.ts";

export interface GatewayDeps {
  readonly log: Logger;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly health: Health;
  readonly peer: Peer;
  /** Source of `api_key.deleted` events; without it, deleted keys expire with the cache. */
  readonly bus?: Pick<EventBus, "listen"> | undefined;
  /** Folder of the built console, if it is not the default. */
  readonly consoleFolder?: string;
}

/** Both ports of the gateway: `app` is the HTTP port. */
export interface Gateway {
  readonly app: FastifyInstance;
  readonly grpc: GrpcServer;
}

export async function createGateway(config: GatewayConfig, deps: GatewayDeps): Promise<Gateway> {
  const { log, newId, health, bus } = deps;
  const folder = config.CONSOLE === "on" ? (deps.consoleFolder ?? builtConsole()) : undefined;
  const paths = folder === undefined ? undefined : { rewriteUrl: withoutCookiePath, fallback: pageFallback(folder) };
  const app = await httpServer(config, deps, paths);
  const pipeline = new Pipeline(config, { ...deps, peer: withHealthService(deps) });
  app.addHook("onClose", async () => pipeline.stop());
  bus?.listen("api_key.deleted", ({ content: { data } }) => {
    if (data.case === "apiKeyDeleted") pipeline.keyOwners.forget(data.value.id);
  });
  const routes = listRoutes(services);
  app.decorateRequest("admitted", undefined);
  const selectEntrance =
    folder === undefined ? undefined : await registerConsole(app, config, { ...deps, pipeline, folder });
  for (const route of routes) registerRoute(app, route, pipeline, selectEntrance);
  if (config.DOCS === "on") await registerReference(app, routes, config);
  app.get("/livez", () => ({ status: "ok" }));
  app.get("/readyz", async (_request, reply) => {
    const { status, body } = await readyz(health, log);
    return reply.code(status).send(body);
  });
  return { app, grpc: new GrpcServer(config, { log, newId, health, pipeline, rpcs: publicRpcs(routes, config) }) };
}

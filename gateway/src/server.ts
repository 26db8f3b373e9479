// The gateway, built and not yet listening: the two headers become a tenant, a request becomes a message of the RPC
// that its route names, and the answer becomes JSON. It decides nothing of the business; services do.

import type { DescMessage, Message } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import { readyz } from "@ems/kit/admin";
import type { Clock } from "@ems/kit/clock";
import type { EventBus } from "@ems/kit/events/bus";
import type { NewId } from "@ems/kit/id";
import { writeJson } from "@ems/kit/json/write";
import type { Health } from "@ems/kit/lifecycle";
import type { Logger } from "@ems/kit/log";
import type { Tenant } from "@ems/kit/tenant";
import { ApiKeyService } from "@ems/proto/identity/v1/api_key_service";
import { services } from "@ems/proto/services";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Authenticator, type Credentials } from "./auth.ts";
import type { GatewayConfig } from "./config.ts";
import { guardedPeers } from "./guard.ts";
import { answer, httpServer } from "./http-server.ts";
import { registerReference } from "./openapi/reference.ts";
import { RateLimit } from "./rate-limit.ts";
import { invalidAnswer } from "./rest/errors.ts";
import { idempotencyKeyName, readIdempotencyKey } from "./rest/idempotency-key.ts";
import { parseBody } from "./rest/parse-body.ts";
import { readRequest } from "./rest/read-request.ts";
import { isRead, isRepeatable, type Route, routesOf } from "./rest/routes.ts";
import { ask } from "./upstreams.ts";

export interface GatewayDeps {
  readonly log: Logger;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly health: Health;
  /** The way to the service of that name, as the gateway. */
  readonly peer: (name: string) => Transport;
  /** Where it hears of deleted API keys; without it, it asks again after seconds. */
  readonly bus?: Pick<EventBus, "listen"> | undefined;
}

export async function createGateway(config: GatewayConfig, deps: GatewayDeps): Promise<FastifyInstance> {
  const { log, clock, newId, health, bus } = deps;
  const app = await httpServer(config, newId, log);
  const peer = guardedPeers(deps.peer, config, log);
  const authenticator = new Authenticator(config, clock, peer);
  bus?.listen("api_key.deleted", ({ payload }) => authenticator.forget(deletedKeyOf(payload)));
  // Clients whose connections are kept alive go elsewhere before this process is gone.
  app.addHook("onRequest", (_request, reply, done) => {
    if (health.isDraining) reply.header("connection", "close");
    done();
  });
  const routes = routesOf(services);
  app.decorateRequest("tenant", undefined);
  const rateLimit = new RateLimit(config);
  for (const route of routes)
    registerRoute(app, route, { authenticator, rateLimit, peer, timeoutMs: route.deadlineMs ?? config.DEADLINE_MS });
  await registerReference(app, routes);
  app.get("/livez", () => ({ status: "ok" }));
  app.get("/readyz", async (_request, reply) => {
    const { status, body } = await readyz(health, log);
    return reply.code(status).send(body);
  });
  return app;
}

/** The id of the key that an `api_key.deleted` tells of. */
function deletedKeyOf(payload: string): string {
  // The payload of that type, made by identity (proto/ems/events/v1/event.proto).
  const { data } = JSON.parse(payload) as { data: { id: string } };
  return data.id;
}

interface RouteDeps {
  readonly authenticator: Authenticator;
  readonly rateLimit: RateLimit;
  readonly peer: GatewayDeps["peer"];
  readonly timeoutMs: number;
}

function registerRoute(app: FastifyInstance, route: Route, deps: RouteDeps): void {
  const { authenticator, rateLimit, peer, timeoutMs } = deps;
  const mayRepeat = isRepeatable(route);
  // What reads for long is not worth going on with when its client has gone. A change goes on: it may be repeated.
  const endsWithClient = isRead(route) && route.deadlineMs !== undefined;
  app.route<{ Params: Record<string, string>; Body: Buffer | undefined }>({
    method: route.httpMethod,
    url: route.fastifyPath,
    config: { input: route.method.input },
    // From the headers alone, before any byte of a body is read.
    onRequest: async (request, reply) => {
      const owner = await authenticator.tenant(credentialsOf(request), route);
      reply.headers(rateLimit.take(owner.keyId));
      request.tenant = owner;
    },
    handler: async (request, reply) => {
      const { value: body, issues: bodyIssues } = parseBody(request.body);
      const parts = { params: request.params, rawQuery: rawQueryOf(request), body, bodyIssues };
      const { message, issues } = readRequest(route, parts);
      const idempotency = mayRepeat ? readIdempotencyKey(request.headers[idempotencyKeyName]) : {};
      if (idempotency.issue !== undefined) issues.push(idempotency.issue);
      if (issues.length > 0) return answer(reply, invalidAnswer(issues));

      const { tenant, id: requestId } = request;
      const signal = endsWithClient ? gone(reply) : undefined;
      const asking = { tenant, requestId, timeoutMs, idempotencyKey: idempotency.key, signal };
      const { message: response, isReplayed } = await ask(peer, route.method, message, asking);
      if (isReplayed) reply.header("idempotency-replayed", "true");
      if (route.method === ApiKeyService.method.deleteApiKey) authenticator.forget(request.params.keyId ?? "");
      return send(reply, route, response);
    },
  });
}

/** Aborted when the client goes away before it has its answer. */
function gone({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once("close", () => {
    if (!raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** Answers may hold a key or a person's name: nobody on the way is to keep them. */
function send(reply: FastifyReply, { method, successStatus }: Route, response: Message): FastifyReply {
  reply.code(successStatus).header("cache-control", "no-store");
  if (successStatus === 204) return reply.send();
  return reply.type("application/json; charset=utf-8").send(writeJson(method.output, response));
}

function credentialsOf({ headers, ip, id }: FastifyRequest): Credentials {
  return {
    apiKey: one(headers["x-api-key"]),
    applicationId: one(headers["x-application-id"]),
    address: ip,
    requestId: id,
  };
}

function one(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" ? header : undefined;
}

function rawQueryOf({ url }: FastifyRequest): string {
  const start = url.indexOf("?");
  return start < 0 ? "" : url.slice(start + 1);
}

declare module "fastify" {
  interface FastifyRequest {
    /** Whom the request's credentials stand for; set before a route's handler runs. */
    tenant: Tenant | undefined;
  }
  interface FastifyContextConfig {
    /** The message of the RPC that the route calls: issues speak of its fields. */
    input?: DescMessage;
  }
}

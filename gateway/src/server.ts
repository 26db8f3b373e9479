// The gateway, built and not yet listening: the two headers become a tenant, a request becomes a message of the RPC
// that its route names, and the answer becomes JSON. It decides nothing of the business; services do.

import type { DescMessage } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import { readyz } from "@ems/kit/admin";
import type { Clock } from "@ems/kit/clock";
import type { EventBus } from "@ems/kit/events/bus";
import type { NewId } from "@ems/kit/id";
import { writeJson } from "@ems/kit/json/write";
import type { Health } from "@ems/kit/lifecycle";
import type { Logger } from "@ems/kit/log";
import { assertResponseFits } from "@ems/kit/rpc/response-size";
import { ApiKeyService, type DeleteApiKeyRequest } from "@ems/proto/identity/v1/api_key_service";
import { services } from "@ems/proto/services";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Authenticator, type Credentials, type KeyOwner } from "./auth/authenticator.ts";
import type { GatewayConfig } from "./config.ts";
import { answer, httpServer } from "./http/http-server.ts";
import { Admission } from "./limits/admission.ts";
import { LoopTurns } from "./limits/event-loop-yield.ts";
import { RateLimits, ratePolicies } from "./limits/rate-limits.ts";
import { Bodies } from "./limits/request-bodies.ts";
import { registerReference } from "./openapi/reference.ts";
import { invalidAnswer } from "./rest/errors.ts";
import { idempotencyKeyName, readIdempotencyKey } from "./rest/idempotency-key.ts";
import type { ParsedBody } from "./rest/parse-body.ts";
import { readRequest } from "./rest/read-request.ts";
import { costOf } from "./rest/request-cost.ts";
import { isRead, isRepeatable, type Route, routesOf } from "./rest/routes.ts";
import { ask } from "./upstreams/call-upstream.ts";
import { guardedPeers } from "./upstreams/circuit-breaker.ts";

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
  const rateLimits = new RateLimits(config);
  const turns = new LoopTurns();
  const admission = new Admission(app, config, turns);
  const bodies = new Bodies(config, rateLimits, turns);
  for (const route of routes)
    registerRoute(app, route, {
      admission,
      authenticator,
      bodies,
      rateLimits,
      peer,
      timeoutMs: route.deadlineMs ?? config.DEADLINE_MS,
    });
  await registerReference(app, routes, ratePolicies(config));
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

const jsonType = "application/json; charset=utf-8";

interface RouteDeps {
  readonly admission: Admission;
  readonly authenticator: Authenticator;
  readonly bodies: Bodies;
  readonly rateLimits: RateLimits;
  readonly peer: GatewayDeps["peer"];
  readonly timeoutMs: number;
}

type Given = { Params: Record<string, string>; Body: Buffer | undefined };

function registerRoute(app: FastifyInstance, route: Route, deps: RouteDeps): void {
  const { admission, authenticator, bodies, rateLimits, peer, timeoutMs } = deps;
  const mayRepeat = isRepeatable(route);
  // A read is not worth going on with when its client has gone. A change goes on: it may be repeated.
  const endsWithClient = isRead(route);
  const work = async (request: FastifyRequest<Given>, reply: FastifyReply, given: ParsedBody): Promise<void> => {
    const { value: body, issues: bodyIssues } = given;
    const parts = { params: request.params, rawQuery: rawQueryOf(request), body, bodyIssues };
    const { message, issues } = readRequest(route, parts);
    const idempotency = mayRepeat ? readIdempotencyKey(request.headers[idempotencyKeyName]) : {};
    if (idempotency.issue !== undefined) issues.push(idempotency.issue);
    if (issues.length > 0) return void answer(reply, invalidAnswer(issues));

    const { tenant, id: requestId } = request;
    if (route.rateLimit !== undefined && tenant !== undefined) {
      reply.headers(rateLimits.takeOwn(tenant, route.rateLimit, costOf(route.method, message)));
    }
    const signal = endsWithClient ? gone(reply) : undefined;
    const asking = { tenant, requestId, timeoutMs, idempotencyKey: idempotency.key, signal };
    const { message: response, isReplayed } = await ask(peer, route.method, message, asking);
    if (isReplayed) reply.header("idempotency-replayed", "true");
    // What is read for a method is its input.
    if (route.method === ApiKeyService.method.deleteApiKey)
      authenticator.forget((message as DeleteApiKeyRequest).keyId);
    const written = () => {
      const json = JSON.stringify(writeJson(route.method.output, response));
      assertResponseFits(route.method, response, json);
      return json;
    };
    // Answers may hold a key or a person's name: nobody on the way is to keep them.
    reply.code(route.successStatus).header("cache-control", "no-store");
    if (route.successStatus === 204) reply.send();
    else reply.type(jsonType).send(await admission.answer(request, reply, isRead(route), written));
  };
  app.route<Given>({
    method: route.httpMethod,
    url: route.fastifyPath,
    config: { input: route.method.input },
    // From the headers alone, before any byte of a body is read.
    onRequest: async (request, reply) => {
      admission.checkLoad();
      const owner = await authenticator.tenant({ ...credentialsOf(request), gone: () => gone(reply) }, route);
      reply.headers(rateLimits.take(owner));
      request.tenant = owner;
      await admission.receive(request, reply);
    },
    handler: async (request, reply) => {
      await admission.work(request, () => bodies.read(request, reply, (body) => work(request, reply, body)));
      return reply;
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
    tenant: KeyOwner | undefined;
  }
  interface FastifyContextConfig {
    /** The message of the RPC that the route calls: issues speak of its fields. */
    input?: DescMessage;
  }
}

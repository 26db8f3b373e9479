// The gateway, built but not yet listening: authenticates requests, translates JSON to the RPC of the route and back.

import type { Readable } from "node:stream";
import type { Message } from "@bufbuild/protobuf";
import { readyz } from "@ems/kit/admin";
import type { Clock } from "@ems/kit/clock";
import { unauthenticated } from "@ems/kit/errors";
import type { EventBus } from "@ems/kit/events/bus";
import type { Health } from "@ems/kit/health";
import type { NewId } from "@ems/kit/id";
import { writeJson } from "@ems/kit/json/write";
import { requestCost, responseCost } from "@ems/kit/limits/request-cost";
import type { Logger } from "@ems/kit/log";
import { replayedHeader } from "@ems/kit/rpc/call";
import { assertResponseFits } from "@ems/kit/rpc/response-size";
import { ApiKeyService, type DeleteApiKeyRequest } from "@ems/proto/identity/v1/api_key_service";
import { services } from "@ems/proto/services";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Authenticator, type Credentials } from "./auth/authenticator.ts";
import { type KeyOwner, KeyOwners } from "./auth/key-owners.ts";
import type { GatewayConfig } from "./config.ts";
import { httpServer, sendError } from "./http/http-server.ts";
import { Admission } from "./limits/admission.ts";
import type { HeldBody } from "./limits/body-memory.ts";
import { EventLoopYield } from "./limits/event-loop-yield.ts";
import { RateLimits } from "./limits/rate-limits.ts";
import { type ReceivedBody, RequestBodies } from "./limits/request-bodies.ts";
import { registerReference } from "./openapi/reference.ts";
import { invalidRequestResponse } from "./rest/errors.ts";
import { idempotencyKeyName, readIdempotencyKey } from "./rest/idempotency-key.ts";
import { contentTypeOf, isTypeSupported } from "./rest/media-type.ts";
import type { ParsedBody } from "./rest/parse-body.ts";
import { readRequest } from "./rest/read-request.ts";
import { acceptsIdempotencyKey, isReadOnly, type Route, routesOf } from "./rest/routes.ts";
import { callUpstream, type Peer } from "./upstreams/call-upstream.ts";
import { protectedPeers } from "./upstreams/circuit-breaker.ts";

export interface GatewayDeps {
  readonly log: Logger;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly health: Health;
  readonly peer: Peer;
  /** Source of `api_key.deleted` events; without it, deleted keys expire with the cache. */
  readonly bus?: Pick<EventBus, "listen"> | undefined;
}

export async function createGateway(config: GatewayConfig, deps: GatewayDeps): Promise<FastifyInstance> {
  const { log, clock, newId, health, bus } = deps;
  const app = await httpServer(config, newId, log);
  const peer = protectedPeers(deps.peer, config, log);
  const keyOwners = new KeyOwners(config, clock, peer);
  const authenticator = new Authenticator(config, keyOwners);
  bus?.listen("api_key.deleted", ({ payload }) => keyOwners.forget(deletedKeyId(payload)));
  // Draining: clients with kept-alive connections reconnect to another replica.
  app.addHook("onRequest", (_request, reply, done) => {
    if (health.isDraining) reply.header("connection", "close");
    done();
  });
  const routes = routesOf(services);
  app.decorateRequest("tenant", undefined);
  app.decorateRequest("heldBody", undefined);
  const rateLimits = new RateLimits(config);
  const eventLoop = new EventLoopYield();
  const admission = new Admission(app, config, eventLoop);
  const bodies = new RequestBodies(config, rateLimits, eventLoop);
  for (const route of routes) {
    const timeoutMs = route.deadlineMs ?? config.DEADLINE_MS;
    registerRoute(app, route, { admission, authenticator, keyOwners, bodies, rateLimits, peer, timeoutMs });
  }
  await registerReference(app, routes, config);
  app.get("/livez", () => ({ status: "ok" }));
  app.get("/readyz", async (_request, reply) => {
    const { status, body } = await readyz(health, log);
    return reply.code(status).send(body);
  });
  return app;
}

function deletedKeyId(payload: string): string {
  // The payload of this event type is made by identity (proto/ems/events/v1/event.proto).
  const { data } = JSON.parse(payload) as { data: { id: string } };
  return data.id;
}

interface RouteDeps {
  readonly admission: Admission;
  readonly authenticator: Authenticator;
  readonly keyOwners: KeyOwners;
  readonly bodies: RequestBodies;
  readonly rateLimits: RateLimits;
  readonly peer: Peer;
  readonly timeoutMs: number;
}

type RouteRequest = { Params: Record<string, string>; Body: ReceivedBody | undefined };

function registerRoute(app: FastifyInstance, route: Route, deps: RouteDeps): void {
  const { admission, authenticator, keyOwners, bodies, rateLimits, peer, timeoutMs } = deps;
  const hasIdempotencyKey = acceptsIdempotencyKey(route);
  const isRead = isReadOnly(route);

  const handle = async (request: FastifyRequest<RouteRequest>, reply: FastifyReply, parsed: ParsedBody) => {
    const { value: body, issues: bodyIssues } = parsed;
    const parts = { params: request.params, rawQuery: rawQueryOf(request), body, bodyIssues };
    const { message, issues } = readRequest(route, parts);
    const idempotency = hasIdempotencyKey ? readIdempotencyKey(request.headers[idempotencyKeyName]) : {};
    if (idempotency.issue !== undefined) issues.push(idempotency.issue);
    if (issues.length > 0) return void sendError(reply, invalidRequestResponse(issues));

    const { tenant, id: requestId } = request;
    if (route.rateLimit !== undefined && tenant !== undefined) {
      reply.headers(rateLimits.consumePolicy(tenant, route.rateLimit, requestCost(route.method, message)));
    }
    // A read is cancelled when the client disconnects; a change runs on.
    const signal = isRead ? disconnected(reply) : undefined;
    const options = { tenant, requestId, timeoutMs, idempotencyKey: idempotency.key, signal };
    const { message: response, header } = await callUpstream(peer, route.method, message, options);
    const laterCost = responseCost(route.method, response);
    if (route.rateLimit !== undefined && tenant !== undefined && laterCost > 0) {
      reply.headers(rateLimits.chargePolicy(tenant, route.rateLimit, laterCost));
    }
    if (header.has(replayedHeader)) reply.header("idempotency-replayed", "true");
    // `message` is the method's input.
    if (route.method === ApiKeyService.method.deleteApiKey) keyOwners.forget((message as DeleteApiKeyRequest).keyId);
    // Responses may hold keys and personal data: shared caches must not store them.
    reply.code(route.successStatus).header("cache-control", "no-store");
    if (route.successStatus === 204) return void reply.send();
    const serialize = () => {
      if (route.isRawResponse) return rawResponse(response);
      const json = JSON.stringify(writeJson(route.method.output, response));
      assertResponseFits(route.method, response, json);
      return json;
    };
    const type = route.isRawResponse ? contentTypeOf(request.headers) : undefined;
    reply.type(type ?? "application/json; charset=utf-8");
    reply.send(await admission.serialize(request, reply, isRead, serialize));
  };

  app.route<RouteRequest>({
    method: route.httpMethod,
    url: route.fastifyPath,
    config: {
      route,
      receive: async ({ headers, tenant, heldBody }, stream) => {
        if (tenant === undefined || heldBody === undefined) throw unauthenticated();
        if (isTypeSupported(headers, route.mediaTypes)) return bodies.receive(stream, headers, route, heldBody);
        // Clients send a content type with an empty body.
        if (headers["content-length"] === "0") return undefined;
        throw Object.assign(new Error(), { statusCode: 415 });
      },
    },
    // Decided by the headers alone, before the body is read.
    onRequest: async (request, reply) => {
      admission.checkLoad();
      const owner = await authenticator.tenant(credentialsOf(request, reply), route);
      reply.headers(rateLimits.consume(owner));
      request.tenant = owner;
      const held = bodies.hold(owner);
      request.heldBody = held;
      reply.raw.once("close", () => held.release());
      await admission.admitBody(request, reply);
    },
    handler: async (request, reply) => {
      const { tenant, heldBody, body } = request;
      if (tenant === undefined) throw unauthenticated();
      const charged = (headers: Record<string, string>) => void reply.headers(headers);
      try {
        await admission.run(request, () =>
          bodies.read(tenant, body, route, charged, (parsed) => handle(request, reply, parsed)),
        );
      } finally {
        heldBody?.release();
      }
      return reply;
    },
  });
}

/** The field that `raw_response` names in proto. */
function rawResponse(response: Message): Buffer {
  const { payload } = response as Message & { payload: Uint8Array };
  return Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
}

/** Aborted when the client disconnects before it has its response. */
function disconnected({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once("close", () => {
    if (!raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

function credentialsOf({ headers, ip, id }: FastifyRequest, reply: FastifyReply): Credentials {
  return {
    apiKey: singleValue(headers["x-api-key"]),
    applicationId: singleValue(headers["x-application-id"]),
    address: ip,
    requestId: id,
    disconnected: () => disconnected(reply),
  };
}

function singleValue(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" ? header : undefined;
}

function rawQueryOf({ url }: FastifyRequest): string {
  const start = url.indexOf("?");
  return start < 0 ? "" : url.slice(start + 1);
}

declare module "fastify" {
  interface FastifyRequest {
    /** The owner of the request's API key; set by onRequest. */
    tenant: KeyOwner | undefined;
    /** What its body takes of the memory of all bodies. */
    heldBody: HeldBody | undefined;
  }
  interface FastifyContextConfig {
    /** The route's RPC: issues name the fields of its input. */
    route?: Route;
    /** Receives the body; without it, none is read. */
    receive?: (request: FastifyRequest, stream: Readable) => Promise<ReceivedBody | undefined>;
  }
}

// The gateway, built but not yet listening: its HTTP port authenticates requests, translates JSON to the RPC of the route
// and back; its gRPC port serves the same RPCs.

import type { Readable } from "node:stream";
import type { Message } from "@bufbuild/protobuf";
import { readyz } from "@ems/kit/admin";
import type { Clock } from "@ems/kit/clock";
import { unauthenticated } from "@ems/kit/errors";
import type { EventBus } from "@ems/kit/events/bus";
import type { Health } from "@ems/kit/health";
import type { NewId } from "@ems/kit/id";
import { writeJson } from "@ems/kit/json/write";
import type { Logger } from "@ems/kit/log";
import { idempotencyKeyHeader, readIdempotencyKey, replayedHeader } from "@ems/kit/rpc/idempotency-key";
import { assertResponseFits } from "@ems/kit/rpc/response-size";
import { services } from "@ems/proto/services";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { singleValue } from "./auth/credentials.ts";
import type { GatewayConfig } from "./config.ts";
import { GrpcServer } from "./grpc/grpc-server.ts";
import { publicRpcs } from "./grpc/rpcs.ts";
import { httpServer, sendError } from "./http/http-server.ts";
import type { ReceivedBody } from "./limits/request-bodies.ts";
import { registerReference } from "./openapi/reference.ts";
import { type AdmittedRequest, Pipeline } from "./pipeline.ts";
import { invalidRequestResponse } from "./rest/errors.ts";
import { contentTypeOf, isTypeSupported } from "./rest/media-type.ts";
import type { ParsedBody } from "./rest/parse-body.ts";
import { readRequest } from "./rest/read-request.ts";
import { acceptsIdempotencyKey, isReadOnly, locationOf, type Route, routesOf } from "./rest/routes.ts";
import type { Peer } from "./upstreams/call-upstream.ts";

export interface GatewayDeps {
  readonly log: Logger;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly health: Health;
  readonly peer: Peer;
  /** Source of `api_key.deleted` events; without it, deleted keys expire with the cache. */
  readonly bus?: Pick<EventBus, "listen"> | undefined;
}

/** Both ports of the gateway: `app` is HTTP. */
export interface Gateway {
  readonly app: FastifyInstance;
  readonly grpc: GrpcServer;
}

export async function createGateway(config: GatewayConfig, deps: GatewayDeps): Promise<Gateway> {
  const { log, newId, health, bus } = deps;
  const app = await httpServer(config, newId, log);
  const pipeline = new Pipeline(config, deps);
  app.addHook("onClose", async () => pipeline.stop());
  bus?.listen("api_key.deleted", ({ content: { data } }) => {
    if (data.case === "apiKeyDeleted") pipeline.keyOwners.forget(data.value.id);
  });
  // Draining: clients with kept-alive connections reconnect to another replica.
  app.addHook("onRequest", (_request, reply, done) => {
    if (health.isDraining) reply.header("connection", "close");
    done();
  });
  const routes = routesOf(services);
  app.decorateRequest("admitted", undefined);
  for (const route of routes) registerRoute(app, route, pipeline);
  await registerReference(app, routes, config);
  app.get("/livez", () => ({ status: "ok" }));
  app.get("/readyz", async (_request, reply) => {
    const { status, body } = await readyz(health, log);
    return reply.code(status).send(body);
  });
  return { app, grpc: new GrpcServer(config, { log, newId, health, pipeline, rpcs: publicRpcs(routes, config) }) };
}

type RouteRequest = { Params: Record<string, string>; Body: ReceivedBody | undefined };

function registerRoute(app: FastifyInstance, route: Route, pipeline: Pipeline): void {
  const { admission, bodies } = pipeline;
  const hasIdempotencyKey = acceptsIdempotencyKey(route);
  const isRead = isReadOnly(route);

  const handle = async (
    request: FastifyRequest<RouteRequest>,
    reply: FastifyReply,
    { owner }: AdmittedRequest,
    { value: body, issues: bodyIssues }: ParsedBody,
  ) => {
    const parts = { params: request.params, rawQuery: rawQueryOf(request), body, bodyIssues };
    const { message, issues } = readRequest(route, parts);
    const idempotency = hasIdempotencyKey ? readIdempotencyKey(request.headers[idempotencyKeyHeader]) : {};
    if (idempotency.issue !== undefined) issues.push(idempotency.issue);
    if (issues.length > 0) return void sendError(reply, invalidRequestResponse(issues));

    const { message: response, header } = await pipeline.call(route, owner, message, {
      requestId: request.id,
      idempotencyKey: idempotency.key,
      // A read is cancelled when the client disconnects; a change runs on.
      signal: isRead ? disconnected(reply) : undefined,
      charged: (headers) => reply.headers(headers),
    });
    if (header.has(replayedHeader)) reply.header(replayedHeader, "true");
    // Responses may hold keys and personal data: shared caches must not store them.
    reply.code(route.successStatus).header("cache-control", "no-store");
    if (route.location !== undefined) reply.header("location", locationOf(route, response));
    if (route.successStatus === 204) return void reply.send();
    const serialize = () => {
      if (route.isRawResponse) return rawResponse(response);
      const json = JSON.stringify(writeJson(route.method.output, response));
      assertResponseFits(route.method, response, json);
      return json;
    };
    const type = route.isRawResponse ? contentTypeOf(request.headers) : undefined;
    reply.type(type ?? "application/json; charset=utf-8");
    reply.send(await admission.serialize(owner.applicationId, reply.raw, isRead, serialize));
  };

  app.route<RouteRequest>({
    method: route.httpMethod,
    url: route.fastifyPath,
    config: {
      route,
      receive: async (request, stream) => {
        const { headers } = request;
        if (isTypeSupported(headers, route.mediaTypes)) {
          return bodies.receive(stream, headers, route, admittedOf(request).held);
        }
        // Clients send a content type with an empty body.
        if (headers["content-length"] === "0") return undefined;
        throw Object.assign(new Error(), { statusCode: 415 });
      },
    },
    onRequest: async (request, reply) => {
      const credentials = {
        apiKey: singleValue(request.headers["x-api-key"]),
        applicationId: singleValue(request.headers["x-application-id"]),
        address: request.ip,
        requestId: request.id,
        disconnected: () => disconnected(reply),
      };
      request.admitted = await pipeline.admit(route, { credentials, request: request.raw, response: reply.raw });
      reply.headers(request.admitted.rateLimits);
    },
    handler: async (request, reply) => {
      const admitted = admittedOf(request);
      const charged = (headers: Record<string, string>) => void reply.headers(headers);
      await pipeline.run(admitted, () =>
        bodies.read(admitted.owner, request.body, route, charged, (body) => handle(request, reply, admitted, body)),
      );
      return reply;
    },
  });
}

function admittedOf({ admitted }: Pick<FastifyRequest, "admitted">): AdmittedRequest {
  if (admitted === undefined) throw unauthenticated();
  return admitted;
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

function rawQueryOf({ url }: FastifyRequest): string {
  const start = url.indexOf("?");
  return start < 0 ? "" : url.slice(start + 1);
}

declare module "fastify" {
  interface FastifyRequest {
    /** Set by onRequest. */
    admitted: AdmittedRequest | undefined;
  }
  interface FastifyContextConfig {
    /** The route's RPC: issues name the fields of its input. */
    route?: Route;
    /** Receives the body; without it, none is read. */
    receive?: (request: FastifyRequest, stream: Readable) => Promise<ReceivedBody | undefined>;
  }
}

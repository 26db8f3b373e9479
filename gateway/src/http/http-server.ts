// Fastify with connection limits, bodies as bytes, and every error in the API's form, including those before routing.

import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { ConnectError } from "@ems/kit/errors";
import type { Health } from "@ems/kit/health";
import { HttpResponse } from "@ems/kit/http";
import type { NewId } from "@ems/kit/id";
import type { Logger } from "@ems/kit/log";
import { chooseRequestId } from "@ems/kit/rpc/call";
import { isTracing } from "@ems/kit/telemetry/trace";
import { bodyBytesMax } from "@ems/proto/limits";
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { GatewayConfig } from "../config.ts";
import { mediaType } from "../rest/body.ts";
import { type ErrorResponse, errorResponse, invalidRequestResponse } from "../rest/errors.ts";
import { protobufStatus, protobufType } from "../rest/protobuf-status.ts";
import type { Route } from "../rest/routes.ts";
import { measureRequests, traceRequests, watchRequests } from "../telemetry.ts";
import { AddressLimit, Connections } from "./connections.ts";
import { Cors } from "./cors.ts";

/** Exceeds the longest ID, so that a long path segment is an invalid ID instead of an unknown route. */
const pathSegmentMax = 4_096;

/** Additions of the console to the routing. */
export interface ConsolePaths {
  /** Returns the path used for routing. */
  readonly rewriteUrl: (request: Pick<IncomingMessage, "url">) => string;
  /** Handles requests without a route. */
  readonly fallback: Fallback;
}

export interface Fallback {
  readonly takes: (request: FastifyRequest) => boolean;
  readonly send: (reply: FastifyReply) => Promise<FastifyReply>;
}

export interface HttpServerDeps {
  readonly newId: NewId;
  readonly log: Logger;
  readonly health: Pick<Health, "isDraining">;
}

export async function httpServer(
  config: GatewayConfig,
  { newId, log, health }: HttpServerDeps,
  consolePaths?: ConsolePaths,
): Promise<FastifyInstance> {
  const connections = new Connections(config, newId, new AddressLimit(config));
  const cors = new Cors(config.CORS_ORIGINS);
  const app = Fastify({
    serverFactory: (handle) => connections.server(handle),
    clientErrorHandler: (error, socket) => connections.writeParseError(error, socket),
    trustProxy: config.TRUST_PROXY,
    genReqId: ({ headers }) => chooseRequestId(headers["x-request-id"], newId),
    // Fastify runs no hooks for these errors, so the hooks' headers are added here.
    frameworkErrors: (error, request, reply) => {
      cors.addHeaders(request, reply);
      sendError(reply.header("x-request-id", request.id), frameworkError(error, request));
    },
    ...(consolePaths && { rewriteUrl: consolePaths.rewriteUrl }),
    return503OnClosing: false,
    forceCloseConnections: "idle",
    routerOptions: { maxParamLength: pathSegmentMax, querystringParser: () => ({}) },
  });
  // Bodies stay bytes and are received by their route: rest/body.ts reports issues where Fastify's parser would throw.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (request, stream, done) => {
    const { receive } = request.routeOptions.config;
    if (receive === undefined) return done(null);
    receive(request, stream).then(
      (body) => done(null, body),
      // Stream error: the client has disconnected.
      (error) => done(error instanceof Error ? Object.assign(error, { statusCode: 400, ...error }) : null),
    );
  });
  if (isTracing()) traceRequests(app);
  watchRequests(app);
  app.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id).header("x-content-type-options", "nosniff");
    // Makes clients with kept-alive connections reconnect to another replica.
    if (health.isDraining) reply.header("connection", "close");
    done();
  });
  app.addHook("onClose", async () => connections.stop());
  requireHost(app);
  emptyBodiesOfAnyType(app);
  limitUnreadBodies(app);
  sendInChunks(app);
  measureRequests(app);
  logRequests(app, log);
  app.setErrorHandler((error, request, reply) => {
    const response =
      error instanceof ConnectError
        ? errorResponse(error, request.routeOptions.config.route?.method.input)
        : frameworkError(error, request);
    if (response.status >= 500 && !reply.raw.destroyed)
      log.error({ err: getCause(error), requestId: request.id }, "request failed");
    return sendError(reply, response);
  });
  cors.register(app);
  refuseUnroutable(app, cors, consolePaths?.fallback);
  return app;
}

/** Sends the error, in protobuf when the request's body is protobuf. */
export function sendError(reply: FastifyReply, { status, headers, body }: ErrorResponse): FastifyReply {
  const { routeOptions, headers: requestHeaders } = reply.request;
  reply.code(status).headers(headers);
  const isProtobuf = routeOptions?.config?.route?.isRawResponse && mediaType(requestHeaders) === protobufType;
  if (isProtobuf) return reply.type(protobufType).send(protobufStatus(status, body.message));
  return reply.type("application/json; charset=utf-8").send(JSON.stringify(body));
}

function unsupportedType(route: Route | undefined): string {
  const types = route?.mediaTypes.join(" or ") ?? "application/json";
  return `The request body must be ${types} in UTF-8, uncompressed or gzip`;
}

export function messageResponse(status: number, message: string): ErrorResponse {
  return { status, headers: {}, body: { message } };
}

/** Converts an error outside the API's handlers: Fastify's own have a status, any other is a defect. */
function frameworkError(error: unknown, { routeOptions }: FastifyRequest): ErrorResponse {
  const { statusCode, code } = error instanceof Error ? (error as Partial<FastifyError>) : {};
  if (code === "FST_ERR_BAD_URL") {
    const message = "The path must be percent-encoded UTF-8";
    return invalidRequestResponse([{ code: "invalid_string", message, path: [] }]);
  }
  if (statusCode === 415) return messageResponse(415, unsupportedType(routeOptions.config.route));
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return messageResponse(statusCode, "The request is malformed");
  return errorResponse(error);
}

function getCause(error: unknown): unknown {
  return error instanceof ConnectError ? (error.cause ?? error) : error;
}

/** Requires the Host header, as HTTP/1.1 does; Node's own response would not be JSON. */
function requireHost(app: FastifyInstance): void {
  app.addHook("onRequest", ({ headers, raw }, reply, done) => {
    if (headers.host !== undefined || raw.httpVersion !== "1.1") return done();
    sendError(reply.header("connection", "close"), messageResponse(400, "The `host` header is missing"));
  });
}

/** Rejects before the body is read: 404 for an unknown path, 405 for a method that its path does not have. */
function refuseUnroutable(app: FastifyInstance, cors: Cors, fallback?: Fallback): void {
  const pathMethods = new PathMethods(app);
  app.addHook("onRequest", (request, reply, done) => {
    if (!request.is404) return done();
    const methods = pathMethods.of(request.url);
    if (methods.length === 0 && fallback?.takes(request)) return void fallback.send(reply).catch(done);
    if (methods.length === 0) return void sendError(reply, messageResponse(404, "Resource not found"));
    if (cors.preflight(request, reply, methods)) return;
    sendError(reply.header("allow", methods.join(", ")), messageResponse(405, "Method not allowed"));
  });
}

/** Accepts an empty body of any content type. */
function emptyBodiesOfAnyType(app: FastifyInstance): void {
  app.addHook("onRequest", ({ headers }, _reply, done) => {
    if (headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0) {
      delete headers["content-type"];
    }
    done();
  });
}

/** Reads at most as many bytes of a rejected body as of an accepted one. */
function limitUnreadBodies(app: FastifyInstance): void {
  app.addHook("onRequest", ({ routeOptions }, { raw }, done) => {
    // Requests that tests inject have another response class.
    if (raw instanceof HttpResponse) raw.unreadBytesMax = routeOptions.config.route?.bodyBytesMax ?? bodyBytesMax;
    done();
  });
}

/** Logs requests without query and headers, which may contain secrets and personal data. */
function logRequests(app: FastifyInstance, log: Logger): void {
  app.addHook("onResponse", ({ id: requestId, method, routeOptions }, { statusCode: status, elapsedTime }, done) => {
    if (log.isLevelEnabled("info")) {
      const ms = Math.round(elapsedTime * 1000) / 1000;
      log.info({ requestId, method, route: routeOptions.url, status, ms }, "request");
    }
    done();
  });
}

const chunkBytes = 64 * 1024;

/** Streams large payloads in chunks: makes a slow client's progress visible and avoids a second copy in the socket. */
export function sendInChunks(app: FastifyInstance): void {
  app.addHook("onSend", (request, reply, payload, done) => {
    const isText = typeof payload === "string";
    if (!(isText || Buffer.isBuffer(payload)) || payload.length <= chunkBytes || request.method === "HEAD") {
      return done(null, payload);
    }
    const bytes = isText ? Buffer.from(payload) : payload;
    reply.header("content-length", bytes.length);
    done(null, Readable.from(splitIntoChunks(bytes), { objectMode: false }));
  });
}

export function* splitIntoChunks(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += chunkBytes) yield bytes.subarray(start, start + chunkBytes);
}

/** Methods of each path: an unknown path is 404, an unsupported method 405 with `Allow`. */
class PathMethods {
  readonly #routes = new Map<string, { pattern: RegExp; methods: Set<string> }>();

  /** Records all routes added to `app` from now on. */
  constructor(app: FastifyInstance) {
    app.addHook("onRoute", ({ url, method }) => {
      const route = this.#routes.get(url) ?? { pattern: toPattern(url), methods: new Set() };
      for (const name of [method].flat()) route.methods.add(name);
      this.#routes.set(url, route);
    });
  }

  /** Returns the sorted methods; empty for an unknown path. */
  of(url: string): string[] {
    const [path = ""] = url.split("?", 1);
    const methods = [...this.#routes.values()].flatMap((route) => (route.pattern.test(path) ? [...route.methods] : []));
    return [...new Set(methods)].sort();
  }
}

function toPattern(url: string): RegExp {
  const escaped = url.split(/:\w+/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${escaped.join("[^/]+")}$`);
}

// The HTTP server itself: limits that really fire, bodies as bytes, and every error in the API's own form, also those
// that happen before a route is known.

import { ConnectError, tooLarge } from "@ems/kit/errors";
import type { NewId } from "@ems/kit/id";
import type { Logger } from "@ems/kit/log";
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { GatewayConfig } from "../config.ts";
import { bodyBytesMax, isReadable } from "../limits/request-bodies.ts";
import { sendInParts } from "../limits/response-buffer.ts";
import { type ErrorAnswer, errorAnswer, invalidAnswer } from "../rest/errors.ts";
import { measureRequests, traceRequests } from "../telemetry.ts";
import { Connections } from "./connections.ts";

const limits = {
  /** A path segment longer than this is no id of ours, but still told so instead of "Resource not found". */
  pathSegment: 4_096,
};

/** A request id of the client's is passed along when it is harmless in logs and headers. */
const requestIdForm = /^[A-Za-z0-9._:+/=-]{1,128}$/;

export async function httpServer(config: GatewayConfig, newId: NewId, log: Logger): Promise<FastifyInstance> {
  const connections = new Connections(config);
  const app = Fastify({
    serverFactory: (handle) => connections.server(handle),
    clientErrorHandler: (error, socket) => connections.tellError(error, socket),
    bodyLimit: bodyBytesMax,
    trustProxy: config.TRUST_PROXY,
    genReqId: ({ headers }) => {
      const given = headers["x-request-id"];
      return typeof given === "string" && requestIdForm.test(given) ? given : newId();
    },
    frameworkErrors: (error, request, reply) =>
      answer(reply.header("x-request-id", request.id), frameworkAnswer(error)),
    return503OnClosing: false,
    forceCloseConnections: "idle",
    routerOptions: { maxParamLength: limits.pathSegment, querystringParser: () => ({}) },
  });
  // One parser that hands over bytes: what they must be, read-request says, with issues instead of exceptions.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => {
    if (isUtf8(request.headers["content-type"]) && isReadable(request)) done(null, body);
    else done(Object.assign(new Error(), { statusCode: 415 }));
  });
  traceRequests(app);
  app.addHook("onRequest", (request, reply, done) => {
    reply.raw.setHeader("x-request-id", request.id);
    reply.raw.setHeader("x-content-type-options", "nosniff");
    done();
  });
  app.addHook("onClose", async () => connections.stop());
  requireHost(app);
  leaveUnread(app);
  sendInParts(app);
  measureRequests(app);
  logRequests(app, log);
  app.setErrorHandler((error, request, reply) => {
    const told =
      error instanceof ConnectError ? errorAnswer(error, request.routeOptions.config.input) : frameworkAnswer(error);
    const isHeard = !reply.raw.destroyed;
    if (told.status >= 500 && isHeard) log.error({ err: causeOf(error), requestId: request.id }, "request failed");
    return answer(reply, told);
  });
  app.setNotFoundHandler((_request, reply) => answer(reply, message(404, "Resource not found")));
  return app;
}

/** Sends an error in the API's form. */
export function answer(reply: FastifyReply, { status, headers, body }: ErrorAnswer): FastifyReply {
  return reply.code(status).headers(headers).type("application/json; charset=utf-8").send(JSON.stringify(body));
}

function message(status: number, text: string): ErrorAnswer {
  return { status, headers: {}, body: { message: text } };
}

/** Errors that Fastify makes itself carry a status; anything else is a defect. */
function frameworkAnswer(error: unknown): ErrorAnswer {
  const { statusCode, code } = error instanceof Error ? (error as Partial<FastifyError>) : {};
  if (code === "FST_ERR_BAD_URL") {
    return invalidAnswer([{ code: "invalid_string", message: "The path must be percent-encoded UTF-8", path: [] }]);
  }
  if (statusCode === 413) return errorAnswer(tooLarge("The request body is larger than 1 MiB"));
  if (statusCode === 415) {
    return message(415, "The request body must be application/json in UTF-8, as it is or packed by gzip");
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return message(statusCode, "Bad request");
  return errorAnswer(error);
}

function causeOf(error: unknown): unknown {
  return error instanceof ConnectError ? (error.cause ?? error) : error;
}

function isUtf8(contentType: string | undefined): boolean {
  const [, charset] = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType ?? "") ?? [];
  return charset === undefined || /^utf-?8$/i.test(charset);
}

/** HTTP/1.1 asks for it, and Node's own answer would be no JSON. */
function requireHost(app: FastifyInstance): void {
  app.addHook("onRequest", async ({ headers, raw }, reply) => {
    if (headers.host !== undefined || raw.httpVersion !== "1.1") return;
    return answer(reply.header("connection", "close"), message(400, "The header host is missing"));
  });
}

/** What is answered before its body has come, such as without a key: a small rest is drained, a large one ends the connection. */
function leaveUnread(app: FastifyInstance): void {
  app.addHook("onSend", (request, reply, payload, done) => {
    const { "transfer-encoding": chunks, "content-length": length = 0 } = request.headers;
    const isLarge = chunks !== undefined || Number(length) > bodyBytesMax;
    if (isLarge && !request.raw.complete) reply.header("connection", "close");
    done(null, payload);
  });
}

/** One line a request, without its query or any header: those may hold what logs must not. */
function logRequests(app: FastifyInstance, log: Logger): void {
  app.addHook("onResponse", (request: FastifyRequest, reply, done) => {
    if (log.isLevelEnabled("info")) {
      const line = {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 1000) / 1000,
      };
      log.info(line, "request");
    }
    done();
  });
}

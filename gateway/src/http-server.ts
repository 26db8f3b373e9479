// The HTTP server itself: limits that really fire, bodies as bytes, and every error in the API's own form, also those
// that happen before a route is known.

import type { Socket } from "node:net";
import { ConnectError, tooLarge, unavailable } from "@ems/kit/errors";
import type { NewId } from "@ems/kit/id";
import type { Logger } from "@ems/kit/log";
import fastifyCompress from "@fastify/compress";
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { GatewayConfig } from "./config.ts";
import { watchLoad } from "./load-shedding.ts";
import { type ErrorAnswer, errorAnswer, invalidAnswer } from "./rest/errors.ts";
import { measureRequests, traceRequests } from "./telemetry.ts";

const limits = {
  bodyBytes: 1024 * 1024,
  headerBytes: 16 * 1024,
  /** The whole of a request's headers must have come by then, */
  headersMs: 10_000,
  /** and the whole of the request by then. */
  requestMs: 15_000,
  /** Node looks at those two only this often. */
  checkMs: 1_000,
  /** A path segment longer than this is no id of ours, but still told so instead of "Resource not found". */
  pathSegment: 4_096,
};

/** A request id of the client's is passed along when it is harmless in logs and headers. */
const requestIdForm = /^[A-Za-z0-9._:+/=-]{1,128}$/;

export async function httpServer(config: GatewayConfig, newId: NewId, log: Logger): Promise<FastifyInstance> {
  const app = Fastify({
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestMs,
    http: {
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: limits.checkMs,
      maxHeaderSize: limits.headerBytes,
    },
    trustProxy: config.TRUST_PROXY,
    genReqId: ({ headers }) => {
      const given = headers["x-request-id"];
      return typeof given === "string" && requestIdForm.test(given) ? given : newId();
    },
    frameworkErrors: (error, request, reply) =>
      answer(reply.header("x-request-id", request.id), frameworkAnswer(error)),
    clientErrorHandler,
    return503OnClosing: false,
    forceCloseConnections: "idle",
    routerOptions: { maxParamLength: limits.pathSegment, querystringParser: () => ({}) },
  });
  // One parser that hands over bytes: what they must be, read-request says, with issues instead of exceptions.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => {
    if (isUtf8(request.headers["content-type"])) done(null, body);
    else done(Object.assign(new Error(), { statusCode: 415 }));
  });
  // OpenTelemetry's exporters pack what they send. The limit holds for what comes out, too.
  await app.register(fastifyCompress, { globalCompression: false, requestEncodings: ["gzip", "identity"] });
  traceRequests(app);
  app.addHook("onRequest", (request, reply, done) => {
    reply.raw.setHeader("x-request-id", request.id);
    reply.raw.setHeader("x-content-type-options", "nosniff");
    done();
  });
  shedLoad(app, config);
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
  if (code === "FST_CP_ERR_INVALID_CONTENT") {
    return invalidAnswer([{ code: "invalid_json", message: "Body is not valid gzip", path: [] }]);
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

/** What cannot even be parsed as HTTP has no request and no reply: the answer is written to the socket. */
function clientErrorHandler(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const [status, text] =
    error.code === "HPE_HEADER_OVERFLOW"
      ? ["431 Request Header Fields Too Large", "The request headers are larger than 16 KiB"]
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? ["408 Request Timeout", "The request took too long to arrive"]
        : ["400 Bad Request", "Not an HTTP request"];
  const body = JSON.stringify({ message: text });
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  );
}

const healthPaths: ReadonlySet<string> = new Set(["/livez", "/readyz"]);

/** Work that would only wait is refused at once, so that what runs still answers in time. */
function shedLoad(app: FastifyInstance, { IN_FLIGHT_MAX, EVENT_LOOP_DELAY_MAX_MS }: GatewayConfig): void {
  const load = watchLoad(EVENT_LOOP_DELAY_MAX_MS);
  app.addHook("onClose", async () => load.stop());
  let inFlight = 0;
  app.addHook("onRequest", (request, reply, done) => {
    inFlight++;
    reply.raw.once("close", () => inFlight--);
    const isTooMuch = inFlight > IN_FLIGHT_MAX || load.isOverloaded();
    if (isTooMuch && !healthPaths.has(request.url)) done(unavailable("Too many requests at once"));
    else done();
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

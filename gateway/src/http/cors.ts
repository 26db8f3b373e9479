// CORS: cross-origin requests of browsers are refused unless CORS_ORIGINS names their origin.

import type { IncomingHttpHeaders } from "node:http";
import { z } from "@ems/kit/config";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** Time that a browser may cache the response to a preflight. */
const maxAgeSeconds = 2 * 60 * 60;

const requestHeaders =
  "accept, authorization, content-encoding, content-type, idempotency-key, if-match, traceparent, tracestate, x-api-key, x-application-id, x-request-id";

/** Additional request headers of gRPC-Web and Connect. */
const rpcRequestHeaders = "connect-protocol-version, connect-timeout-ms, grpc-timeout, x-grpc-web, x-user-agent";
const rpcResponseHeaders = "grpc-message, grpc-status, grpc-status-details-bin";

/** Response headers that scripts may read in addition to the CORS-safelisted ones. */
const responseHeaders =
  "allow, etag, idempotency-replayed, location, ratelimit, ratelimit-policy, retry-after, x-request-id, x-should-retry";

export const corsOrigins = () =>
  z
    .string()
    .transform((text) => text.split(",").map((origin) => origin.trim()))
    .refine((origins) => origins.every(isOrigin), "must be origins joined by commas, such as https://app.example.com");

function isOrigin(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? "") && new URL(text).origin === text;
}

export class Cors {
  readonly #origins: readonly string[];

  constructor(origins: readonly string[]) {
    this.#origins = origins;
  }

  /** Adds the headers to every response. */
  register(app: FastifyInstance): void {
    if (this.#origins.length === 0) return;
    app.addHook("onSend", (request, reply, payload, done) => {
      this.addHeaders(request, reply);
      done(null, payload);
    });
  }

  addHeaders(request: FastifyRequest, reply: FastifyReply): void {
    if (this.#origins.length === 0) return;
    const { vary, ...headers } = this.getHeaders(request.headers, responseHeaders);
    reply.header("vary", [reply.getHeader("vary"), vary].filter(Boolean).join(", ")).headers(headers);
  }

  /** Returns the headers of a response on the gRPC port, including preflights. */
  rpcHeaders(headers: IncomingHttpHeaders, method: string): Record<string, string> {
    const answered = this.getHeaders(headers, `${responseHeaders}, ${rpcResponseHeaders}`);
    if (method !== "OPTIONS" || !this.#isAllowed(headers)) return answered;
    return { ...answered, ...preflightHeaders(["POST"], `${requestHeaders}, ${rpcRequestHeaders}`) };
  }

  getHeaders(headers: IncomingHttpHeaders, exposed: string): Record<string, string> {
    if (this.#origins.length === 0) return {};
    // Shared caches must not answer one origin with the response to another.
    const vary = { vary: "origin" };
    if (headers.origin === undefined || !this.#isAllowed(headers)) return vary;
    return {
      ...vary,
      "access-control-allow-origin": headers.origin,
      "access-control-expose-headers": exposed,
    };
  }

  /** Responds to a preflight of a path that has `methods`; false when the request is not a preflight. */
  preflight(request: FastifyRequest, reply: FastifyReply, methods: readonly string[]): boolean {
    const isPreflight = request.method === "OPTIONS" && "access-control-request-method" in request.headers;
    if (!isPreflight || !this.#isAllowed(request.headers)) return false;
    reply.code(204).headers(preflightHeaders(methods, requestHeaders)).send();
    return true;
  }

  #isAllowed({ origin }: IncomingHttpHeaders): boolean {
    return origin !== undefined && this.#origins.includes(origin);
  }
}

function preflightHeaders(methods: readonly string[], headers: string): Record<string, string> {
  return {
    "access-control-allow-methods": methods.join(", "),
    "access-control-allow-headers": headers,
    "access-control-max-age": String(maxAgeSeconds),
  };
}

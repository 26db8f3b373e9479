// Cross-origin requests of browsers: refused unless CORS_ORIGINS names their origin.

import { z } from "@ems/kit/config";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** How long a browser may keep the answer to a preflight. */
const maxAgeSeconds = 2 * 60 * 60;

const requestHeaders = [
  ...["accept", "content-encoding", "content-type", "idempotency-key", "traceparent", "tracestate"],
  ...["x-api-key", "x-application-id", "x-request-id"],
];

/** Headers of answers that scripts may read beside the few that they always may. */
const responseHeaders = [
  ...["allow", "idempotency-replayed", "ratelimit", "ratelimit-policy", "retry-after"],
  ...["x-request-id", "x-should-retry"],
];

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

  /** Adds the headers to every answer. */
  register(app: FastifyInstance): void {
    if (this.#origins.length === 0) return;
    app.addHook("onSend", (request, reply, payload, done) => {
      this.addHeaders(request, reply);
      done(null, payload);
    });
  }

  addHeaders(request: FastifyRequest, reply: FastifyReply): void {
    if (this.#origins.length === 0) return;
    // Shared caches must not answer one origin with the response to another.
    reply.header("vary", [reply.getHeader("vary"), "origin"].filter(Boolean).join(", "));
    if (!this.#isAllowed(request)) return;
    reply.header("access-control-allow-origin", request.headers.origin);
    reply.header("access-control-expose-headers", responseHeaders.join(", "));
  }

  /** Answers a preflight of a path that has `methods`; false when the request is none. */
  preflight(request: FastifyRequest, reply: FastifyReply, methods: readonly string[]): boolean {
    const isPreflight = request.method === "OPTIONS" && "access-control-request-method" in request.headers;
    if (!isPreflight || !this.#isAllowed(request)) return false;
    reply.code(204).headers({
      "access-control-allow-methods": methods.join(", "),
      "access-control-allow-headers": requestHeaders.join(", "),
      "access-control-max-age": maxAgeSeconds,
    });
    reply.send();
    return true;
  }

  #isAllowed({ headers: { origin } }: FastifyRequest): boolean {
    return origin !== undefined && this.#origins.includes(origin);
  }
}

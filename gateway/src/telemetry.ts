// What the gateway counts, measures and traces of its requests.

import { METHODS } from "node:http";
import { counter, histogram } from "@ems/kit/telemetry/metrics";
import { type Span, startSpan, traceparentHeader } from "@ems/kit/telemetry/trace";
import type { FastifyInstance } from "fastify";

const observe = histogram({
  name: "http_server_request_duration_seconds",
  help: "How long requests took to answer, by route.",
  labels: ["http_request_method", "http_route", "http_response_status_code"],
});

/** `result`: valid, missing, unknown, forbidden, limited (too many failures), unavailable (identity cannot say). */
export const countAuthentication = counter({
  name: "ems_auth_requests_total",
  help: "Requests by what came of their credentials.",
  labels: ["result"],
});

/** `reason`: which limit it was, such as connections, pipelined, stalled, arriving, in_flight, upstream, answers; `…_of_application`. */
export const countRefusal = counter({
  name: "ems_gateway_refusals_total",
  help: "Requests refused and connections cut by a limit, by which one.",
  labels: ["reason"],
});

const methods: ReadonlySet<string> = new Set(METHODS);

/** Measures every request, under the pattern of its route: never under its own path, which holds ids. */
export function measureRequests(app: FastifyInstance): void {
  app.addHook("onResponse", (request, reply, done) => {
    const labels = {
      http_request_method: methods.has(request.method) ? request.method : "_OTHER",
      http_route: request.routeOptions.url ?? "",
      http_response_status_code: String(reply.statusCode),
    };
    observe(labels, reply.elapsedTime);
    done();
  });
}

/** Requests that are watched over, not asked by a client. */
const probes: ReadonlySet<string> = new Set(["/livez", "/readyz"]);

/** A span around every request but probes; what is done for it, its log lines too, is a part of that. */
export function traceRequests(app: FastifyInstance): void {
  app.decorateRequest("span", undefined);
  app.addHook("onRequest", (request, _reply, done) => {
    const { method, routeOptions, headers } = request;
    const route = routeOptions.url ?? "";
    if (probes.has(route)) return done();
    const given = headers[traceparentHeader];
    const facts = { "http.request.method": method, "http.route": route };
    const parent = typeof given === "string" ? given : undefined;
    const span = startSpan(`${method} ${route}`.trimEnd(), { role: "server", facts, parent });
    request.span = span;
    span.run(done);
  });
  // The body comes from the socket, whose context is another one.
  app.addHook("preValidation", (request, _reply, done) =>
    request.span === undefined ? done() : request.span.run(done),
  );
  app.addHook("onResponse", ({ span }, { statusCode }, done) => {
    if (span === undefined) return done();
    span.run(done);
    span.end({ "http.response.status_code": statusCode }, statusCode >= 500 ? String(statusCode) : undefined);
  });
}

declare module "fastify" {
  interface FastifyRequest {
    /** The request's part of its trace. */
    span: Span | undefined;
  }
}

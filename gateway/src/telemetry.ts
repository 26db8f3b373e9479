// Metrics and traces of requests.

import { METHODS } from "node:http";
import { counter, histogram } from "@ems/kit/telemetry/metrics";
import { type Span, startSpan, traceparentHeader } from "@ems/kit/telemetry/trace";
import { type Work, watchdog } from "@ems/kit/telemetry/watchdog";
import type { FastifyInstance } from "fastify";

const observe = histogram({
  name: "http_server_request_duration_seconds",
  help: "Duration of requests, by route.",
  labels: ["http_request_method", "http_route", "http_response_status_code"],
});

/** `result`: valid, missing, unknown, forbidden, limited (too many failures), unavailable (identity does not respond). */
export const countAuthentication = counter({
  name: "ems_auth_requests_total",
  help: "Requests, by the result of their authentication.",
  labels: ["result"],
});

/** `reason`: the limit, such as connections, pipelined, stalled, arriving, in_flight, upstream, answers, clock_skew; `…_of_application`. */
export const countRejection = counter({
  name: "ems_gateway_refusals_total",
  help: "Requests rejected and connections closed by a limit, by limit.",
  labels: ["reason"],
});

export const countWatchedEvent = counter({
  name: "ems_watch_events_total",
  help: "Events sent to event watches.",
  labels: [],
});

const methods: ReadonlySet<string> = new Set(METHODS);

/** Records a request. `route` is the path's pattern, because paths contain IDs. */
export function observeRequest(
  { method, route, status }: Record<"method" | "route", string> & { status: number },
  ms: number,
) {
  const labels = {
    http_request_method: methods.has(method) ? method : "_OTHER",
    http_route: route,
    http_response_status_code: String(status),
  };
  observe(labels, ms);
}

/** Measures every request. */
export function measureRequests(app: FastifyInstance): void {
  app.addHook("onResponse", ({ method, routeOptions }, { statusCode: status, elapsedTime }, done) => {
    observeRequest({ method, route: routeOptions.url ?? "", status }, elapsedTime);
    done();
  });
}

/** Reports each request to the event-loop watchdog. */
export function watchRequests(app: FastifyInstance): void {
  app.decorateRequest("work", undefined);
  app.addHook("onRequest", (request, _reply, done) => {
    request.work = { method: request.method, route: request.routeOptions.url ?? "", requestId: request.id };
    watchdog.run(request.work, done);
  });
  // Body events come from the socket, outside the request's async context.
  app.addHook("preValidation", ({ work = {} }, _reply, done) => watchdog.run(work, done));
  app.addHook("onSend", (_request, _reply, payload, done) => {
    watchdog.leave();
    done(null, payload);
  });
}

const probes: ReadonlySet<string> = new Set(["/livez", "/readyz"]);

/** Creates a server span for every request except probes, as the parent of its calls and log lines. */
export function traceRequests(app: FastifyInstance): void {
  app.decorateRequest("span", undefined);
  app.addHook("onRequest", (request, _reply, done) => {
    const { method, routeOptions, headers } = request;
    const route = routeOptions.url ?? "";
    if (probes.has(route)) return done();
    const traceparent = headers[traceparentHeader];
    const attributes = { "http.request.method": method, "http.route": route };
    const parent = typeof traceparent === "string" ? traceparent : undefined;
    const span = startSpan(`${method} ${route}`.trimEnd(), { role: "server", attributes, parent });
    request.span = span;
    span.run(done);
  });
  // Body events come from the socket, outside the span's async context.
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
    span: Span | undefined;
    /** Request's work item for the watchdog. */
    work: Work | undefined;
  }
}

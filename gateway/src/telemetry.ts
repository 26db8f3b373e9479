// What the gateway counts and measures of its requests.

import { METHODS } from "node:http";
import { counter, durations } from "@ems/kit/telemetry/metrics";
import type { FastifyInstance } from "fastify";

const observe = durations({
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

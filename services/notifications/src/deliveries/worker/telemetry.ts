import { counter, histogram } from "@ems/kit/telemetry/metrics";
import { startSpan } from "@ems/kit/telemetry/trace";
import type { Attempt } from "./send.ts";

const countAttempt = counter({
  name: "ems_webhook_attempts_total",
  help: "Delivery attempts, by outcome in lower case, including internal errors, which no delivery is charged for.",
  labels: ["outcome"],
});
const observeAttempt = histogram({
  name: "ems_webhook_attempt_duration_seconds",
  help: "Duration of delivery attempts.",
  labels: ["outcome"],
});

/** Counts an attempt, and adds it to the trace of the change that published the event. */
export async function recordAttempt(
  { type, traceparent }: { readonly type: string; readonly traceparent: string | null },
  make: () => Promise<Attempt>,
): Promise<Attempt> {
  const attributes = { "http.request.method": "POST" };
  const span =
    traceparent === null
      ? undefined
      : startSpan(`webhook ${type}`, { role: "client", attributes, parent: traceparent });
  const attempt = await (span === undefined ? make() : span.run(make));
  const outcome = (attempt.counts ? attempt.outcome : attempt.fault).toLowerCase();
  const statusCode = attempt.counts ? attempt.statusCode : null;
  span?.end(
    { "ems.webhook.outcome": outcome, ...(statusCode !== null && { "http.response.status_code": statusCode }) },
    outcome === "delivered" ? undefined : outcome,
  );
  countAttempt({ outcome });
  if (attempt.counts) observeAttempt({ outcome }, attempt.durationMs);
  return attempt;
}

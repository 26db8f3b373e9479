// What notifications counts and measures: attempts to deliver, what waits, mails, feedback that did not go out, and messages
// that nobody could read.

import { cached } from "@ems/kit/telemetry/cached";
import { counter, gauge, histogram } from "@ems/kit/telemetry/metrics";
import { startSpan } from "@ems/kit/telemetry/trace";
import type pg from "pg";
import type { Attempt } from "./deliveries/worker/send.ts";
import { missed } from "./feedback/unsent.ts";
import type { MailTransport } from "./mail/mail.ts";

const countAttempt = counter({
  name: "ems_webhook_attempts_total",
  help: "Attempts to deliver, by what came of them, in small letters; our own faults too, which no delivery is charged with.",
  labels: ["outcome"],
});
const observeAttempt = histogram({
  name: "ems_webhook_attempt_duration_seconds",
  help: "How long attempts to deliver took.",
  labels: ["outcome"],
});
const countMail = counter({
  name: "ems_email_total",
  help: "Mails, by what came of sending them: sent, or the fault in small letters.",
  labels: ["outcome"],
});
const onBacklog = gauge({
  name: "ems_webhook_backlog",
  help: "Deliveries that are due or being attempted; counting ends at 100,000. Without those to endpoints left alone after our faults.",
  labels: [],
});
const onOldestDue = gauge({
  name: "ems_webhook_oldest_due_age_seconds",
  help: "How long the delivery that is due longest has been due; 0 when none is. Without those to endpoints left alone after our faults.",
  labels: [],
});
const onDead = gauge({
  name: "ems_dead_events",
  help: "Messages that came over the bus and are no event that we know; they are kept.",
  labels: [],
});
const onMissed = gauge({
  name: "ems_feedback_unsent",
  help: "Feedback that did not go out though there is a relay; it is kept until an operator has it sent again.",
  labels: [],
});

/** Counts the attempt that `make` makes, and puts it into the trace of the change that the event tells of. */
export async function told(
  { type, traceparent }: { readonly type: string; readonly traceparent: string | null },
  make: () => Promise<Attempt>,
): Promise<Attempt> {
  const facts = { "http.request.method": "POST" };
  const span =
    traceparent === null ? undefined : startSpan(`webhook ${type}`, { role: "client", facts, parent: traceparent });
  const attempt = await (span === undefined ? make() : span.run(make));
  const outcome = outcomeOf(attempt);
  const statusCode = attempt.counts ? attempt.statusCode : null;
  span?.end(
    { "ems.webhook.outcome": outcome, ...(statusCode !== null && { "http.response.status_code": statusCode }) },
    outcome === "delivered" ? undefined : outcome,
  );
  tell(attempt, outcome);
  return attempt;
}

function outcomeOf(attempt: Attempt): string {
  return (attempt.counts ? attempt.outcome : attempt.fault).toLowerCase();
}

function tell(attempt: Attempt, outcome: string): void {
  countAttempt({ outcome });
  if (attempt.counts) observeAttempt({ outcome }, attempt.durationMs);
}

/** Counts the mails that go out by `transport`. */
export function counted<T extends MailTransport>(transport: T): T {
  return {
    ...transport,
    async send(mail) {
      const outcome = await transport.send(mail);
      countMail({ outcome: outcome.isSent ? "sent" : outcome.fault.toLowerCase() });
      return outcome;
    },
  };
}

/** Between two looks into the tables, however often somebody asks. */
const keptMs = 1_000;

const waitingText = `SELECT count(*)::int AS due,
    coalesce(greatest(0, extract(epoch FROM now() - min(next_attempt_at))), 0)::float8 AS age,
    (SELECT count(*)::int FROM notifications.dead_event) AS dead,
    (SELECT count(*)::int FROM notifications.feedback WHERE ${missed}) AS feedback
  FROM (SELECT next_attempt_at FROM notifications.delivery
    WHERE status = 'PENDING' AND next_attempt_at <= now() AND application_id <> ALL ($1::uuid[])
    LIMIT 100000) AS waiting`;

/** Shows what waits, as the role that sees every application's rows; answers how to end that. What `paused` names waits on purpose. */
export function watchWaiting(pool: pg.Pool, paused: () => readonly string[]): () => void {
  const look = cached(keptMs, async () => {
    const { rows } = await pool.query<{ due: number; age: number; dead: number; feedback: number }>(waitingText, [
      paused(),
    ]);
    return rows[0] ?? { due: 0, age: 0, dead: 0, feedback: 0 };
  });
  const stops = [
    onBacklog(async () => [{ labels: {}, value: (await look()).due }]),
    onOldestDue(async () => [{ labels: {}, value: (await look()).age }]),
    onDead(async () => [{ labels: {}, value: (await look()).dead }]),
    onMissed(async () => [{ labels: {}, value: (await look()).feedback }]),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

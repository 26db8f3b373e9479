// Checks after a load: each acknowledged write exists exactly once, and its events were delivered.

import { expect } from "vitest";
import { broken, undelivered } from "../faults/invariants.ts";
import type { Stores } from "./product.ts";
import { type Application, stepsPerTrace, type Traffic } from "./traffic.ts";

/** Waits until this many more topics and traces are acknowledged. */
export async function acknowledged({ topics, traces }: Traffic, count: number): Promise<void> {
  const [topicCount, traceCount] = [topics.size + count, traces.size + count];
  const isThere = () => topics.size >= topicCount && traces.size >= traceCount;
  await expect.poll(isThere, { timeout: 120_000, interval: 20 }).toBe(true);
}

/** Waits until all events are delivered, then returns a sentence for each lost or duplicate write. */
export async function lostOrDouble(
  { sql, receiver }: Pick<Stores, "sql" | "receiver">,
  { applicationId }: Application,
  { topics, traces }: Pick<Traffic, "topics" | "traces">,
): Promise<string[]> {
  await expect.poll(() => undelivered({ sql, applicationId }), { timeout: 90_000, interval: 200 }).toBe(0);
  const received = receiver.getIds(applicationId, "topic.created");
  const wrong = await broken({ sql, applicationId, acknowledged: topics, refused: new Set(), received });
  const stored = await sql<{ id: string; steps: number; stepCount: number }>(
    `SELECT t.id, t.step_count AS "stepCount", (SELECT count(*)::int FROM traces.trace_step s
       WHERE s.application_id = t.application_id AND s.trace_id = t.id) AS steps
     FROM traces.trace t WHERE t.application_id = $1`,
    [applicationId],
  );
  const ids = new Set(stored.map(({ id }) => id));
  return [
    ...wrong,
    ...[...traces].filter((id) => !ids.has(id)).map((id) => `trace ${id} was acknowledged and is not there`),
    ...[...ids].filter((id) => !traces.has(id)).map((id) => `trace ${id} is there and was never acknowledged`),
    ...stored
      .filter(({ steps, stepCount }) => steps !== stepsPerTrace || stepCount !== stepsPerTrace)
      .map(({ id, steps, stepCount }) => `trace ${id} has ${steps} steps and counts ${stepCount}`),
  ];
}

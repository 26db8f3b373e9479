// Gauges that display dead letters and unsent feedback to operators.

import type { RelayDatabase } from "@ems/kit/db/relay-database";
import { gauge } from "@ems/kit/telemetry/metrics";
import { missed } from "./feedback/index.ts";

const onDead = gauge({
  name: "ems_dead_events",
  help: "Dead letters: received messages that are not a known event.",
  labels: [],
});
const onMissed = gauge({
  name: "ems_feedback_unsent",
  help: "Feedback that was not sent although there is a relay, stored until an operator resends it.",
  labels: [],
});

/** Registers the gauges; returns a function that removes them. */
export function watchKept(relayDatabase: RelayDatabase): () => void {
  const count = (rows: string) => async () => {
    const [row] = await relayDatabase.query<{ value: number }>({ text: `SELECT count(*)::int AS value FROM ${rows}` });
    return [{ labels: {}, value: row?.value ?? 0 }];
  };
  const stops = [onDead(count("notifications.dead_event")), onMissed(count(`notifications.feedback WHERE ${missed}`))];
  return () => {
    for (const stop of stops) stop();
  };
}

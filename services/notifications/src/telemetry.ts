// Gauges of what is kept for operators.

import type { RelayDatabase } from "@ems/kit/db/relay-database";
import { gauge } from "@ems/kit/telemetry/metrics";
import { missed } from "./feedback/index.ts";

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

/** Registers the gauges; answers how to remove them. */
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

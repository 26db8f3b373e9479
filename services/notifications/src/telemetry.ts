// Gauges of what waits in the tables.

import type { RelayDatabase } from "@ems/kit/db/relay-database";
import { cached } from "@ems/kit/telemetry/cached";
import { gauge } from "@ems/kit/telemetry/metrics";
import type { DeliveryRow } from "./deliveries/index.ts";
import { missed } from "./feedback/index.ts";

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
const onPrompts = gauge({
  name: "ems_prompts_waiting",
  help: "Prompts of tests that are due or being attempted; counting ends at 100,000.",
  labels: [],
});
const onOldestPrompt = gauge({
  name: "ems_prompts_oldest_due_age_seconds",
  help: "How long the prompt that is due longest has been due; 0 when none is.",
  labels: [],
});
const onOutcomes = gauge({
  name: "ems_prompt_outcomes_waiting",
  help: "Outcomes of prompts that experiments does not know yet; counting ends at 100,000.",
  labels: [],
});
const onOldestOutcome = gauge({
  name: "ems_prompt_outcomes_oldest_age_seconds",
  help: "How long the oldest of these outcomes has waited; 0 when none waits.",
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

/** One query serves all gauges of a scrape, and scrapes within this time. */
const cacheMs = 1_000;

const age = (column: string) => `coalesce(greatest(0, extract(epoch FROM now() - min(${column}))), 0)::float8`;
const dueOf = (kind: DeliveryRow["kind"]) => `SELECT next_attempt_at FROM notifications.delivery
    WHERE status = 'PENDING' AND kind = '${kind}' AND next_attempt_at <= now()`;

const backlogText = `SELECT events.due, events.age, prompts.due AS prompts, prompts.age AS "promptAge",
    outcomes.waiting AS outcomes, outcomes.age AS "outcomeAge",
    (SELECT count(*)::int FROM notifications.dead_event) AS dead,
    (SELECT count(*)::int FROM notifications.feedback WHERE ${missed}) AS feedback
  FROM (SELECT count(*)::int AS due, ${age("next_attempt_at")} AS age
      FROM (${dueOf("EVENT")} AND application_id <> ALL ($1::uuid[]) LIMIT 100000) AS due) AS events,
    (SELECT count(*)::int AS due, ${age("next_attempt_at")} AS age FROM (${dueOf("PROMPT")} LIMIT 100000) AS due) AS prompts,
    (SELECT count(*)::int AS waiting, ${age("created_at")} AS age
      FROM (SELECT created_at FROM notifications.prompt_outcome ORDER BY created_at LIMIT 100000) AS waiting) AS outcomes`;

interface Backlog {
  readonly due: number;
  readonly age: number;
  readonly prompts: number;
  readonly promptAge: number;
  readonly outcomes: number;
  readonly outcomeAge: number;
  readonly dead: number;
  readonly feedback: number;
}

const nothing = { due: 0, age: 0, prompts: 0, promptAge: 0, outcomes: 0, outcomeAge: 0, dead: 0, feedback: 0 };

/** Registers the gauges; answers how to remove them. Deliveries of `paused` applications are not counted. */
export function watchBacklog(relayDatabase: RelayDatabase, paused: () => readonly string[]): () => void {
  const read = cached(cacheMs, async () => {
    const [row] = await relayDatabase.query<Backlog>({ text: backlogText, values: [paused()] });
    return row ?? nothing;
  });
  const value = (key: keyof Backlog) => async () => [{ labels: {}, value: (await read())[key] }];
  const stops = [
    onBacklog(value("due")),
    onOldestDue(value("age")),
    onPrompts(value("prompts")),
    onOldestPrompt(value("promptAge")),
    onOutcomes(value("outcomes")),
    onOldestOutcome(value("outcomeAge")),
    onDead(value("dead")),
    onMissed(value("feedback")),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

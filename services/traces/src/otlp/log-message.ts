// Messages from log records, stored for their steps, which may arrive before or after the records.

import {
  bigint,
  boolean,
  integer,
  nullable,
  type Row,
  storableJson,
  storableText,
  table,
  timestamp,
  uuid,
  withDefault,
} from "@ems/kit/db/table";
import type { Transaction } from "@ems/kit/db/transaction";
import { makeJsonTextStorable, type StorableJson } from "@ems/kit/readers";
import type { StepPayloads } from "../traces/index.ts";
import { inputText, messages, outputText } from "./messages.ts";

export type LogMessageRow = Row<typeof LogMessageEntity>;

export const LogMessageEntity = table(
  "traces.log_message",
  {
    applicationId: uuid,
    traceId: uuid,
    stepId: uuid,
    /** Derived from the message, so that a repeated record is stored only once. */
    id: uuid,
    isOutput: boolean,
    /** Nanoseconds since 1970. Messages are sorted by this time, then by their position in the request. */
    recordedAt: bigint,
    position: integer,
    content: storableJson<StorableJson>(),
    finishReason: nullable(storableText),
    /** Number of the message's characters that were replaced by U+FFFD. */
    replacedCharacters: withDefault(integer, 0),
    createdAt: timestamp,
  },
  { primaryKey: ["applicationId", "traceId", "stepId", "id"] },
);

export type StepKey = Pick<LogMessageRow, "traceId" | "stepId">;

/**
 * Takes the locks between spans and log records. Spans can be stored concurrently, but spans and records wait for each
 * other, so that whichever comes second sees the first.
 */
export async function lockLogMessages(
  tx: Transaction,
  applicationId: string,
  mode: "spans" | "records",
): Promise<void> {
  const lock = mode === "spans" ? "pg_advisory_xact_lock_shared" : "pg_advisory_xact_lock";
  await tx.query(`SELECT ${lock}(hashtextextended('traces.log_message/' || $1, 0))`, [applicationId]);
}

/** Builds payloads from the stored messages of steps; steps without messages are omitted. */
export async function payloadsFromLogs(
  tx: Transaction,
  applicationId: string,
  steps: readonly StepKey[],
): Promise<StepPayloads[]> {
  if (steps.length === 0) return [];
  const rows = await tx.query<
    StepKey & Pick<LogMessageRow, "isOutput" | "content" | "finishReason" | "replacedCharacters">
  >(
    `SELECT m.trace_id AS "traceId", m.step_id AS "stepId", m.is_output AS "isOutput", m.content,
       m.finish_reason AS "finishReason", m.replaced_characters AS "replacedCharacters"
     FROM (SELECT DISTINCT trace_id, step_id FROM unnest($2::uuid[], $3::uuid[]) AS r (trace_id, step_id)) requested
     JOIN traces.log_message m ON m.application_id = $1 AND m.trace_id = requested.trace_id
       AND m.step_id = requested.step_id
     ORDER BY m.trace_id, m.step_id, m.recorded_at, m."position", m.id`,
    [applicationId, steps.map(({ traceId }) => traceId), steps.map(({ stepId }) => stepId)],
  );
  const byStep = Map.groupBy(rows, ({ traceId, stepId }) => `${traceId}/${stepId}`);
  return [...byStep.values()].flatMap((list) => {
    const [first] = list;
    if (first === undefined) return [];
    const read = (isOutput: boolean) =>
      list.filter((row) => row.isOutput === isOutput).flatMap(({ content }) => messages(content));
    const [inputs, outputs] = [read(false), read(true)];
    return {
      traceId: first.traceId,
      stepId: first.stepId,
      input: inputs.length > 0 ? makeJsonTextStorable(inputText(inputs)) : undefined,
      output: outputs.length > 0 ? makeJsonTextStorable(outputText(outputs)) : undefined,
      replacedCharacters: list.reduce((sum, { replacedCharacters }) => sum + replacedCharacters, 0),
      finishReason: list.find(({ finishReason }) => finishReason !== null)?.finishReason ?? undefined,
    };
  });
}

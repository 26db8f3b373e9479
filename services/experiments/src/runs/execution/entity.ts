import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { integer, json, nullable, oneOf, type Row, table, text, timestamp, uuid, withDefault } from "@ems/kit/db/table";
import type { Tenant } from "@ems/kit/tenant";
import type { EvaluationRow } from "@ems/results";

/** Tenant that owns the changed rows. */
export type Owner = Pick<Tenant, "applicationId" | "orgId">;

/** A definition that will judge a test, as it was linked when the test was planned. */
export interface PlannedDefinition {
  readonly id: string;
  readonly type: EvaluationRow["definitionType"];
  readonly expected: JsonValue;
}

/** An evaluation offered to judges. */
export interface OfferedEvaluation {
  readonly id: string;
  readonly definitionId: string;
  readonly definitionType: EvaluationRow["definitionType"];
}

export type ExecutionRow = Row<typeof ExecutionEntity>;

/**
 * A test in progress and its next step. Its prompt waits in the run's queue (`queued`), is to be written (`prompt`), is
 * being written (`writing`) or delivered (`delivery`). Then the test waits for its trace (`trace`). Then its
 * evaluations are to be judged (`judge`) or are being judged (`judging`).
 */
export const ExecutionEntity = table(
  "experiments.test_execution",
  {
    applicationId: uuid,
    testId: uuid,
    orgId: text,
    runId: uuid,
    /** Creation time of the test, which selects its partition. */
    createdAt: timestamp,
    state: oneOf("queued", "prompt", "writing", "delivery", "trace", "judge", "judging"),
    /** Time at which work is due, or deadline of the application. */
    dueAt: timestamp,
    /** Number of times that the test was claimed. */
    attempt: withDefault(integer, 0),
    definitions: json<readonly PlannedDefinition[]>(),
    evaluations: json<readonly OfferedEvaluation[]>(),
    /** The task's metadata, for the prompt of a queued test. */
    metadata: nullable(json<JsonObject>()),
  },
  {
    primaryKey: ["applicationId", "testId"],
    indices: [
      {
        name: "test_execution_run",
        columns: ["applicationId", "runId", "testId"],
        where: "(state = ANY (ARRAY['queued'::text, 'prompt'::text, 'writing'::text, 'delivery'::text]))",
      },
      {
        name: "test_execution_work",
        columns: ["applicationId", "dueAt"],
        where: "(state = ANY (ARRAY['prompt'::text, 'judge'::text]))",
      },
      {
        name: "test_execution_deadline",
        columns: ["dueAt"],
        where: "(state = ANY (ARRAY['delivery'::text, 'trace'::text]))",
      },
    ],
  },
);

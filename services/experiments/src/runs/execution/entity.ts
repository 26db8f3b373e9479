import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { integer, json, nullable, oneOf, type Row, table, text, timestamp, uuid, withDefault } from "@ems/kit/db/table";
import type { Tenant } from "@ems/kit/tenant";
import type { EvaluationRow } from "@ems/results";

/** Whose rows a transaction changes. */
export type Owner = Pick<Tenant, "applicationId" | "orgId">;

/** A definition by which a test will be judged, as it was linked when the test was planned. */
export interface PlannedDefinition {
  readonly id: string;
  readonly type: EvaluationRow["definitionType"];
  readonly expected: JsonValue;
}

/** An evaluation that is offered to judges. */
export interface OfferedEvaluation {
  readonly id: string;
  readonly definitionId: string;
  readonly definitionType: EvaluationRow["definitionType"];
}

export type ExecutionRow = Row<typeof ExecutionEntity>;

/**
 * A test that has not ended, and what comes next: its turn among the prompts of its run (`queued`), a prompt is to be written (`prompt`) or being written (`writing`), delivered,
 * the trace is awaited, its evaluations are to be judged (`judge`) or being judged (`judging`).
 */
export const ExecutionEntity = table(
  "experiments.test_execution",
  {
    applicationId: uuid,
    testId: uuid,
    orgId: text,
    runId: uuid,
    /** The test's. */
    createdAt: timestamp,
    state: oneOf("queued", "prompt", "writing", "delivery", "trace", "judge", "judging"),
    /** When work is claimed (again), or the deadline of what the application does. */
    dueAt: timestamp,
    /** Number of claims. */
    attempt: withDefault(integer, 0),
    definitions: json<readonly PlannedDefinition[]>(),
    evaluations: json<readonly OfferedEvaluation[]>(),
    /** The task's, for the prompt of a queued test. */
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

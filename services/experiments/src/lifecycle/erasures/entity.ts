import {
  integer,
  json,
  nullable,
  oneOf,
  type Row,
  table,
  text,
  timestamp,
  uuid,
  uuids,
  withDefault,
} from "@ems/kit/db/table";

export type ErasureRow = Row<typeof ErasureEntity>;

/** Numbers of erased items, by the fields of ErasureCounts. */
export interface Counts {
  readonly [kind: string]: number;
}

/** Erasure of an end user, identified by a hash. */
export const ErasureEntity = table(
  "experiments.erasure",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    endUserKey: uuid,
    status: oneOf("RUNNING", "COMPLETED"),
    erased: withDefault(json<Counts>(), {}),
    /** Time when it continues, or end of a process's lease; null when completed. */
    dueAt: nullable(timestamp),
    createdAt: timestamp,
    modifiedAt: timestamp,
    completedAt: nullable(timestamp),
  },
  {
    checks: [{ name: "erasure_due_check", expression: "(status = 'RUNNING') = (due_at IS NOT NULL)" }],
    indices: [
      { name: "erasure_created", columns: ["applicationId", "createdAt", "id"] },
      {
        name: "erasure_running",
        columns: ["applicationId", "endUserKey"],
        unique: true,
        where: "(status = 'RUNNING'::text)",
      },
      { name: "erasure_due", columns: ["dueAt"], where: "(due_at IS NOT NULL)" },
    ],
  },
);

/**
 * Traces to erase in addition to the user's: traces of tests whose tasks were made from them. Also traces of either
 * kind that are being erased, with their counts.
 */
export const ErasureTraceEntity = table(
  "experiments.erasure_trace",
  { applicationId: uuid, erasureId: uuid, traceId: uuid, testId: nullable(uuid), steps: nullable(integer) },
  { primaryKey: ["applicationId", "erasureId", "traceId"] },
);

export type ErasureWorkRow = Row<typeof ErasureWorkEntity>;

/** Erasure work of another service. */
export const ErasureWorkEntity = table(
  "experiments.erasure_work",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    erasureId: uuid,
    service: oneOf("CATALOG", "EVALUATION", "NOTIFICATIONS"),
    traceIds: uuids,
    testIds: uuids,
    /** Ids of issues and tasks. */
    subjectIds: uuids,
    /** Time when it can be claimed, or end of a lease. */
    dueAt: timestamp,
  },
  {
    indices: [
      { name: "erasure_work_due", columns: ["service", "dueAt"] },
      { name: "erasure_work_erasure", columns: ["applicationId", "erasureId"] },
    ],
  },
);

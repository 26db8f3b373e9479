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

/** Numbers of erased items, named like the fields of ErasureCounts. */
export interface Counts {
  readonly [kind: string]: number;
}

/** The erasure of an end user, who is identified by a hash, or the deletion of traces. */
export const ErasureEntity = table(
  "experiments.erasure",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    /** Null for a deletion of traces, which `erasure_trace` lists. */
    endUserKey: nullable(uuid),
    status: oneOf("RUNNING", "COMPLETED"),
    erased: withDefault(json<Counts>(), {}),
    /** Time at which the erasure continues, or at which a process's lease ends; null when completed. */
    dueAt: nullable(timestamp),
    createdAt: timestamp,
    modifiedAt: timestamp,
    completedAt: nullable(timestamp),
    /** Number of traces of a deletion; null for an end user. */
    traces: nullable(integer),
    /** The trace of the deletion of one trace. */
    traceId: nullable(uuid),
  },
  {
    checks: [
      { name: "erasure_due_check", expression: "(status = 'RUNNING') = (due_at IS NOT NULL)" },
      { name: "erasure_kind_check", expression: "(end_user_key IS NULL) = (traces IS NOT NULL)" },
    ],
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
 * Traces that an erasure deletes in addition to the user's: those of tests whose tasks were made from the user's
 * traces. Also contains the traces of the current batch, with their numbers of steps.
 */
export const ErasureTraceEntity = table(
  "experiments.erasure_trace",
  { applicationId: uuid, erasureId: uuid, traceId: uuid, testId: nullable(uuid), steps: nullable(integer) },
  { primaryKey: ["applicationId", "erasureId", "traceId"] },
);

export type ErasureWorkRow = Row<typeof ErasureWorkEntity>;

/** Erasure work that another service has to do. */
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
    /** Ids of the issues and tasks to erase. */
    subjectIds: uuids,
    /** Time from which the work can be claimed, or at which a lease ends. */
    dueAt: timestamp,
  },
  {
    indices: [
      { name: "erasure_work_due", columns: ["service", "dueAt"] },
      { name: "erasure_work_erasure", columns: ["applicationId", "erasureId"] },
    ],
  },
);

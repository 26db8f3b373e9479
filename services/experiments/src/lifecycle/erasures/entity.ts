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

/** Numbers of what was erased, by the names of ErasureCounts. */
export interface Counts {
  readonly [kind: string]: number;
}

/** The erasure of an end user; a hash says which. */
export const ErasureEntity = table(
  "experiments.erasure",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    endUserKey: uuid,
    status: oneOf("RUNNING", "COMPLETED"),
    erased: withDefault(json<Counts>(), {}),
    /** When it goes on, or the end of a process's lease; null when it is over. */
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
 * Traces beside those of the user: of tests whose tasks were made of the user's. And those of either that are being erased, with what
 * is counted of them.
 */
export const ErasureTraceEntity = table(
  "experiments.erasure_trace",
  { applicationId: uuid, erasureId: uuid, traceId: uuid, testId: nullable(uuid), steps: nullable(integer) },
  { primaryKey: ["applicationId", "erasureId", "traceId"] },
);

export type ErasureWorkRow = Row<typeof ErasureWorkEntity>;

/** What another service has still to erase. */
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
    /** Issues and tasks. */
    subjectIds: uuids,
    /** When it is to be claimed, or the end of a lease. */
    dueAt: timestamp,
  },
  {
    indices: [
      { name: "erasure_work_due", columns: ["service", "dueAt"] },
      { name: "erasure_work_erasure", columns: ["applicationId", "erasureId"] },
    ],
  },
);

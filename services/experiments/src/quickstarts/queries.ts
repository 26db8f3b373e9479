// Quickstarts and what hangs on them, as they are read.

import type { Database, Statement } from "@ems/kit/db/database";
import { notFound } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import type { QuickstartRow } from "./entity.ts";

/** The columns of QuickstartRow, of `experiments.quickstart q`. */
export const quickstartColumns = `
  q.application_id AS "applicationId", q.id, q.org_id AS "orgId", q.title, q.description,
  q.created_at AS "createdAt", q.modified_at AS "modifiedAt"`;

/** The columns of AssignmentRow, of `experiments.assignment a`. */
export const assignmentColumns = `
  a.application_id AS "applicationId", a.id, a.org_id AS "orgId", a.quickstart_id AS "quickstartId", a.stage,
  a.topic_id AS "topicId", a.assigned_to AS "assignedTo", a.created_at AS "createdAt", a.modified_at AS "modifiedAt"`;

/** The columns of ContradictionRow, of `experiments.contradiction c`. */
export const contradictionColumns = `
  c.application_id AS "applicationId", c.id, c.org_id AS "orgId", c.quickstart_id AS "quickstartId",
  c.document_test_id AS "documentTestId", c.document_a_id AS "documentAId", c.document_b_id AS "documentBId",
  c.reason, c.passage_a AS "passageA", c.passage_b AS "passageB", c.resolved, c.assigned_to AS "assignedTo",
  c.created_at AS "createdAt", c.modified_at AS "modifiedAt"`;

const oneQuickstart = `SELECT ${quickstartColumns} FROM experiments.quickstart q
  WHERE q.application_id = $1 AND q.id = $2`;

/** Reads a quickstart of the caller's application. */
export function quickstartById(call: Call, id: string): Statement {
  return { name: "get-quickstart", text: oneQuickstart, values: [call.tenant.applicationId, id] };
}

/** A quickstart of the caller's application. Quickstarts are never deleted: one that is found stays. */
export async function findQuickstart(database: Database, call: Call, id: string): Promise<QuickstartRow> {
  const [row] = await database.read<QuickstartRow>(call, quickstartById(call, id));
  if (row === undefined) throw notFound("Quickstart");
  return row;
}

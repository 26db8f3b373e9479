import { enumName } from "@ems/kit/enum";
import { notFound } from "@ems/kit/errors";
import { forward } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  AssignmentStageSchema,
  type NewAssignment,
  type QuickstartService,
} from "@ems/proto/experiments/v1/quickstart_service";
import type { Deps } from "../deps.ts";
import { findQuickstart } from "../quickstarts/index.ts";
import { assignmentsCreated, type ChangedAssignment, reviewsAssigned } from "./events.ts";

type Handler = Handlers<typeof QuickstartService>["createAssignments"];

// Unchanged assignments are not updated and not returned. The fixed lock order prevents deadlocks.
const upsert = `
  INSERT INTO experiments.assignment AS a
    (application_id, id, org_id, quickstart_id, stage, topic_id, assigned_to, created_at, modified_at)
  SELECT $1, n.id, $2, $3, n.stage, n.topic_id, n.assigned_to, $4, $4
  FROM unnest($5::uuid[], $6::text[], $7::uuid[], $8::text[]) AS n (id, stage, topic_id, assigned_to)
  ORDER BY n.topic_id, n.stage
  ON CONFLICT ON CONSTRAINT assignment_topic_key
    DO UPDATE SET assigned_to = excluded.assigned_to, modified_at = excluded.modified_at
    WHERE a.assigned_to <> excluded.assigned_to
  RETURNING a.id, a.stage, a.topic_id AS "topicId", a.assigned_to AS "assignedTo"`;

/** Assigns people to topics, one for each stage and topic of the quickstart. */
export function createAssignments({ database, publish, clock, newId, references }: Deps): Handler {
  return async ({ id, assignments }, call) => {
    const { applicationId, orgId } = call.tenant;
    const quickstart = await findQuickstart(database, call, id);
    const rows = lastOfEach(assignments);
    const topicIds = [...new Set(rows.map(({ topicId }) => topicId))];
    const { missingTopicIds } = await references.checkReferences({ topicIds }, forward(call));
    if (missingTopicIds.length > 0) throw notFound("Topic");

    return database.change(call, async (tx) => {
      const changed = await tx.query<ChangedAssignment>(upsert, [
        ...[applicationId, orgId, quickstart.id, clock.now()],
        rows.map(() => newId()),
        rows.map(({ stage }) => stage),
        rows.map(({ topicId }) => topicId),
        rows.map(({ assignedTo }) => assignedTo),
      ]);
      for (const fact of [...assignmentsCreated(quickstart.id, changed), ...reviewsAssigned(quickstart, changed)]) {
        await publish(tx, call.tenant, fact);
      }
      return { count: BigInt(rows.length) };
    });
  };
}

/** Of several for the same stage and topic the last one counts. */
function lastOfEach(assignments: readonly NewAssignment[]) {
  const rows = assignments.map(({ stage, topicId, assignedTo }) => {
    return { stage: enumName(AssignmentStageSchema, stage), topicId: topicId.toLowerCase(), assignedTo };
  });
  return [...new Map(rows.map((row) => [`${row.stage} ${row.topicId}`, row])).values()];
}

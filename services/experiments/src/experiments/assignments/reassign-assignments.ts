import { notFound } from "@ems/kit/errors";
import { distinctIds } from "@ems/kit/id";
import type { Handlers } from "@ems/kit/rpc/service";
import type { QuickstartService } from "@ems/proto/experiments/v1/quickstart_service";
import type { Deps } from "../../deps.ts";
import { quickstartById } from "../quickstarts/index.ts";
import { assignmentsCreated, type ChangedAssignment, reviewsAssigned } from "./events.ts";

type Handler = Handlers<typeof QuickstartService>["reassignAssignments"];

// Row locks in id order prevent deadlocks between calls for the same assignments.
const lockAssignments = `SELECT id FROM experiments.assignment
  WHERE application_id = $1 AND quickstart_id = $2 AND id = ANY ($3::uuid[]) ORDER BY id FOR NO KEY UPDATE`;

const changeAssignee = `UPDATE experiments.assignment SET assigned_to = $4, modified_at = $5
  WHERE application_id = $1 AND quickstart_id = $2 AND id = ANY ($3::uuid[]) AND assigned_to <> $4
  RETURNING id, stage, topic_id AS "topicId", assigned_to AS "assignedTo"`;

/** Reassigns assignments to another person; an assignment without a change is neither written nor published. */
export function reassignAssignments({ database, publish, clock }: Deps): Handler {
  return async ({ id, ids, assignedTo }, call) => {
    const { applicationId } = call.tenant;
    const check = () => quickstartById.read(database, call, id);
    const assignmentIds = distinctIds(ids);
    return database.changeAfter(call, check, async (tx, quickstart) => {
      const values = [applicationId, quickstart.id, assignmentIds];
      const [found, changed] = await Promise.all([
        tx.query(lockAssignments, values),
        tx.query<ChangedAssignment>(changeAssignee, [...values, assignedTo, clock.now()]),
      ]);
      if (found.length < assignmentIds.length) throw notFound("Assignment");
      for (const fact of [...assignmentsCreated(quickstart.id, changed), ...reviewsAssigned(quickstart, changed)]) {
        await publish(tx, call.tenant, fact);
      }
      return { count: BigInt(assignmentIds.length) };
    });
  };
}

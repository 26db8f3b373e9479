import type { Upsert } from "@ems/kit/db/insert";
import { enumName } from "@ems/kit/enum";
import { notFound } from "@ems/kit/errors";
import { forward } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  type AssignmentStage,
  AssignmentStageSchema,
  type NewAssignment,
  type QuickstartService,
} from "@ems/proto/experiments/v1/quickstart_service";
import type { Deps } from "../../deps.ts";
import { quickstartById } from "../quickstarts/index.ts";
import { AssignmentEntity, type AssignmentRow } from "./entity.ts";
import { assignmentsCreated, reviewsAssigned } from "./events.ts";

type Handler = Handlers<typeof QuickstartService>["createAssignments"];

/** Rows with an unchanged assignee are neither updated nor returned. */
const upsert: Upsert<AssignmentRow> = {
  key: ["applicationId", "quickstartId", "stage", "topicId"],
  update: ["assignedTo", "modifiedAt"],
  ifChanged: ["assignedTo"],
};

/** Assigns one person to each given pair of stage and topic of the quickstart. */
export function createAssignments({ database, publish, clock, newId, references }: Deps): Handler {
  return async ({ id, assignments }, call) => {
    const { applicationId, orgId } = call.tenant;
    const rows = lastOfEach(assignments);
    const topicIds = [...new Set(rows.map(({ topicId }) => topicId))];
    const check = async () => {
      const quickstart = await quickstartById.read(database, call, id);
      const { missingTopicIds } = await references.checkReferences({ topicIds }, forward(call));
      if (missingTopicIds.length > 0) throw notFound("Topic");
      return quickstart;
    };
    return database.changeAfter(call, check, async (tx, quickstart) => {
      const now = clock.now();
      const shared = { applicationId, orgId, quickstartId: quickstart.id, createdAt: now, modifiedAt: now };
      const changed = await tx.insertReturning(
        AssignmentEntity,
        inLockOrder(rows.map((row) => ({ ...shared, id: newId(), ...row }))),
        ["id", "stage", "topicId", "assignedTo"],
        upsert,
      );
      for (const fact of [...assignmentsCreated(quickstart.id, changed), ...reviewsAssigned(quickstart, changed)]) {
        await publish(tx, call.tenant, fact);
      }
      return { count: BigInt(rows.length) };
    });
  };
}

/** Returns one assignment per stage and topic: the last one in the request. */
function lastOfEach(assignments: readonly NewAssignment[]) {
  const rows = assignments.map(({ stage, topicId, assignedTo }) => {
    return { stage: toStage(stage), topicId: topicId.toLowerCase(), assignedTo };
  });
  return [...new Map(rows.map((row) => [getKey(row), row])).values()];
}

/** Sorts the rows: a fixed order of locks prevents deadlocks between calls for the same topics. */
function inLockOrder(rows: readonly AssignmentRow[]): AssignmentRow[] {
  return rows.toSorted((a, b) => (getKey(a) < getKey(b) ? -1 : 1));
}

const toStage = (stage: AssignmentStage) => enumName<AssignmentRow["stage"]>(AssignmentStageSchema, stage);
const getKey = ({ topicId, stage }: Pick<AssignmentRow, "topicId" | "stage">) => `${topicId} ${stage}`;

import { notFound } from "@ems/kit/errors";
import { buildMessage } from "@ems/kit/message";
import { type Call, forward } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  HumanAnnotationQueueSchema,
  type HumanAnnotationQueueService,
} from "@ems/proto/experiments/v1/human_annotation_queue_service";
import { assignedUsers } from "@ems/users";
import type { Deps } from "../../deps.ts";
import { reviewedCriterion } from "../criteria/index.ts";
import { QueueEntity, type QueueRow, queueExists, queueVersions } from "./entity.ts";

type Handler = Handlers<typeof HumanAnnotationQueueService>["createHumanAnnotationQueue"];

/** Creates one person's review queue for a topic, at most one per definition. */
export function createHumanAnnotationQueue(deps: Deps): Handler {
  const { database, clock, newId } = deps;
  return (request, call) => {
    const { applicationId, orgId, userId } = call.tenant;
    const row: QueueRow = {
      applicationId,
      orgId,
      id: newId(),
      topicId: request.topicId.toLowerCase(),
      assigneeId: request.assigneeId ?? userId,
      createdAt: clock.now(),
      definitionId: request.definitionId?.toLowerCase() ?? null,
    };
    const check = () => loadNames(deps, call, row);
    return database.changeAfter(call, check, async (tx, names) => {
      const inserted = await tx.insertReturning(QueueEntity, [row], ["id"], "ignore");
      if (inserted.length === 0) throw queueExists(row);
      queueVersions.answer(call, row);
      return {
        data: buildMessage(HumanAnnotationQueueSchema, { ...row, ...names, pendingCount: 0, completedCount: 0 }),
      };
    });
  };
}

/** Loads the names of the queue's topic and assignee, and its definition, which must exist. */
async function loadNames({ references, users }: Deps, call: Call, { topicId, assigneeId, definitionId }: QueueRow) {
  const definitionIds = definitionId === null ? [] : [definitionId];
  const [{ topics, definitions }, people] = await Promise.all([
    references.batchGetReferences({ topicIds: [topicId], definitionIds }, forward(call)),
    assignedUsers(users, call, [{ assignedTo: assigneeId }]),
  ]);
  const [topic] = topics;
  if (topic === undefined) throw notFound("Topic");
  const person = people.get(assigneeId);
  if (person === undefined) throw notFound("User");
  const [definition] = definitions;
  if (definitionId !== null && definition === undefined) throw notFound("Evaluation definition");
  const criterion = definition === undefined ? null : reviewedCriterion(definition, []);
  return { criterion, topicTitle: topic.title, assigneeName: person.name, assigneeEmail: person.email };
}

import { conflict, notFound } from "@ems/kit/errors";
import { buildMessage } from "@ems/kit/message";
import { type Call, forward } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  HumanAnnotationQueueSchema,
  type HumanAnnotationQueueService,
} from "@ems/proto/experiments/v1/human_annotation_queue_service";
import { assignedUsers } from "@ems/users";
import type { Deps } from "../../deps.ts";
import { QueueEntity, type QueueRow, queueVersions } from "./entity.ts";

type Handler = Handlers<typeof HumanAnnotationQueueService>["createHumanAnnotationQueue"];

/** Creates one person's review queue for a topic. A person has at most one queue per topic. */
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
    };
    const check = () => loadNames(deps, call, row);
    return database.changeAfter(call, check, async (tx, names) => {
      const inserted = await tx.insertReturning(QueueEntity, [row], ["id"], "ignore");
      if (inserted.length === 0) throw conflict("The assignee has a queue of this topic");
      queueVersions.answer(call, row);
      return {
        data: buildMessage(HumanAnnotationQueueSchema, { ...row, ...names, pendingCount: 0, completedCount: 0 }),
      };
    });
  };
}

/** Loads the names of the queue's topic and assignee, who must both exist. */
async function loadNames({ references, users }: Deps, call: Call, { topicId, assigneeId }: QueueRow) {
  const [{ topics }, people] = await Promise.all([
    references.batchGetReferences({ topicIds: [topicId] }, forward(call)),
    assignedUsers(users, call, [{ assignedTo: assigneeId }]),
  ]);
  const [topic] = topics;
  if (topic === undefined) throw notFound("Topic");
  const person = people.get(assigneeId);
  if (person === undefined) throw notFound("User");
  return { topicTitle: topic.title, assigneeName: person.name, assigneeEmail: person.email };
}

import { violatesUnique } from "@ems/kit/db/errors";
import { notFound } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { HumanAnnotationQueueService } from "@ems/proto/experiments/v1/human_annotation_queue_service";
import { assignedUsers } from "@ems/users";
import type { Deps } from "../../deps.ts";
import { QueueEntity, queueExists, queueKey, queueVersions } from "./entity.ts";
import { fullQueues, queueById } from "./queries.ts";

type Handler = Handlers<typeof HumanAnnotationQueueService>["updateHumanAnnotationQueue"];

/** Reassigns a queue to another person, who must not already have a queue for its topic. */
export function updateHumanAnnotationQueue(deps: Deps): Handler {
  const { database } = deps;
  return ({ id, assigneeId }, call) =>
    database.changeAfter(
      call,
      () => loadQueue(deps, call, id, assigneeId),
      async (tx, { row, data }) => {
        const key = { applicationId: call.tenant.applicationId, id };
        await queueVersions.lock(tx, call, key);
        const changed = await tx.update(QueueEntity, key, { assigneeId }).catch((error: unknown) => {
          throw violatesUnique(error, queueKey) ? queueExists(row) : error;
        });
        if (changed === 0) throw notFound("Human annotation queue");
        queueVersions.answer(call, row);
        return { data };
      },
    );
}

/** Returns the queue with its new assignee. Throws if that user does not exist. */
async function loadQueue(deps: Deps, call: Call, id: string, assigneeId: string) {
  const row = { ...(await queueById.read(deps.database, call, id)), assigneeId };
  const [[queue], people] = await Promise.all([
    fullQueues(deps, call, [row]),
    assignedUsers(deps.users, call, [{ assignedTo: assigneeId }]),
  ]);
  if (queue === undefined || !people.has(assigneeId)) throw notFound("User");
  return { row, data: queue };
}

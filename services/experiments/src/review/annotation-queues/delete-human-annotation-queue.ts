import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { HumanAnnotationQueueService } from "@ems/proto/experiments/v1/human_annotation_queue_service";
import type { Deps } from "../../deps.ts";
import { QueueEntity, QueueItemEntity } from "./entity.ts";

type Handler = Handlers<typeof HumanAnnotationQueueService>["deleteHumanAnnotationQueue"];

/** Deletes a queue with its items; annotations that were made from its items are kept. */
export function deleteHumanAnnotationQueue({ database }: Pick<Deps, "database">): Handler {
  return ({ id }, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = call.tenant;
      const row = await tx.findOne(QueueEntity, { applicationId, id }, { lock: "UPDATE" });
      if (row === null) throw notFound("Human annotation queue");
      tx.deferDelete(QueueItemEntity, { applicationId, queueId: row.id });
      tx.deferDelete(QueueEntity, { applicationId, id: row.id });
      return {};
    });
}

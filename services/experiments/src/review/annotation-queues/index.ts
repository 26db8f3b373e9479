import { type Mount, mount } from "@ems/kit/rpc/service";
import { HumanAnnotationQueueService } from "@ems/proto/experiments/v1/human_annotation_queue_service";
import type { Deps } from "../../deps.ts";
import { addHumanAnnotationQueueItems } from "./add-human-annotation-queue-items.ts";
import { createHumanAnnotationQueue } from "./create-human-annotation-queue.ts";
import { deleteHumanAnnotationQueue } from "./delete-human-annotation-queue.ts";
import { getHumanAnnotationQueue } from "./get-human-annotation-queue.ts";
import { listHumanAnnotationQueueItems } from "./list-human-annotation-queue-items.ts";
import { listHumanAnnotationQueues } from "./list-human-annotation-queues.ts";
import { updateHumanAnnotationQueue } from "./update-human-annotation-queue.ts";

export { enqueue, lockQueue } from "./add-human-annotation-queue-items.ts";
export { completeItem } from "./complete-item.ts";
export type { QueueItemRow } from "./entity.ts";

export const annotationQueues = (deps: Deps): Mount =>
  mount(HumanAnnotationQueueService, {
    createHumanAnnotationQueue: createHumanAnnotationQueue(deps),
    listHumanAnnotationQueues: listHumanAnnotationQueues(deps),
    getHumanAnnotationQueue: getHumanAnnotationQueue(deps),
    updateHumanAnnotationQueue: updateHumanAnnotationQueue(deps),
    deleteHumanAnnotationQueue: deleteHumanAnnotationQueue(deps),
    addHumanAnnotationQueueItems: addHumanAnnotationQueueItems(deps),
    listHumanAnnotationQueueItems: listHumanAnnotationQueueItems(deps),
  });

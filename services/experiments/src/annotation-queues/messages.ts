import { messageOf } from "@ems/kit/message";
import { HumanAnnotationQueueItemSchema } from "@ems/proto/experiments/v1/human_annotation_queue_service";
import type { QueueItemRow } from "./entity.ts";

export const queueItem = (row: QueueItemRow) => messageOf(HumanAnnotationQueueItemSchema, row);

import { defineList, listPage, nonEmptyOrNull } from "@ems/kit/db/list";
import { distinctIds } from "@ems/kit/id";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  HumanAnnotationQueueOrderSchema,
  type HumanAnnotationQueueService,
} from "@ems/proto/experiments/v1/human_annotation_queue_service";
import type { Deps } from "../../deps.ts";
import { QueueEntity } from "./entity.ts";
import { fullQueues } from "./queries.ts";

type Handler = Handlers<typeof HumanAnnotationQueueService>["listHumanAnnotationQueues"];

const list = defineList(QueueEntity, {
  alias: "q",
  orderBy: HumanAnnotationQueueOrderSchema,
  where: {
    topicId: "q.topic_id = ANY (?)",
    assigneeId: "q.assignee_id = ?",
    definitionId: "q.definition_id = ANY (?)",
  },
});

/** Lists the queues of the caller's application with their progress. */
export function listHumanAnnotationQueues(deps: Deps): Handler {
  return async (request, call) => {
    const filters = {
      topicId: nonEmptyOrNull(distinctIds(request.topicId)),
      definitionId: nonEmptyOrNull(distinctIds(request.definitionId)),
      assigneeId: request.assignedToCurrentUser === true ? call.tenant.userId : null,
    };
    const { rows, pagination } = await listPage(deps.database, call, list, request, filters);
    return { data: await fullQueues(deps, call, rows), pagination };
  };
}

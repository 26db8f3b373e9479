import type { Handlers } from "@ems/kit/rpc/service";
import type { HumanAnnotationQueueService } from "@ems/proto/experiments/v1/human_annotation_queue_service";
import type { Deps } from "../../deps.ts";
import { readExamples } from "../criteria/index.ts";
import { queueVersions } from "./entity.ts";
import { fullQueues, queueById } from "./queries.ts";

type Handler = Handlers<typeof HumanAnnotationQueueService>["getHumanAnnotationQueue"];

/** Returns a queue of the caller's application with its progress, and the criterion with examples. */
export function getHumanAnnotationQueue(deps: Deps): Handler {
  return async ({ id }, call) => {
    const row = await queueById.read(deps.database, call, id);
    queueVersions.answer(call, row);
    const examples = await readExamples(deps.database, call, row.definitionId === null ? [] : [row.definitionId]);
    const [data] = await fullQueues(deps, call, [row], examples);
    return { ...(data && { data }) };
  };
}

import { failure } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { CalibrationService } from "@ems/proto/experiments/v1/calibration_service";
import type { Deps } from "../../deps.ts";
import { enqueue, lockQueue } from "../annotation-queues/index.ts";
import { readCalibration } from "./read-calibration.ts";
import { requireDefinition } from "./require-definition.ts";

type Handler = Handlers<typeof CalibrationService>["queueCalibrationTraces"];

const limitDefault = 20;

/** Adds the traces that are most informative about a definition's judge to a queue. */
export function queueCalibrationTraces(deps: Deps): Handler {
  return ({ id, queueId, limit = limitDefault, topicId }, call) => {
    const choose = async () => {
      // Sequential, so that a request with two errors always gets the same one.
      await requireDefinition(deps.references, call, id);
      const { next } = await readCalibration(deps, call, { id, topicId }, limit);
      return next.map(({ traceId }) => traceId);
    };
    return deps.database.changeAfter(call, choose, async (tx, traceIds) => {
      const queue = await lockQueue(tx, call, queueId);
      const definitionId = id.toLowerCase();
      if (queue.definitionId !== null && queue.definitionId !== definitionId)
        throw failure("STATE_CONFLICT", "The queue reviews another definition");
      return { count: await enqueue(deps, tx, call, { id: queueId, definitionId }, traceIds) };
    });
  };
}

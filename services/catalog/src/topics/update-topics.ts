import { notFound } from "@ems/kit/errors";
import { distinctIds } from "@ems/kit/id";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TopicService } from "@ems/proto/catalog/v1/topic_service";
import { In } from "typeorm";
import type { Deps } from "../deps.ts";
import { topicChanges } from "./changes.ts";
import { TopicEntity } from "./entity.ts";

/** Updates all of the topics, or none of them if any is not found. */
export function updateTopics({ database, clock }: Deps): Handlers<typeof TopicService>["updateTopics"] {
  return async (request, call) => {
    const change = topicChanges(request);
    const ids = distinctIds(request.topicIds);
    const where = { applicationId: call.tenant.applicationId, id: In(ids) };
    return database.change(call, async (tx) => {
      // Locking the rows in id order prevents deadlocks.
      const found = await tx.find(TopicEntity, where, { orderBy: { id: "ASC" }, lock: "UPDATE" });
      if (found.length < ids.length) throw notFound("Topic");
      if (Object.keys(change).length > 0) {
        tx.deferUpdate(TopicEntity, where, { ...change, modifiedAt: clock.now() });
      }
      return { count: BigInt(found.length) };
    });
  };
}

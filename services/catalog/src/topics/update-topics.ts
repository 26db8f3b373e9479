import { notFound } from "@ems/kit/errors";
import { distinctIds } from "@ems/kit/id";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TopicService } from "@ems/proto/catalog/v1/topic_service";
import { In } from "typeorm";
import type { Deps } from "../deps.ts";
import { topicChanges } from "./changes.ts";
import { TopicEntity } from "./entity.ts";

type Handler = Handlers<typeof TopicService>["updateTopics"];

/** Changes what the request gives of many topics, or of none when one of them is not there. */
export function updateTopics({ database, clock }: Pick<Deps, "database" | "clock">): Handler {
  return async (request, call) => {
    const change = topicChanges(request);
    const wanted = distinctIds(request.topicIds);
    const which = { applicationId: call.tenant.applicationId, id: In(wanted) };
    return database.change(call, async (tx) => {
      // Locked in the order of their ids: two calls that share topics wait for each other instead of getting stuck.
      const found = await tx.find(TopicEntity, which, { orderBy: { id: "ASC" }, lock: "UPDATE" });
      if (found.length < wanted.length) throw notFound("Topic");
      if (Object.keys(change).length > 0) {
        await tx.update(TopicEntity, which, { ...change, modifiedAt: clock.now() });
      }
      return { count: BigInt(found.length) };
    });
  };
}

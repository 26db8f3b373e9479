import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TopicService } from "@ems/proto/catalog/v1/topic_service";
import type { Deps } from "../deps.ts";
import { topicChanges } from "./changes.ts";
import { TopicEntity } from "./entity.ts";
import { shownWith } from "./load-references.ts";
import { topic } from "./messages.ts";
import { findTopic, topicInChange } from "./queries.ts";

type Handler = Handlers<typeof TopicService>["updateTopic"];

/** Changes what the request gives of a topic. */
export function updateTopic({ database, clock, ...peers }: Deps): Handler {
  return async (request, call) => {
    const { id } = request;
    const { applicationId } = call.tenant;
    const found = await findTopic(database, call, id);
    if (found === undefined) throw notFound("Topic");
    const change = topicChanges(request);
    // Asked before the transaction: no row stays locked while another service thinks.
    const { assigned, application } = await shownWith(peers, call, [{ ...found, ...change }]);

    return database.change(call, async (tx) => {
      if (Object.keys(change).length > 0) {
        await tx.update(TopicEntity, { applicationId, id }, { ...change, modifiedAt: clock.now() });
      }
      const changed = { ...(await topicInChange(tx, call, id)), definitions: found.definitions };
      return { data: topic(changed, assigned, application) };
    });
  };
}

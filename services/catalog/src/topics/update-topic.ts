import type { Handlers } from "@ems/kit/rpc/service";
import type { TopicService } from "@ems/proto/catalog/v1/topic_service";
import type { Deps } from "../deps.ts";
import { topicChanges } from "./changes.ts";
import { TopicEntity, topicVersions } from "./entity.ts";
import { loadReferences } from "./load-references.ts";
import { topic } from "./messages.ts";
import { getChangedTopic, getFullTopic } from "./queries.ts";

export function updateTopic({ database, clock, ...deps }: Deps): Handlers<typeof TopicService>["updateTopic"] {
  return async (request, call) => {
    const { id } = request;
    const { applicationId } = call.tenant;
    const change = topicChanges(request);
    // Runs before the transaction, so that no row stays locked during the call to identity.
    const find = async () => {
      const found = await getFullTopic(database, call, id);
      return { found, references: await loadReferences(deps, call, [{ ...found, ...change }]) };
    };

    return database.changeAfter(call, find, async (tx, { found, references }) => {
      await topicVersions.lock(tx, call, { applicationId, id });
      if (Object.keys(change).length > 0) {
        tx.deferUpdate(TopicEntity, { applicationId, id }, { ...change, modifiedAt: clock.now() });
      }
      const changed = await tx.commit(getChangedTopic(tx, call, id));
      topicVersions.answer(call, changed);
      return { data: topic({ ...changed, definitions: found.definitions }, references) };
    });
  };
}

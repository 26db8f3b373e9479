import type { Handlers } from "@ems/kit/rpc/service";
import type { TopicService } from "@ems/proto/catalog/v1/topic_service";
import type { Deps } from "../deps.ts";
import { topicVersions } from "./entity.ts";
import { loadReferences } from "./load-references.ts";
import { topic } from "./messages.ts";
import { getFullTopic } from "./queries.ts";

export function getTopic({ database, ...deps }: Deps): Handlers<typeof TopicService>["getTopic"] {
  return async ({ id }, call) => {
    const row = await getFullTopic(database, call, id);
    topicVersions.answer(call, row);
    return { data: topic(row, await loadReferences(deps, call, [row])) };
  };
}

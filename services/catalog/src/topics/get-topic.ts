import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TopicService } from "@ems/proto/catalog/v1/topic_service";
import type { Deps } from "../deps.ts";
import { topicMessages } from "./load-references.ts";
import { findTopic } from "./queries.ts";

type Handler = Handlers<typeof TopicService>["getTopic"];

/** One topic of the caller's application. */
export function getTopic({ database, ...peers }: Pick<Deps, "database" | "users" | "applications">): Handler {
  return async ({ id }, call) => {
    const row = await findTopic(database, call, id);
    if (row === undefined) throw notFound("Topic");
    const [data] = await topicMessages(peers, call, [row]);
    return { data };
  };
}

import { assignedUsers } from "@ems/kit/assigned-users";
import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { TopicService } from "@ems/proto/catalog/v1/topic_service";
import type { Deps } from "../deps.ts";
import { topic } from "../messages.ts";
import { findTopic } from "../topic-sql.ts";

type Handler = Handlers<typeof TopicService>["getTopic"];

/** One topic of the caller's application. */
export function getTopic({ database, users }: Pick<Deps, "database" | "users">): Handler {
  return async ({ id }, call) => {
    const row = await findTopic(database, call, id);
    if (row === undefined) throw notFound("Topic");
    return { data: topic(row, await assignedUsers(users, call, [row])) };
  };
}

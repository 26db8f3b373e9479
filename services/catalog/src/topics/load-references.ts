// Topics as answers show them, with what identity knows of them: people and the application.

import type { MessageInitShape } from "@bufbuild/protobuf";
import { assignedUsers } from "@ems/kit/assigned-users";
import type { Call } from "@ems/kit/rpc/call";
import type { TopicSchema } from "@ems/proto/catalog/v1/topic_service";
import { linkedApplication } from "../definitions/index.ts";
import type { Deps } from "../deps.ts";
import { topic, type WholeTopic } from "./messages.ts";

/** What `topic` needs to make messages of these rows, asked of identity at once. */
export async function shownWith(
  { users, applications }: Pick<Deps, "users" | "applications">,
  call: Call,
  topics: readonly WholeTopic[],
) {
  const definitions = topics.flatMap((row) => row.definitions.map(({ definition }) => definition));
  const [assigned, application] = await Promise.all([
    assignedUsers(users, call, topics),
    linkedApplication(applications, call, definitions),
  ]);
  return { assigned, application };
}

/** The messages of these rows, in their order. */
export async function topicMessages(
  peers: Pick<Deps, "users" | "applications">,
  call: Call,
  topics: readonly WholeTopic[],
): Promise<MessageInitShape<typeof TopicSchema>[]> {
  const { assigned, application } = await shownWith(peers, call, topics);
  return topics.map((row) => topic(row, assigned, application));
}

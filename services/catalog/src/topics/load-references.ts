import type { Call } from "@ems/kit/rpc/call";
import { assignedUsers } from "@ems/users";
import { linkedApplication } from "../definitions/index.ts";
import type { Deps } from "../deps.ts";
import type { FullTopic, TopicReferences } from "./messages.ts";

/** Loads the users and the application of the topics from identity. */
export async function loadReferences(
  { users, applications }: Pick<Deps, "users" | "applications">,
  call: Call,
  topics: readonly FullTopic[],
): Promise<TopicReferences> {
  const definitions = topics.flatMap((row) => row.definitions.map(({ definition }) => definition));
  const [assigned, application] = await Promise.all([
    assignedUsers(users, call, topics),
    linkedApplication(applications, call, definitions),
  ]);
  return { users: assigned, application };
}

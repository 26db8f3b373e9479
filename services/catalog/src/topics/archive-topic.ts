import type { Handlers } from "@ems/kit/rpc/service";
import { TopicSchema, type TopicService } from "@ems/proto/catalog/v1/topic_service";
import { Not } from "typeorm";
import type { Deps } from "../deps.ts";
import { eventData } from "../sizes.ts";
import { archiveTasksOfTopic, definitionsOfTasks, taskIdsOfTopic } from "../tasks/index.ts";
import { TopicEntity } from "./entity.ts";
import { loadReferences } from "./load-references.ts";
import { topic } from "./messages.ts";
import { getChangedTopic, getFullTopic } from "./queries.ts";

/** Archives a topic, and with `cascade` also its tasks. Idempotent: publishes one event per resource that changed. */
export function archiveTopic({
  database,
  publish,
  clock,
  ...deps
}: Deps): Handlers<typeof TopicService>["archiveTopic"] {
  return async ({ id, cascade }, call) => {
    const { applicationId } = call.tenant;
    // Runs before the transaction, so that no row stays locked during the call to identity.
    const find = async () => {
      const found = await getFullTopic(database, call, id);
      const taskIds = cascade ? await taskIdsOfTopic(database, call, id) : [];
      return {
        found,
        references: await loadReferences(deps, call, [found]),
        getDefinitions: await definitionsOfTasks({ database, ...deps }, call, taskIds),
      };
    };

    return database.changeAfter(call, find, async (tx, { found, references, getDefinitions }) => {
      const change = { status: "ARCHIVED", modifiedAt: clock.now() } as const;
      // One batch, in this order, because the tasks must be counted after the cascade.
      const [archived, , { taskCount }] = await Promise.all([
        tx.update(TopicEntity, { applicationId, id, status: Not("ARCHIVED") }, change),
        cascade ? archiveTasksOfTopic(deps, tx, call, id, change.modifiedAt, getDefinitions) : undefined,
        getChangedTopic(tx, call, id),
      ]);
      if (archived === 0) return {};

      const data = topic({ ...found, ...change, taskCount }, references);
      const value = eventData(TopicSchema, data, { evalDefinitions: [] });
      await publish(tx, call.tenant, { case: "topicArchived", value });
      return {};
    });
  };
}

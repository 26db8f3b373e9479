import { enumName } from "@ems/kit/enum";
import type { Handlers } from "@ems/kit/rpc/service";
import { type TopicService, TopicStatus, TopicStatusSchema } from "@ems/proto/catalog/v1/topic_service";
import type { Deps } from "../deps.ts";
import { newResource } from "../new-resource.ts";
import { rethrowMissingReference } from "../references/index.ts";
import { TopicEntity, type TopicRow, topicVersions } from "./entity.ts";
import { topic } from "./messages.ts";

/** Creates a topic, which is in scope and not verified. */
export function createTopic({ database, publish, ...deps }: Deps): Handlers<typeof TopicService>["createTopic"] {
  return async ({ title, baseline = null, status = TopicStatus.ACTIVE, quickstartId = null }, call) => {
    const row: TopicRow = {
      ...newResource(deps, call),
      title,
      baseline,
      status: enumName(TopicStatusSchema, status),
      isInScope: true,
      isTasksVerified: false,
      isDocumentsVerified: false,
      isKnowledgeBaseVerified: false,
      isPoliciesVerified: false,
      assignedTo: null,
      quickstartId,
    };
    const data = topic({ ...row, taskCount: 0, documentCount: 0, definitions: [] });
    const change = database.change(call, async (tx) => {
      await tx.insert(TopicEntity, row);
      await publish(tx, call.tenant, { case: "topicCreated", value: data });
      topicVersions.answer(call, row);
      return { data };
    });
    return change.catch(rethrowMissingReference);
  };
}

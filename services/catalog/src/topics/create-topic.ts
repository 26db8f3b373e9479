import { enumName } from "@ems/kit/enum";
import type { Handlers } from "@ems/kit/rpc/service";
import { type TopicService, TopicStatus, TopicStatusSchema } from "@ems/proto/catalog/v1/topic_service";
import type { Deps } from "../deps.ts";
import { requireReferences } from "../references/index.ts";
import { TopicEntity, type TopicRow } from "./entity.ts";
import { topic } from "./messages.ts";

type Handler = Handlers<typeof TopicService>["createTopic"];

/** A new topic of the caller's application: in scope, nothing verified yet. */
export function createTopic({ database, publish, clock, newId }: Deps): Handler {
  return async ({ title, baseline, status = TopicStatus.ACTIVE, quickstartId }, call) => {
    const { applicationId, orgId } = call.tenant;
    const now = clock.now();
    const row: TopicRow = {
      applicationId,
      id: newId(),
      orgId,
      title,
      baseline: baseline ?? null,
      status: enumName(TopicStatusSchema, status),
      isInScope: true,
      isTasksVerified: false,
      isDocumentsVerified: false,
      isKnowledgeBaseVerified: false,
      isPoliciesVerified: false,
      assignedTo: null,
      quickstartId: quickstartId ?? null,
      createdAt: now,
      modifiedAt: now,
    };
    const data = topic({ ...row, taskCount: 0, documentCount: 0, definitions: [] }, new Map(), undefined);
    return database.change(call, async (tx) => {
      await requireReferences(tx, applicationId, { quickstart: quickstartId });
      await tx.insert(TopicEntity, row);
      await publish(tx, call.tenant, { case: "topicCreated", value: data });
      return { data };
    });
  };
}

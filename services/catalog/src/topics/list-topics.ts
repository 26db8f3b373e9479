import { create } from "@bufbuild/protobuf";
import { defineList, listPage } from "@ems/kit/db/list";
import { enumNames } from "@ems/kit/enum";
import type { Handlers } from "@ems/kit/rpc/service";
import {
  ListTopicsResponseSchema,
  TopicOrderSchema,
  type TopicService,
  TopicStatusSchema,
} from "@ems/proto/catalog/v1/topic_service";
import type { Deps } from "../deps.ts";
import { assertPageFits } from "../sizes.ts";
import { TopicEntity, type TopicRow } from "./entity.ts";
import { loadReferences } from "./load-references.ts";
import { topic } from "./messages.ts";
import { type TopicReadRow, topicColumns, withDefinitions } from "./queries.ts";

/** Statuses listed by default: all except archived. */
const statusesDefault = ["DRAFT", "ACTIVE"];

const list = defineList<TopicRow, TopicReadRow>(TopicEntity, {
  alias: "topic",
  orderBy: TopicOrderSchema,
  columns: topicColumns,
  where: {
    status: "topic.status = ANY (?)",
    isInScope: "topic.is_in_scope = ?",
    isKnowledgeBaseVerified: "topic.is_knowledge_base_verified = ?",
    isPoliciesVerified: "topic.is_policies_verified = ?",
    isTasksVerified: "topic.is_tasks_verified = ?",
  },
  counts: { times: { createdAt: "created_at" }, groups: ["status"] },
  search: "catalog.find_topic",
});

export function listTopics({ database, ...deps }: Deps): Handlers<typeof TopicService>["listTopics"] {
  return async (request, call) => {
    const { title: search, isInScope, isKnowledgeBaseVerified, isPoliciesVerified, isTasksVerified } = request;
    const status = enumNames(TopicStatusSchema, request.status) ?? statusesDefault;
    const filters = { status, isInScope, isKnowledgeBaseVerified, isPoliciesVerified, isTasksVerified };
    const { rows, pagination } = await listPage(database, call, list, request, filters, { search });
    const topics = await withDefinitions(database, call, rows);
    const references = await loadReferences(deps, call, topics);
    const data = topics.map((row) => topic(row, references));
    const answer = create(ListTopicsResponseSchema, { data, pagination });
    // The page may be too large, because it contains each topic's definitions and each definition's topics.
    if (topics.some(({ definitions }) => definitions.length > 0)) assertPageFits(ListTopicsResponseSchema, answer);
    return answer;
  };
}

import { messageOf } from "@ems/kit/message";
import { FactSchema, FactTopicSchema } from "@ems/proto/catalog/v1/fact_service";
import type { FactRow } from "./entity.ts";

/** A fact with its topics. */
export interface FactWithTopics extends FactRow {
  readonly topics: { readonly id: string; readonly title: string }[];
}

export const fact = (row: FactWithTopics, includeTopics: boolean) =>
  messageOf(FactSchema, {
    ...row,
    topicIds: row.topics.map(({ id }) => id),
    topics: includeTopics ? row.topics.map((topic) => messageOf(FactTopicSchema, topic)) : [],
  });

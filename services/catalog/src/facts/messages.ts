import { rowVersions, versions } from "@ems/kit/db/version";
import { buildMessage } from "@ems/kit/message";
import { FactSchema, FactTopicSchema } from "@ems/proto/catalog/v1/fact_service";
import { FactEntity, type FactRow } from "./entity.ts";

/** A fact with its topics. */
export interface FactWithTopics extends FactRow {
  readonly topics: { readonly id: string; readonly title: string }[];
}

const rows = rowVersions(FactEntity);

/** Computes the ETag of a fact with its topics. */
export const factVersions = versions<FactWithTopics>((row) => [
  rows.etag(row),
  ...row.topics.map(({ id }) => id).toSorted(),
]);

export const fact = (row: FactWithTopics, includeTopics: boolean) =>
  buildMessage(FactSchema, {
    ...row,
    topicIds: row.topics.map(({ id }) => id),
    topics: includeTopics ? row.topics.map((topic) => buildMessage(FactTopicSchema, topic)) : [],
  });

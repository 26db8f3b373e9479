import { buildSelectList } from "@ems/kit/db/columns";
import { rowById } from "@ems/kit/db/row-by-id";
import { FactEntity, type FactRow } from "./entity.ts";
import type { FactWithTopics } from "./messages.ts";

/** Selects the columns of FactWithTopics, for `catalog.fact` joined with `topics`. */
export const factColumns = `${buildSelectList(FactEntity, "fact")}, topics.topics`;

export const topics = `
  CROSS JOIN LATERAL (
    SELECT coalesce(json_agg(json_build_object('id', topic.id, 'title', topic.title) ORDER BY topic.title, topic.id), '[]') AS topics
    FROM catalog.fact_topic link
    JOIN catalog.topic ON topic.application_id = link.application_id AND topic.id = link.topic_id
    WHERE link.application_id = fact.application_id AND link.fact_id = fact.id
  ) topics`;

export const factById = rowById<FactRow, FactWithTopics>(FactEntity, "Fact", {
  columns: factColumns,
  from: `catalog.fact ${topics}`,
});

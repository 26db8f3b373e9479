import type { Transaction } from "@ems/kit/db/transaction";
import { conflict } from "@ems/kit/errors";
import { distinctIds } from "@ems/kit/id";
import type { Handlers } from "@ems/kit/rpc/service";
import type { DefinitionService } from "@ems/proto/catalog/v1/definition_service";
import type { Deps } from "../deps.ts";
import { assertReferences } from "../references/index.ts";

/** Limits that keep a topic within an answer: it shows its definitions, and each definition all its topics. */
const definitionsMax = 100;
const topicsMax = 1_000;

// Row locks keep the counts until commit; id order prevents deadlocks.
const lock = (table: "eval_definition" | "topic") =>
  `SELECT FROM catalog.${table} WHERE application_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR NO KEY UPDATE`;

const links = "FROM catalog.eval_definition_topic WHERE application_id = $1";
const countPairs = `SELECT count(*)::int AS count ${links}
  AND definition_id = ANY ($2::uuid[]) AND topic_id = ANY ($3::uuid[])`;
const upsertPairs = `INSERT INTO catalog.eval_definition_topic (application_id, definition_id, topic_id, expected)
  SELECT DISTINCT $1::uuid, definition_id, topic_id, $4::text
  FROM unnest($2::uuid[]) AS definitions (definition_id), unnest($3::uuid[]) AS topics (topic_id)
  ORDER BY definition_id, topic_id -- prevents deadlocks
  ON CONFLICT (application_id, definition_id, topic_id) DO UPDATE SET expected = excluded.expected
    WHERE $5::boolean AND eval_definition_topic.expected IS DISTINCT FROM excluded.expected
  RETURNING 1`;
const largestCounts = `SELECT
  (SELECT max(count) FROM (SELECT count(*) ${links} AND topic_id = ANY ($3::uuid[]) GROUP BY topic_id) c)::int AS definitions,
  (SELECT max(count) FROM (SELECT count(*) ${links} AND definition_id = ANY ($2::uuid[]) GROUP BY definition_id) c)::int AS topics`;

/** Idempotent: the event is published when any link is new or has new settings. */
export function linkTopics({ database, publish }: Deps): Handlers<typeof DefinitionService>["linkTopics"] {
  return ({ evalIds, topicIds, config }, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = call.tenant;
      await assertReferences(tx, applicationId, { definition: evalIds, topic: topicIds });
      await tx.query(lock("eval_definition"), [applicationId, evalIds]);
      await tx.query(lock("topic"), [applicationId, topicIds]);
      const pairs = [applicationId, evalIds, topicIds];
      const [linked] = await tx.query<{ count: number }>(countPairs, pairs);
      const changed = await tx.query(upsertPairs, [...pairs, config?.expected ?? null, config !== undefined]);
      if (changed.length === 0) return {};
      const isComplete = linked?.count === distinctIds(evalIds).length * distinctIds(topicIds).length;
      if (!isComplete) await assertLinkLimits(tx, pairs);
      await publish(tx, call.tenant, { case: "definitionLinked", value: { evalIds, topicIds } });
      return {};
    });
}

async function assertLinkLimits(tx: Transaction, pairs: unknown[]): Promise<void> {
  const [counts] = await tx.query<{ definitions: number; topics: number }>(largestCounts, pairs);
  if (counts === undefined) return;
  if (counts.definitions > definitionsMax) {
    throw conflict(`A topic has at most ${definitionsMax} evaluation definitions`);
  }
  if (counts.topics > topicsMax) throw conflict(`An evaluation definition is linked to at most ${topicsMax} topics`);
}

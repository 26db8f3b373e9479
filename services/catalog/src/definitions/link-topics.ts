import type { Transaction } from "@ems/kit/db/transaction";
import { conflict } from "@ems/kit/errors";
import { distinctIds } from "@ems/kit/id";
import type { Handlers } from "@ems/kit/rpc/service";
import type { DefinitionService } from "@ems/proto/catalog/v1/definition_service";
import type { Deps } from "../deps.ts";
import { requireReferences } from "../references/index.ts";
import { changesAny } from "./links.ts";

type Handler = Handlers<typeof DefinitionService>["linkTopics"];

const insertion = `INSERT INTO catalog.eval_definition_topic (application_id, definition_id, topic_id, expected)
  SELECT DISTINCT $1::uuid, definition_id, topic_id, $4::text
  FROM unnest($2::uuid[]) AS named (definition_id), unnest($3::uuid[]) AS meant (topic_id)
  ORDER BY definition_id, topic_id -- two calls lock in the same order
  ON CONFLICT (application_id, definition_id, topic_id) DO UPDATE SET expected = excluded.expected
    WHERE $5::boolean AND eval_definition_topic.expected IS DISTINCT FROM excluded.expected`;

/** Topics show their definitions whole, and those all their topics: with as many of both, a topic is an answer. */
const definitionsMax = 100;
const topicsMax = 1_000;

// Held until the transaction ends, in the order of the key: who links the same waits, so that counts are true.
const hold = (table: "eval_definition" | "topic") =>
  `SELECT FROM catalog.${table} WHERE application_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
const linked = "FROM catalog.eval_definition_topic WHERE application_id = $1";
const countNamed = `SELECT count(*)::int AS count ${linked}
  AND definition_id = ANY ($2::uuid[]) AND topic_id = ANY ($3::uuid[])`;
const countMost = `SELECT
  (SELECT max(count) FROM (SELECT count(*) ${linked} AND topic_id = ANY ($3::uuid[]) GROUP BY topic_id) c)::int AS definitions,
  (SELECT max(count) FROM (SELECT count(*) ${linked} AND definition_id = ANY ($2::uuid[]) GROUP BY definition_id) c)::int AS topics`;

/** Links definitions to topics; tells of it when any link is new or has new settings. */
export function linkTopics({ database, publish }: Pick<Deps, "database" | "publish">): Handler {
  return ({ evalIds, topicIds, config }, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = call.tenant;
      await requireReferences(tx, applicationId, { definition: evalIds, topic: topicIds });
      await tx.query(hold("eval_definition"), [applicationId, evalIds]);
      await tx.query(hold("topic"), [applicationId, topicIds]);
      const named = [applicationId, evalIds, topicIds];
      const [known] = await tx.query<{ count: number }>(countNamed, named);
      if (
        await changesAny(tx, insertion, [
          applicationId,
          evalIds,
          topicIds,
          config?.expected ?? null,
          config !== undefined,
        ])
      ) {
        const pairs = distinctIds(evalIds).length * distinctIds(topicIds).length;
        if (known?.count !== pairs) await refuseTooMany(tx, named);
        await publish(tx, call.tenant, { case: "definitionLinked", value: { evalIds, topicIds } });
      }
      return {};
    });
}

async function refuseTooMany(tx: Transaction, named: unknown[]): Promise<void> {
  const [most] = await tx.query<{ definitions: number; topics: number }>(countMost, named);
  if (most === undefined) return;
  if (most.definitions > definitionsMax) throw conflict(`A topic has at most ${definitionsMax} evaluation definitions`);
  if (most.topics > topicsMax) throw conflict(`An evaluation definition is linked to at most ${topicsMax} topics`);
}

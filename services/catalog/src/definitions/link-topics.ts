import type { Upsert } from "@ems/kit/db/insert";
import type { Transaction } from "@ems/kit/db/transaction";
import { limitReached } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { DefinitionService } from "@ems/proto/catalog/v1/definition_service";
import { definitionTopicsMax, topicDefinitionsMax } from "@ems/proto/limits";
import type { Deps } from "../deps.ts";
import { assertReferences } from "../references/index.ts";
import { TopicLinkEntity, type TopicLinkRow } from "./entity.ts";
import { expectation } from "./link-config.ts";
import { buildPairs } from "./links.ts";

// Limits keep topics small enough for a response, which contains their definitions with all of their topics.

// Row locks keep the counts valid until commit; locking in id order prevents deadlocks.
const lock = (table: "eval_definition" | "topic") =>
  `SELECT FROM catalog.${table} WHERE application_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR NO KEY UPDATE`;

const links = "FROM catalog.eval_definition_topic WHERE application_id = $1";
const countPairs = `SELECT count(*)::int AS count ${links}
  AND definition_id = ANY ($2::uuid[]) AND topic_id = ANY ($3::uuid[])`;
const largestCounts = `SELECT
  (SELECT max(count) FROM (SELECT count(*) ${links} AND topic_id = ANY ($3::uuid[]) GROUP BY topic_id) c)::int AS definitions,
  (SELECT max(count) FROM (SELECT count(*) ${links} AND definition_id = ANY ($2::uuid[]) GROUP BY definition_id) c)::int AS topics`;

const setExpected: Upsert<TopicLinkRow> = {
  key: ["applicationId", "definitionId", "topicId"],
  update: ["expected", "expectedList"],
  ifChanged: ["expected", "expectedList"],
};

/** Links definitions to topics. Idempotent: publishes the event only if a link is new or has new settings. */
export function linkTopics({ database, publish }: Deps): Handlers<typeof DefinitionService>["linkTopics"] {
  return ({ evalIds, topicIds, config }, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = call.tenant;
      await assertReferences(tx, applicationId, { definition: evalIds, topic: topicIds });
      tx.defer(lock("eval_definition"), [applicationId, evalIds]);
      tx.defer(lock("topic"), [applicationId, topicIds]);
      const expected = expectation(config);
      const links = buildPairs(evalIds, topicIds).map(({ definitionId, id }) => {
        return { applicationId, definitionId, topicId: id, ...expected };
      });
      const pairs = [applicationId, evalIds, topicIds];
      const onConflict = config === undefined ? "ignore" : setExpected;
      const [[linked], changed] = await Promise.all([
        tx.query<{ count: number }>(countPairs, pairs),
        tx.insertReturning(TopicLinkEntity, links, ["topicId"], onConflict),
      ]);
      if (changed.length === 0) return {};
      if (linked?.count !== links.length) await assertLinkLimits(tx, pairs);
      await publish(tx, call.tenant, { case: "definitionLinked", value: { evalIds, topicIds } });
      return {};
    });
}

async function assertLinkLimits(tx: Transaction, pairs: unknown[]): Promise<void> {
  const [counts] = await tx.query<{ definitions: number; topics: number }>(largestCounts, pairs);
  if (counts === undefined) return;
  if (counts.definitions > topicDefinitionsMax) {
    throw limitReached(`A topic has at most ${topicDefinitionsMax} evaluation definitions`, topicDefinitionsMax);
  }
  if (counts.topics > definitionTopicsMax)
    throw limitReached(
      `An evaluation definition is linked to at most ${definitionTopicsMax} topics`,
      definitionTopicsMax,
    );
}

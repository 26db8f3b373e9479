import type { Handlers } from "@ems/kit/rpc/service";
import type { DefinitionService } from "@ems/proto/catalog/v1/definition_service";
import { changesAny, requireNamed } from "../definition-links.ts";
import type { Deps } from "../deps.ts";

type Handler = Handlers<typeof DefinitionService>["linkTopics"];

const insertion = `INSERT INTO catalog.eval_definition_topic (application_id, definition_id, topic_id, expected)
  SELECT DISTINCT $1::uuid, definition_id, topic_id, $4::text
  FROM unnest($2::uuid[]) AS named (definition_id), unnest($3::uuid[]) AS meant (topic_id)
  ORDER BY definition_id, topic_id -- two calls lock in the same order
  ON CONFLICT (application_id, definition_id, topic_id) DO UPDATE SET expected = excluded.expected
    WHERE $5::boolean AND eval_definition_topic.expected IS DISTINCT FROM excluded.expected`;

/** Links definitions to topics; tells of it when any link is new or has new settings. */
export function linkTopics({ database, publish }: Pick<Deps, "database" | "publish">): Handler {
  return ({ evalIds, topicIds, config }, call) =>
    database.change(call, async (manager) => {
      const { applicationId } = call.tenant;
      await requireNamed(manager, applicationId, { evalIds, topicIds });
      if (
        await changesAny(manager, insertion, [
          applicationId,
          evalIds,
          topicIds,
          config?.expected ?? null,
          config !== undefined,
        ])
      ) {
        await publish(manager, call.tenant, { case: "definitionLinked", value: { evalIds, topicIds } });
      }
      return {};
    });
}

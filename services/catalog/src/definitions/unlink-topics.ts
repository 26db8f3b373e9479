import type { Handlers } from "@ems/kit/rpc/service";
import type { DefinitionService } from "@ems/proto/catalog/v1/definition_service";
import { In } from "typeorm";
import type { Deps } from "../deps.ts";
import { assertReferences } from "../references/index.ts";
import { TopicLinkEntity } from "./entity.ts";

/** Unlinks definitions from topics. Idempotent: publishes the event only if a link existed. */
export function unlinkTopics({ database, publish }: Deps): Handlers<typeof DefinitionService>["unlinkTopics"] {
  return ({ evalIds, topicIds }, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = call.tenant;
      const links = { applicationId, definitionId: In(evalIds), topicId: In(topicIds) };
      const [deleted] = await Promise.all([
        tx.delete(TopicLinkEntity, links),
        assertReferences(tx, applicationId, { definition: evalIds, topic: topicIds }),
      ]);
      if (deleted > 0) {
        await publish(tx, call.tenant, { case: "definitionUnlinked", value: { evalIds, topicIds } });
      }
      return {};
    });
}

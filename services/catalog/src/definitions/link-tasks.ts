import type { Upsert } from "@ems/kit/db/insert";
import type { Handlers } from "@ems/kit/rpc/service";
import type { DefinitionService } from "@ems/proto/catalog/v1/definition_service";
import type { Deps } from "../deps.ts";
import { assertReferences } from "../references/index.ts";
import { TaskLinkEntity, type TaskLinkRow } from "./entity.ts";
import { expectation } from "./link-config.ts";
import { buildPairs } from "./links.ts";

const setExpected: Upsert<TaskLinkRow> = {
  key: ["applicationId", "definitionId", "taskId"],
  update: ["expected", "expectedList"],
  ifChanged: ["expected", "expectedList"],
};

/** Links definitions to tasks. Idempotent: publishes the event only if a link is new or has new settings. */
export function linkTasks({ database, publish }: Deps): Handlers<typeof DefinitionService>["linkTasks"] {
  return ({ evalIds, taskIds, config }, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = call.tenant;
      await assertReferences(tx, applicationId, { definition: evalIds, task: taskIds });
      const expected = expectation(config);
      const links = buildPairs(evalIds, taskIds).map(({ definitionId, id }) => ({
        applicationId,
        definitionId,
        taskId: id,
        ...expected,
      }));
      const onConflict = config === undefined ? "ignore" : setExpected;
      const linked = await tx.insertReturning(TaskLinkEntity, links, ["taskId"], onConflict);
      if (linked.length > 0) {
        await publish(tx, call.tenant, { case: "definitionLinked", value: { evalIds, taskIds } });
      }
      return {};
    });
}

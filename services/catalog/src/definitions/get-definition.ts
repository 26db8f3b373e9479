import type { Handlers } from "@ems/kit/rpc/service";
import type { DefinitionService } from "@ems/proto/catalog/v1/definition_service";
import type { Deps } from "../deps.ts";
import { linkedApplication } from "./application.ts";
import { definitionVersions } from "./entity.ts";
import { evalDefinition } from "./messages.ts";
import { getLinkedDefinition } from "./queries.ts";

export function getDefinition({ database, applications }: Deps): Handlers<typeof DefinitionService>["getDefinition"] {
  return async ({ id }, call) => {
    const row = await getLinkedDefinition(database, call, id);
    definitionVersions.answer(call, row);
    return { data: evalDefinition(row, await linkedApplication(applications, call, [row])) };
  };
}

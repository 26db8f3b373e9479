import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { DefinitionService } from "@ems/proto/catalog/v1/definition_service";
import type { Deps } from "../deps.ts";
import { linkedApplication } from "./application.ts";
import { evalDefinition } from "./messages.ts";
import { findDefinition } from "./queries.ts";

type Handler = Handlers<typeof DefinitionService>["getDefinition"];

/** One evaluation definition of the caller's application. */
export function getDefinition({ database, applications }: Pick<Deps, "database" | "applications">): Handler {
  return async ({ id }, call) => {
    const row = await findDefinition(database, call, id);
    if (row === undefined) throw notFound("Evaluation definition");
    return { data: evalDefinition(row, await linkedApplication(applications, call, [row])) };
  };
}

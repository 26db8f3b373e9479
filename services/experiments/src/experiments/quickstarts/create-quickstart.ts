import { forward } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { QuickstartService } from "@ems/proto/experiments/v1/quickstart_service";
import type { Deps } from "../../deps.ts";
import { QuickstartEntity, type QuickstartRow } from "./entity.ts";
import { quickstart } from "./messages.ts";

type Handler = Handlers<typeof QuickstartService>["createQuickstart"];

/** Creates a quickstart in the caller's application and registers it in catalog. */
export function createQuickstart({
  database,
  clock,
  newId,
  references,
}: Pick<Deps, "database" | "clock" | "newId" | "references">): Handler {
  return async ({ title, description }, call) => {
    const { applicationId, orgId } = call.tenant;
    const now = clock.now();
    const row: QuickstartRow = {
      applicationId,
      id: newId(),
      orgId,
      title,
      description: description ?? "",
      createdAt: now,
      modifiedAt: now,
    };
    // Registered before the commit, so that topics can refer to the quickstart as soon as the caller has the response.
    // If the commit fails, catalog keeps an unused id.
    await references.registerQuickstart({ id: row.id }, forward(call));
    return database.change(call, async (tx) => {
      await tx.insert(QuickstartEntity, row);
      return { data: quickstart(row) };
    });
  };
}

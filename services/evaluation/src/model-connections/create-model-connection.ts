import { limitReached } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ModelConnectionService } from "@ems/proto/evaluation/v1/model_connection_service";
import { modelConnectionsMax } from "@ems/proto/limits";
import type { Deps } from "../deps.ts";
import { toColumns } from "./columns.ts";
import { connectionVersions, ModelConnectionEntity, type ModelConnectionRow, working } from "./entity.ts";
import { sealKey } from "./keys.ts";
import { modelConnection } from "./messages.ts";
import { clearDefaults, lockConnections, requireAllowedHost, requirePrices } from "./queries.ts";

type Handler = Handlers<typeof ModelConnectionService>["createModelConnection"];

export function createModelConnection({
  database,
  clock,
  newId,
  secrets,
  models,
  prices,
  onConnectionWorks,
}: Deps): Handler {
  return async (request, call) => {
    const { applicationId, orgId } = call.tenant;
    const place = { applicationId, id: newId() };
    const now = clock.now();
    const row: ModelConnectionRow = {
      ...place,
      orgId,
      ...toColumns(request),
      ...sealKey(secrets, place, request.apiKey ?? ""),
      ...working,
      createdAt: now,
      modifiedAt: now,
    };
    // Runs before the transaction, because it waits for name servers.
    const check = () => requireAllowedHost(models.hosts, request.baseUrl);
    const findPrice = await prices.of(call.tenant);
    return database.changeAfter(call, check, async (tx) => {
      lockConnections(tx, applicationId);
      const [{ count = 0 } = {}] = await tx.query<{ count: number }>(
        "SELECT count(*)::integer AS count FROM evaluation.model_connection WHERE application_id = $1",
        [applicationId],
      );
      if (count >= modelConnectionsMax)
        throw limitReached(`At most ${modelConnectionsMax} model connections`, modelConnectionsMax);
      await requirePrices(tx, row, findPrice, now);
      if (row.isDefault) await clearDefaults(tx, applicationId, row.id);
      await tx.insert(ModelConnectionEntity, row);
      // Jobs that wait for a different connection continue with this one.
      if (row.isDefault) onConnectionWorks(tx, applicationId, now);
      connectionVersions.answer(call, row);
      return { data: modelConnection(row) };
    });
  };
}

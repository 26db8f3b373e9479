import { invalidField } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ModelConnectionService } from "@ems/proto/evaluation/v1/model_connection_service";
import type { Deps } from "../deps.ts";
import { toColumns } from "./columns.ts";
import { connectionVersions, ModelConnectionEntity, working } from "./entity.ts";
import { sealKey } from "./keys.ts";
import { modelConnection } from "./messages.ts";
import { clearDefaults, lockConnections, lockedConnection, requireAllowedHost, requirePrices } from "./queries.ts";

type Handler = Handlers<typeof ModelConnectionService>["updateModelConnection"];

export function updateModelConnection({ database, clock, secrets, models, prices, onConnectionWorks }: Deps): Handler {
  return async (request, call) => {
    const check = () => requireAllowedHost(models.hosts, request.baseUrl);
    const findPrice = await prices.of(call.tenant);
    return database.changeAfter(call, check, async (tx) => {
      lockConnections(tx, call.tenant.applicationId);
      const row = await lockedConnection(tx, call, request.id);
      connectionVersions.check(call, row);
      const columns = toColumns(request);
      const isElsewhere = columns.provider !== row.provider || columns.baseUrl !== row.baseUrl;
      // Without this check, users who may change a connection could get its key by sending it to their own server.
      if (isElsewhere && request.apiKey === undefined && row.apiKey !== "")
        throw invalidField(["api_key"], "must be given again when provider or baseUrl changes");
      const now = clock.now();
      const change = {
        ...columns,
        ...(request.apiKey !== undefined && sealKey(secrets, row, request.apiKey)),
        ...working,
        modifiedAt: now,
      };
      await requirePrices(tx, { ...row, ...columns }, findPrice, now);
      if (columns.isDefault) await clearDefaults(tx, row.applicationId, row.id);
      await tx.update(ModelConnectionEntity, { applicationId: row.applicationId, id: row.id }, change);
      onConnectionWorks(tx, row.applicationId, now);
      connectionVersions.answer(call, { ...row, ...change });
      return { data: modelConnection({ ...row, ...change }) };
    });
  };
}

import { failure } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import type { Deps } from "../deps.ts";
import type { Connection } from "../jobs/index.ts";
import { SettingEntity, type SettingRow } from "../setting.ts";

/**
 * Returns the application's settings and the connection for its evaluations. If there is no connection, the error says
 * how to create one.
 */
export async function requireConnection(
  { database, connections }: Pick<Deps, "database" | "connections">,
  call: Call,
): Promise<{ readonly setting: SettingRow | null; readonly connection: Connection }> {
  const { applicationId } = call.tenant;
  const setting = await database.withTenant(call, (tx) => tx.findOne(SettingEntity, { applicationId }));
  const connection = await connections.find(call.tenant, setting?.defaultConnectionId ?? undefined);
  if (connection === undefined) throw notConnected();
  return { setting, connection };
}

const notConnected = () =>
  failure("NOT_CONFIGURED", "The application has no model connection: create one with POST /v0/model-connections");

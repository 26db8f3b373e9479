// Model connections as jobs use them.

import { columnsOf } from "@ems/kit/db/columns";
import type { Tenant } from "@ems/kit/tenant";
import type { Deps } from "../deps.ts";
import type { ModelCaller, Usage } from "../judges/index.ts";
import { costMicro } from "../model/index.ts";
import { ModelConnectionEntity, type ModelConnectionRow } from "./entity.ts";
import { openKey } from "./keys.ts";

export interface FoundConnection {
  readonly row: Omit<ModelConnectionRow, "apiKey">;
  readonly caller: ModelCaller;
  /** In millionths of a US dollar, rounded up; undefined without prices. */
  readonly cost: ((usage: Usage) => number) | undefined;
}

const text = `SELECT ${columnsOf(ModelConnectionEntity, "model_connection")}
  FROM evaluation.model_connection WHERE application_id = $1
  ORDER BY id = $2 DESC NULLS LAST, is_default DESC, created_at, id LIMIT 1`;

/** The connection of that id, else the application's default one, else its oldest. */
export async function findConnection(
  { database, secrets, models, clock }: Pick<Deps, "database" | "secrets" | "models" | "clock">,
  { applicationId, orgId }: Pick<Tenant, "applicationId" | "orgId">,
  id: string | undefined,
): Promise<FoundConnection | undefined> {
  const [row] = await database.withScope({ applicationId, orgId }, Date.now() + readMs, (tx) =>
    tx.query<ModelConnectionRow>({ name: "find-connection", text, values: [applicationId, id ?? null] }),
  );
  if (row === undefined) return undefined;
  const { apiKey: _, ...shown } = row;
  const { inputPerMillion, outputPerMillion, model } = row;
  const prices = inputPerMillion === null || outputPerMillion === null ? null : { inputPerMillion, outputPerMillion };
  const costOf = (usage: Usage) => costMicro({ prices, model }, usage, models.priceOf, clock.now());
  const isPriced = costOf({ inputTokens: 0, outputTokens: 0 }) !== undefined;
  return {
    row: shown,
    caller: models.caller({ ...row, apiKey: openKey(secrets, row) }),
    cost: isPriced ? (usage) => Number(costOf(usage)) : undefined,
  };
}

const readMs = 5_000;

// Finds model connections for jobs.

import { monotonicMs } from "@ems/kit/clock";
import { buildSelectList } from "@ems/kit/db/columns";
import type { Transaction } from "@ems/kit/db/transaction";
import type { Tenant } from "@ems/kit/tenant";
import type { GetPrice } from "@ems/prices";
import type { Deps } from "../deps.ts";
import type { ModelCaller, Usage } from "../judges/index.ts";
import { costMicro } from "../model/index.ts";
import { ModelConnectionEntity, type ModelConnectionRow } from "./entity.ts";
import { openKey } from "./keys.ts";

export interface FoundConnection {
  readonly row: Omit<ModelConnectionRow, "apiKey">;
  readonly caller: ModelCaller;
  /** Returns the cost in millionths of a US dollar, rounded up; undefined if there are no prices. */
  readonly cost: ((usage: Usage) => number) | undefined;
}

const text = `SELECT ${buildSelectList(ModelConnectionEntity, "model_connection")}
  FROM evaluation.model_connection WHERE application_id = $1
  ORDER BY id = $2 DESC NULLS LAST, is_default DESC, created_at, id LIMIT 1`;

/** Finds the connection with the id, else the application's default connection, else its oldest one. */
export async function findRow(
  tx: Transaction,
  applicationId: string,
  id: string | undefined,
): Promise<ModelConnectionRow | undefined> {
  const values = [applicationId, id ?? null];
  const [row] = await tx.query<ModelConnectionRow>({ name: "find-connection", text, values });
  return row;
}

type Priced = Pick<ModelConnectionRow, "inputPerMillion" | "outputPerMillion" | "model">;

/** Returns the function that computes costs in millionths of a US dollar; undefined if there are no prices. */
export function getCost(
  { inputPerMillion, outputPerMillion, model }: Priced,
  findPrice: GetPrice,
  now: () => Date,
): ((usage: Usage) => number) | undefined {
  const prices = inputPerMillion === null || outputPerMillion === null ? null : { inputPerMillion, outputPerMillion };
  const cost = (usage: Usage) => costMicro({ prices, model }, usage, findPrice, now());
  const isPriced = cost({ inputTokens: 0, outputTokens: 0 }) !== undefined;
  return isPriced ? (usage) => Number(cost(usage)) : undefined;
}

/** Like `findRow`, but returns the connection in the form that can be called. */
export async function findConnection(
  { database, secrets, models, clock, prices }: Pick<Deps, "database" | "secrets" | "models" | "clock" | "prices">,
  { applicationId, orgId }: Pick<Tenant, "applicationId" | "orgId">,
  id: string | undefined,
): Promise<FoundConnection | undefined> {
  const row = await database.withScope({ applicationId, orgId }, monotonicMs() + readMs, (tx) =>
    findRow(tx, applicationId, id),
  );
  if (row === undefined) return undefined;
  const { apiKey: _, ...withoutKey } = row;
  return {
    row: withoutKey,
    caller: models.caller({ ...row, apiKey: openKey(secrets, row) }),
    cost: getCost(row, await prices.of({ applicationId, orgId }), () => clock.now()),
  };
}

const readMs = 5_000;

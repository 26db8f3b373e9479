// Reads an application's prices of models from traces, and caches them for seconds.

import type { Client } from "@connectrpc/connect";
import { type Clock, monotonicMs } from "@ems/kit/clock";
import type { NewId } from "@ems/kit/id";
import type { Tenant } from "@ems/kit/tenant";
import { type GetPrice, type ModelPrice, withTenantPrices } from "@ems/prices";
import type { ModelPriceService } from "@ems/proto/experiments/v1/model_price_service";
import { callOptions, toTenant } from "../jobs/index.ts";
import type { TenantPrices } from "../model/index.ts";

type Scope = Pick<Tenant, "applicationId" | "orgId">;

const freshMs = 5_000;
const timeoutMs = 5_000;
const applicationsMax = 10_000;

interface Deps {
  readonly modelPrices: Pick<Client<typeof ModelPriceService>, "getModelPrices">;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly fallback: GetPrice;
}

export function tenantPrices({ modelPrices, clock, newId, fallback }: Deps): TenantPrices {
  const cached = new Map<string, { readonly atMs: number; readonly findPrice: Promise<GetPrice> }>();
  const read = async (scope: Scope): Promise<GetPrice> => {
    const options = { ...callOptions(newId, toTenant(scope)), timeoutMs };
    const { data } = await modelPrices.getModelPrices({}, options);
    const prices = (data?.prices ?? []).map(
      ({ model, tiers, ...amounts }): ModelPrice => ({
        model,
        ...toAmounts(amounts),
        tiers: tiers.map((tier) => ({ above: Number(tier.aboveInputTokens), ...toAmounts(tier) })),
      }),
    );
    return withTenantPrices(prices, fallback);
  };
  return {
    of: (scope) => {
      const { applicationId } = scope;
      const atMs = monotonicMs(clock);
      const found = cached.get(applicationId);
      if (found !== undefined && atMs - found.atMs < freshMs) return found.findPrice;
      // While traces does not answer, the last known prices apply: judges must not wait for it.
      const findPrice = read(scope).catch(() => found?.findPrice ?? fallback);
      if (cached.size >= applicationsMax) cached.clear();
      cached.set(applicationId, { atMs, findPrice });
      return findPrice;
    },
  };
}

interface SentAmounts {
  readonly inputPerMillion?: number | undefined;
  readonly outputPerMillion?: number | undefined;
  readonly cachedInputPerMillion?: number | undefined;
  readonly cacheWritePerMillion?: number | undefined;
  readonly reasoningPerMillion?: number | undefined;
}

function toAmounts(sent: SentAmounts) {
  return {
    input: sent.inputPerMillion,
    output: sent.outputPerMillion,
    cachedInput: sent.cachedInputPerMillion,
    cacheWrite: sent.cacheWritePerMillion,
    reasoning: sent.reasoningPerMillion,
  };
}

// Caches the prices of applications for seconds, so that requests need no statement to read them.

import { type Clock, monotonicMs } from "@ems/kit/clock";
import type { Database } from "@ems/kit/db/database";
import type { Call } from "@ems/kit/rpc/call";
import { type GetPrice, type ModelPrice, withTenantPrices } from "@ems/prices";
import type { ModelPriceListRow } from "./entity.ts";

const text = "SELECT prices FROM traces.model_price_list WHERE application_id = $1";
const timeoutMs = 5_000;
/** Maximum time until other processes apply a change of the prices. */
const freshMs = 5_000;
const applicationsMax = 10_000;

interface Cached {
  readonly atMs: number;
  readonly findPrice: Promise<GetPrice>;
}

export class Prices {
  readonly #database: Pick<Database, "readScoped">;
  readonly #clock: Clock;
  readonly #fallback: GetPrice;
  readonly #cached = new Map<string, Cached>();

  /** `fallback` finds the price of a model that the application has not priced. */
  constructor(database: Pick<Database, "readScoped">, clock: Clock, fallback: GetPrice) {
    this.#database = database;
    this.#clock = clock;
    this.#fallback = fallback;
  }

  /** Returns the look-up of prices for the call's application. */
  of({ tenant }: Pick<Call, "tenant">): Promise<GetPrice> {
    const { applicationId } = tenant;
    const atMs = monotonicMs(this.#clock);
    const cached = this.#cached.get(applicationId);
    if (cached !== undefined && atMs - cached.atMs < freshMs) return cached.findPrice;
    const findPrice = this.#read(tenant);
    if (this.#cached.size >= applicationsMax) this.#cached.clear();
    this.#cached.set(applicationId, { atMs, findPrice });
    // A failure is not kept: the next request reads again.
    findPrice.catch(() => this.#cached.delete(applicationId));
    return findPrice;
  }

  /** Removes the application's prices, so that this process applies a change at once. */
  forget(applicationId: string): void {
    this.#cached.delete(applicationId);
  }

  async #read(tenant: Call["tenant"]): Promise<GetPrice> {
    const statement = { name: "model-prices", text, values: [tenant.applicationId] };
    // Does not use the call's deadline, because other requests may be waiting for the same prices.
    const endMs = monotonicMs() + timeoutMs;
    const [row] = await this.#database.readScoped<Pick<ModelPriceListRow, "prices">>(tenant, endMs, statement);
    const prices: readonly ModelPrice[] = row?.prices ?? [];
    return withTenantPrices(prices, this.#fallback);
  }
}

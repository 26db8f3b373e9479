// Two tenants that get the same requests; ids of the first correspond to ids of the second.

import { isDeepStrictEqual } from "node:util";
import type { ProductFacts } from "../../harness/product.ts";
import { newTenant, type TestTenant } from "../../harness/tenant.ts";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;
const secret = /^(ems_|whsec_)/;
/** Times this close to now, or to an invitation's end, may differ. All other times come from requests and are equal. */
const recentMs = 600_000;
const distancesMs = [0, 7 * 86_400_000];

export class TenantPair {
  readonly first: TestTenant;
  readonly second: TestTenant;
  /** Ids of the second tenant by those of the first. */
  readonly #ids = new Map<string, string>();

  private constructor(first: TestTenant, second: TestTenant) {
    this.first = first;
    this.second = second;
    this.#ids.set(first.applicationId, second.applicationId).set(first.orgId, second.orgId);
  }

  /** Creates tenants of two organizations, since definitions, users and keys belong to an organization. */
  static async create(facts?: ProductFacts): Promise<TenantPair> {
    const user = { email: "ada@example.com", name: "Ada" };
    return new TenantPair(await newTenant({ user }, facts), await newTenant({ user }, facts));
  }

  /** Replaces the first tenant's ids in `value` by the second's. */
  translated<T>(value: T): T {
    if (typeof value === "string") return (this.#ids.get(value) ?? value) as T;
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.translated(item)) as T;
    const members = Object.entries(value).map(([key, item]) => [this.#ids.get(key) ?? key, this.translated(item)]);
    return Object.fromEntries(members) as T;
  }

  areSame(first: unknown, second: unknown): boolean {
    return isDeepStrictEqual(this.#aligned(first, second, new Map()), second);
  }

  /** Fails unless the answers are equal, and learns the ids that they have in the same places. */
  expectSame(first: unknown, second: unknown): void {
    const learned = new Map<string, string>();
    const same = this.#aligned(first, second, learned);
    // fast-check prints nothing of an error except its message.
    if (!isDeepStrictEqual(same, second))
      throw new Error(`REST ${JSON.stringify(same)}\ngRPC ${JSON.stringify(second)}`);
    for (const [id, other] of learned) this.#ids.set(id, other);
  }

  /** Returns `first` with permitted differences replaced by the values of `second`. */
  #aligned(first: unknown, second: unknown, learned: Map<string, string>): unknown {
    if (typeof first === "string" && typeof second === "string") return this.#text(first, second, learned);
    if (typeof first !== "object" || first === null || typeof second !== "object" || second === null) return first;
    if (Array.isArray(first)) {
      return first.map((item, index) =>
        this.#aligned(item, Array.isArray(second) ? second[index] : undefined, learned),
      );
    }
    const other = second as Record<string, unknown>;
    const members = Object.entries(first).map(([key, item]) => {
      const name = this.#ids.get(key) ?? key;
      // Cursors name their tenant.
      if (key === "nextCursor" && typeof item === "string" && typeof other[name] === "string")
        return [name, other[name]];
      return [name, this.#aligned(item, other[name], learned)];
    });
    return Object.fromEntries(members);
  }

  #text(first: string, second: string, learned: Map<string, string>): string {
    const registered = this.#ids.get(first) ?? learned.get(first);
    if (registered !== undefined) return registered;
    if (first === second) return second;
    const both = (pattern: RegExp) => pattern.test(first) && pattern.test(second);
    if (both(uuid)) {
      learned.set(first, second);
      return second;
    }
    const isNear = (text: string, ms: number) => Math.abs(Date.now() + ms - Date.parse(text)) < recentMs;
    const isRecent = (text: string) => distancesMs.some((ms) => isNear(text, ms));
    if (both(secret) || (both(instant) && isRecent(first) && isRecent(second))) return second;
    // Some names contain ids, such as those of organizations.
    return [...this.#ids].reduce((text, [id, other]) => text.replaceAll(id, other), first);
  }
}

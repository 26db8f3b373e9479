import type { Clock } from "@ems/kit/clock";
import type { Database } from "@ems/kit/db/database";
import type { Publish } from "@ems/kit/events/publish";
import type { NewId, Random } from "@ems/kit/id";

/** What identity's handlers stand on; each takes what it needs. */
export interface Deps {
  readonly database: Database;
  readonly publish: Publish;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly random: Random;
  /** Newest first. */
  readonly peppers: readonly string[];
  /** API keys of one application. */
  readonly apiKeysMax: number;
  /** What dashboards are told of the analytics that they report to; empty texts when there is none. */
  readonly analytics: { readonly host: string; readonly key: string; readonly cloudIdentifier: string };
}

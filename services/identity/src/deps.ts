import type { Clock } from "@ems/kit/clock";
import type { Database } from "@ems/kit/db/database";
import type { Publish } from "@ems/kit/events/publish";
import type { NewId, Random } from "@ems/kit/id";
import type { KeyUses } from "./api-keys/key-uses.ts";

/** Dependencies of identity's handlers. */
export interface Deps {
  readonly database: Database;
  readonly publish: Publish;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly random: Random;
  /** Peppers for hashing keys, newest first. */
  readonly peppers: readonly string[];
  readonly keyUses: Pick<KeyUses, "add">;
  /** Maximum number of API keys per application. */
  readonly apiKeysMax: number;
  /** Analytics settings for dashboards; empty texts if not configured. */
  readonly analytics: { readonly host: string; readonly key: string; readonly cloudIdentifier: string };
}

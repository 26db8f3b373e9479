// Records the use of keys in the background. All keys used during one write are recorded by the next write.

import { type BackgroundLoop, startLoop } from "@ems/kit/background";
import { monotonicMs } from "@ems/kit/clock";
import type { Database, Statement } from "@ems/kit/db/database";
import type { Logger } from "@ems/kit/log";

export interface KeyUse {
  readonly applicationId: string;
  readonly keyId: string;
  /** Digest of the key, in hexadecimal form. */
  readonly digest: string;
  readonly at: Date;
}

/** Maximum number of keys per transaction; uses beyond `pendingMax` are recorded at the next use a minute later. */
const keysMax = 100;
const pendingMax = 10_000;
const writeMs = 5_000;
const idleMs = 60_000;

export class KeyUses {
  readonly #database: Database;
  readonly #pending = new Map<string, KeyUse>();
  readonly #loop: BackgroundLoop;

  constructor(database: Database, log: Logger) {
    this.#database = database;
    this.#loop = startLoop({ name: "recording uses of API keys", everyMs: idleMs, log, work: () => this.#write() });
  }

  add(use: KeyUse): void {
    if (this.#pending.size >= pendingMax) return;
    this.#pending.set(use.keyId, use);
    this.#loop.wake();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #write(): Promise<"more" | "idle"> {
    // Sorted, because the same order in every process prevents deadlocks.
    const uses = [...this.#pending.values()].slice(0, keysMax).sort((a, b) => (a.keyId < b.keyId ? -1 : 1));
    if (uses.length === 0) return "idle";
    for (const { keyId } of uses) this.#pending.delete(keyId);
    // With digests in the scope instead of an application, the connections reserved for authentication are used.
    const scope = { apiKeyDigest: uses.map(({ digest }) => digest).join(",") };
    await this.#database.execute(scope, monotonicMs() + writeMs, uses.flatMap(recordUse));
    return "more";
  }
}

function recordUse({ applicationId, keyId, at }: KeyUse): Statement[] {
  return [
    {
      name: "scope-key-use",
      text: "SELECT set_config('ems.application_id', $1, true)",
      values: [applicationId],
    },
    {
      name: "record-key-use",
      text: "UPDATE identity.api_key SET last_used_at = $3 WHERE application_id = $1 AND id = $2",
      values: [applicationId, keyId, at],
    },
  ];
}

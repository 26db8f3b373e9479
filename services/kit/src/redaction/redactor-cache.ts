import { LRUCache } from "lru-cache";
import { type Clock, monotonicMs } from "../clock.ts";
import { entriesAtMost } from "../limits/cache-entries.ts";
import { Redactor } from "./redaction.ts";
import type { RedactionRule } from "./rule.ts";

export interface StoredRules {
  /** Version of the rules, which changes with every update. */
  readonly version: string;
  readonly rules: readonly RedactionRule[];
}

/** Maximum time until other processes apply a change of the rules. */
const freshMs = 5_000;
const applicationsMax = 10_000;

interface Cached {
  readonly version: string;
  /** Undefined for an application without rules. */
  readonly redactor: Redactor | undefined;
  readonly atMs: number;
}

/** Caches rules by application. A failure to read them rejects: nothing passes without them. */
export class RedactorCache {
  readonly #clock: Clock;
  readonly #cached = new LRUCache<string, Cached>(entriesAtMost(applicationsMax));
  readonly #loading = new Map<string, Promise<Redactor | undefined>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the application's redactor; undefined if it has no rules. `load` returns undefined without settings. */
  of(
    applicationId: string,
    load: () => Promise<StoredRules | undefined>,
  ): Redactor | undefined | Promise<Redactor | undefined> {
    const cached = this.#cached.get(applicationId);
    const ageMs = cached && monotonicMs(this.#clock) - cached.atMs;
    if (ageMs !== undefined && ageMs < freshMs) return cached?.redactor;
    const running = this.#loading.get(applicationId);
    if (running !== undefined) return running;
    const started = this.#load(load, cached).then((loaded) => {
      if (this.#loading.get(applicationId) === started) this.#cached.set(applicationId, loaded);
      return loaded.redactor;
    });
    this.#loading.set(applicationId, started);
    return started.finally(() => {
      if (this.#loading.get(applicationId) === started) this.#loading.delete(applicationId);
    });
  }

  /** Removes the application's rules, so that this process applies a change at once. */
  forget(applicationId: string): void {
    this.#cached.delete(applicationId);
    this.#loading.delete(applicationId);
  }

  async #load(load: () => Promise<StoredRules | undefined>, cached: Cached | undefined): Promise<Cached> {
    const atMs = monotonicMs(this.#clock);
    const { version = "", rules = [] } = (await load()) ?? {};
    // Reuses the compiled patterns if the version is unchanged.
    if (cached?.version === version) return { ...cached, atMs };
    return { version, redactor: rules.length === 0 ? undefined : new Redactor(rules), atMs };
  }
}

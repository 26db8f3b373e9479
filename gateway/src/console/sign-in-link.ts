// Links that sign in: a code that works once, for two minutes, at this machine. `npm start` prints one.

import { randomBytes } from "node:crypto";
import { z } from "@ems/kit/config";
import { entriesAtMost } from "@ems/kit/limits/cache-entries";
import { LRUCache } from "lru-cache";
import { type KeySettings, Seal } from "./seal.ts";

const lifetimeMs = 120_000;
/** More codes than a person asks for in their lifetime. */
const usedMax = 10_000;
const place = "sign-in link";

/** API key, when it was sealed, and what tells it from another code. */
const sealed = z.tuple([z.string(), z.number(), z.string()]);

/** In the fragment, which no request and no log has. */
export function signInLink(config: KeySettings, baseUrl: string, apiKey: string, nowMs: number): string {
  return `${baseUrl}/sign-in#code=${sealCode(new Seal(config), apiKey, nowMs)}`;
}

export function sealCode(seal: Seal, apiKey: string, nowMs: number): string {
  return seal.seal([apiKey, nowMs, randomBytes(6).toString("base64url")], place);
}

export class SignInCodes {
  readonly #seal: Seal;
  /** Codes from before this process are none: it does not know which of them were used. */
  readonly #sinceMs: number;
  readonly #used = new LRUCache<string, true>({ ...entriesAtMost(usedMax), ttl: lifetimeMs });

  constructor(seal: Seal, nowMs: number) {
    this.#seal = seal;
    this.#sinceMs = nowMs;
  }

  /** The API key of a code, once; undefined for one that is used, old or forged. */
  redeem(code: string, nowMs: number): string | undefined {
    const [apiKey, sealedMs, id] = this.#seal.open(code, place, sealed) ?? [];
    if (apiKey === undefined || sealedMs === undefined || id === undefined) return undefined;
    const isInTime = sealedMs >= this.#sinceMs && sealedMs <= nowMs && nowMs - sealedMs < lifetimeMs;
    if (!isInTime || this.#used.has(id)) return undefined;
    this.#used.set(id, true);
    return apiKey;
  }
}

// Sign-in links: a code that works once, for two minutes, on this machine. `npm start` prints one.

import { randomBytes } from "node:crypto";
import { z } from "@ems/kit/config";
import { entriesAtMost } from "@ems/kit/limits/cache-entries";
import { LRUCache } from "lru-cache";
import { type KeySettings, Seal } from "./seal.ts";

const lifetimeMs = 120_000;
/** Exceeds the number of codes that people request within a code's lifetime. */
const usedMax = 10_000;
const place = "sign-in link";

/** API key, sealing time, and a random value that makes the code unique. */
const sealed = z.tuple([z.string(), z.number(), z.string()]);

/** The code is in the fragment, so that it appears in no request and no log. */
export function signInLink(config: KeySettings, baseUrl: string, apiKey: string, nowMs: number): string {
  return `${baseUrl}/sign-in#code=${sealCode(new Seal(config), apiKey, nowMs)}`;
}

export function sealCode(seal: Seal, apiKey: string, nowMs: number): string {
  return seal.seal([apiKey, nowMs, randomBytes(6).toString("base64url")], place);
}

export class SignInCodes {
  readonly #seal: Seal;
  /** Codes from before the process start are invalid, because their use is not recorded. */
  readonly #sinceMs: number;
  readonly #used = new LRUCache<string, true>({ ...entriesAtMost(usedMax), ttl: lifetimeMs });

  constructor(seal: Seal, nowMs: number) {
    this.#seal = seal;
    this.#sinceMs = nowMs;
  }

  /** Returns the API key of an unused code, once; undefined for one that is used, expired or forged. */
  redeem(code: string, nowMs: number): string | undefined {
    const [apiKey, sealedMs, id] = this.#seal.open(code, place, sealed) ?? [];
    if (apiKey === undefined || sealedMs === undefined || id === undefined) return undefined;
    const isInTime = sealedMs >= this.#sinceMs && sealedMs <= nowMs && nowMs - sealedMs < lifetimeMs;
    if (!isInTime || this.#used.has(id)) return undefined;
    this.#used.set(id, true);
    return apiKey;
  }
}

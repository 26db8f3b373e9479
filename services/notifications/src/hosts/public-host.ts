// Where deliveries may go: https, to a host all of whose addresses are public. Asked when a webhook is set and again at
// every attempt, because what a name means can change in between.

import { isIP } from "node:net";
import { addressPolicy, canonicalAddress } from "./addresses.ts";
import { isPortIn, type PortRange } from "./ports.ts";
import { createResolve, type Resolve } from "./resolve.ts";

/** Whether a webhook may be set to a URL; never says which address was at fault. */
export type UrlVerdict =
  | { readonly ok: true }
  /** For the caller to correct: "must be https and resolve to a public host". */
  | { readonly ok: false; readonly reason: "not_public" }
  /** Names cannot be resolved at the moment: to be tried again. */
  | { readonly ok: false; readonly reason: "resolver" };

/** Where an attempt may connect to, or why nowhere. */
export type Target =
  | { readonly ok: true; readonly url: URL; readonly host: string; readonly addresses: readonly string[] }
  | { readonly ok: false; readonly reason: "not_public" | "name_not_found" | "resolver" };

export interface PublicHosts {
  /** For setting a webhook: asks the name servers now. */
  checkUrl(url: string): Promise<UrlVerdict>;
  /** For an attempt: an answer of the name servers holds a few seconds. */
  target(url: string): Promise<Target>;
}

export interface PublicHostsConfig {
  readonly WEBHOOK_ALLOW_CIDRS: readonly string[];
  readonly WEBHOOK_PORTS: readonly PortRange[];
  readonly DNS_SERVERS: readonly string[];
  readonly WEBHOOK_DNS_TIMEOUT_MS: number;
}

/** How long attempts go by one answer of the name servers: a second attempt, some 5 s after the first, asks again. */
const answerHoldsMs = 3_000;
const answersHeldMax = 10_000;

export function createPublicHosts(config: PublicHostsConfig): PublicHosts {
  const policy = addressPolicy(config.WEBHOOK_ALLOW_CIDRS);
  const resolve = createResolve({ servers: config.DNS_SERVERS, timeoutMs: config.WEBHOOK_DNS_TIMEOUT_MS });
  const resolveHeld = held(resolve);
  const targetBy = async (text: string, ask: Resolve): Promise<Target> => {
    const url = publicUrl(text, config);
    if (url === undefined) return { ok: false, reason: "not_public" };
    const host = url.hostname.replace(/^\[|\]$/g, "");
    // The system connects to a literal without asking anybody: it is judged as it stands.
    const target =
      isIP(host) === 0 ? await named(host, ask) : { ok: true as const, addresses: [canonicalAddress(host)] };
    if (!target.ok) return target;
    if (!target.addresses.every((address) => policy.allows(address))) return { ok: false, reason: "not_public" };
    return { ok: true, url, host, addresses: target.addresses };
  };
  return {
    target: (url) => targetBy(url, resolveHeld),
    checkUrl: async (url) => {
      const target = await targetBy(url, resolve);
      if (target.ok) return { ok: true };
      return { ok: false, reason: target.reason === "resolver" ? "resolver" : "not_public" };
    },
  };
}

async function named(host: string, resolve: Resolve) {
  const resolution = await resolve(host);
  switch (resolution.kind) {
    case "found":
      return { ok: true as const, addresses: resolution.addresses };
    case "not_found":
      return { ok: false as const, reason: "name_not_found" as const };
    case "too_many":
      return { ok: false as const, reason: "not_public" as const };
    case "failed":
      return { ok: false as const, reason: "resolver" as const };
  }
}

/** Labels of letters, digits and hyphens, at least two, the last one no number. */
const dottedName = /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+(?!\d+$)[a-z0-9-]{2,63}$/;
/** Names that the public name service never answers for. */
const notPublicNames = /(^|\.)(localhost|local|onion|invalid|alt|arpa)$/;
/** For private networks: to be used where an allow list says that one is meant. */
const privateNames = /\.internal$/;

/** The URL when everything about it but its addresses is as it must be. */
function publicUrl(text: string, config: PublicHostsConfig): URL | undefined {
  const url = URL.parse(text);
  if (url === null || url.protocol !== "https:") return undefined;
  // An empty user or fragment disappears in parsing: they are looked for in the text.
  if (url.username !== "" || url.password !== "" || /#/.test(text) || /^[^/?#]*\/\/[^/?#\\]*@/.test(text))
    return undefined;
  const port = url.port === "" ? 443 : Number(url.port);
  if (!isPortIn(config.WEBHOOK_PORTS, port)) return undefined;
  const { hostname } = url;
  if (hostname.startsWith("[") || isIP(hostname) !== 0) return url;
  if (!dottedName.test(hostname) || notPublicNames.test(hostname)) return undefined;
  if (privateNames.test(hostname) && config.WEBHOOK_ALLOW_CIDRS.length === 0) return undefined;
  return url;
}

/** `resolve` whose addresses hold for a while, and nothing else. Those who ask at the same time share one question. */
function held(resolve: Resolve): Resolve {
  const answers = new Map<string, { readonly untilMs: number; readonly resolution: ReturnType<Resolve> }>();
  return (name) => {
    const nowMs = performance.now();
    const known = answers.get(name);
    if (known !== undefined && nowMs < known.untilMs) return known.resolution;
    const resolution = resolve(name);
    if (answers.size >= answersHeldMax) answers.clear();
    const answer = { untilMs: nowMs + answerHoldsMs, resolution };
    answers.set(name, answer);
    resolution.then(({ kind }) => {
      if (kind !== "found" && answers.get(name) === answer) answers.delete(name);
    });
    return resolution;
  };
}

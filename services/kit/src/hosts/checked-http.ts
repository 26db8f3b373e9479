// HTTP to hosts of customers: only to checked addresses, without redirects, with a limit on answers.

import type { SecureContext } from "node:tls";
import { LRUCache } from "lru-cache";
import { Agent, type Dispatcher, fetch, type RequestInit } from "undici";
import { entriesAtMost } from "../limits/cache-entries.ts";
import { connectChecked } from "./connect.ts";
import type { PublicHosts, Target } from "./public-host.ts";

export interface CheckedHttpOptions {
  readonly hosts: Pick<PublicHosts, "target">;
  /** Trusted certificate authorities. */
  readonly secureContext: SecureContext;
  readonly connectTimeoutMs: number;
  /** Maximum number of bytes read from an answer, decompressed. */
  readonly answerBytesMax: number;
}

/** An answer, or the reason why the URL's host has no allowed address. */
export type CheckedAnswer =
  | {
      readonly ok: true;
      readonly status: number;
      /** True for an answer that leads to another URL; it is not followed, and its body is not read. */
      readonly isRedirect: boolean;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Buffer<ArrayBuffer>;
      /** True if the body is longer than the limit: `body` is its beginning. */
      readonly isCut: boolean;
    }
  | { readonly ok: false; readonly reason: Extract<Target, { ok: false }>["reason"] };

export interface CheckedHttp {
  /** Sends a request. Rejects with the error of the connection; `init.signal` limits the whole request. */
  send(url: string, init?: RequestInit, intercept?: Dispatcher.DispatcherComposeInterceptor): Promise<CheckedAnswer>;
  close(): Promise<void>;
}

/** Maximum number of connection pools. Each combination of an origin and its checked addresses has one. */
const poolsMax = 200;
const keepAliveMs = 20_000;

export function createCheckedHttp(options: CheckedHttpOptions): CheckedHttp {
  const pools = new LRUCache<string, Agent>({
    ...entriesAtMost(poolsMax),
    dispose: (pool) => void pool.close().catch(() => undefined),
  });
  const poolFor = (target: Extract<Target, { ok: true }>): Agent => {
    const key = [target.url.origin, ...target.addresses.toSorted()].join(" ");
    const pool = pools.get(key) ?? newPool(target, options);
    pools.set(key, pool);
    return pool;
  };
  return {
    send: async (url, init, intercept) => {
      const target = await options.hosts.target(url);
      if (!target.ok) return target;
      const pool = poolFor(target);
      const dispatcher = intercept === undefined ? pool : pool.compose(intercept);
      const response = await fetch(url, { ...init, dispatcher, redirect: "manual" });
      const { status } = response;
      const isRedirect = response.type === "opaqueredirect" || (status >= 300 && status < 400);
      const headers = Object.fromEntries(response.headers);
      if (isRedirect) await response.body?.cancel();
      const body = isRedirect ? noBody : await boundedBody(response.body, options.answerBytesMax);
      return { ok: true, status, isRedirect, headers, ...body };
    },
    close: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.destroy().catch(() => undefined)));
    },
  };
}

function newPool({ host, addresses }: Extract<Target, { ok: true }>, options: CheckedHttpOptions): Agent {
  const { secureContext, connectTimeoutMs } = options;
  const checked = new Set(addresses);
  return new Agent({
    allowH2: false,
    keepAliveTimeout: keepAliveMs,
    // No timeouts here, because the request has one timer for all phases.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: ({ port, protocol }, callback) => {
      const isPlain = protocol === "http:";
      const connection = {
        host,
        port: Number(port) || (isPlain ? 80 : 443),
        addresses: () => checked,
        secureContext: isPlain ? undefined : secureContext,
        timeoutMs: connectTimeoutMs,
      };
      let isCalled = false;
      connectChecked(connection, (error, socket) => {
        if (isCalled) return;
        isCalled = true;
        if (error === null) callback(null, socket);
        else callback(error, null);
      });
    },
  });
}

const noBody = { body: Buffer.alloc(0), isCut: false };

async function boundedBody(
  body: AsyncIterable<Uint8Array> | null,
  bytesMax: number,
): Promise<{ readonly body: Buffer<ArrayBuffer>; readonly isCut: boolean }> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    chunks.push(chunk);
    // Returning from the loop cancels the body.
    if (bytes > bytesMax) return { body: Buffer.concat(chunks), isCut: true };
  }
  return { body: Buffer.concat(chunks), isCut: false };
}

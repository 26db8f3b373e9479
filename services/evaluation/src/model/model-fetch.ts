// HTTP to model providers: only to checked addresses, without redirects, with a limit on answers.

import type { SecureContext } from "node:tls";
import { connectChecked, type PublicHosts, type Target } from "@ems/kit/hosts";
import { entriesAtMost } from "@ems/kit/limits/cache-entries";
import { sizeText } from "@ems/proto/limits";
import { LRUCache } from "lru-cache";
import { Agent, fetch as undiciFetch } from "undici";
import { ModelFault, type Transmission } from "../judges/index.ts";
import { trackBody } from "./track-body.ts";

export interface ModelFetchOptions {
  readonly hosts: Pick<PublicHosts, "target">;
  /** Trusted certificate authorities: those of the system and of MODEL_CA_FILE. */
  readonly secureContext: SecureContext;
  readonly connectTimeoutMs: number;
}

/** Maximum number of bytes read from an answer. */
export const answerBytesMax = 1024 * 1024;

/** Maximum number of connection pools. Each combination of an origin and its checked addresses has one. */
const poolsMax = 200;
const keepAliveMs = 20_000;

export interface ModelFetch {
  /** Returns the fetch for one call, which records in `transmission` whether its last request was sent and answered. */
  newFetch(transmission?: Transmission): typeof globalThis.fetch;
  close(): Promise<void>;
}

export function createModelFetch({ hosts, secureContext, connectTimeoutMs }: ModelFetchOptions): ModelFetch {
  const pools = new LRUCache<string, Agent>({
    ...entriesAtMost(poolsMax),
    dispose: (pool) => void pool.close().catch(() => undefined),
  });
  const poolFor = (target: Extract<Target, { ok: true }>): Agent => {
    const key = [target.url.origin, ...target.addresses.toSorted()].join(" ");
    const pool = pools.get(key) ?? newPool(target);
    pools.set(key, pool);
    return pool;
  };
  const newPool = ({ host, addresses }: Extract<Target, { ok: true }>) => {
    const checked = new Set(addresses);
    return new Agent({
      allowH2: false,
      keepAliveTimeout: keepAliveMs,
      // No timeouts here, because the call has one timer for all phases.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: ({ port, protocol }, callback) => {
        const isPlain = protocol === "http:";
        const options = {
          host,
          port: Number(port) || (isPlain ? 80 : 443),
          addresses: () => checked,
          secureContext: isPlain ? undefined : secureContext,
          timeoutMs: connectTimeoutMs,
        };
        let isCalled = false;
        connectChecked(options, (error, socket) => {
          if (isCalled) return;
          isCalled = true;
          if (error === null) callback(null, socket);
          else callback(error, null);
        });
      },
    });
  };
  return {
    newFetch: (transmission) => async (input, init) => {
      if (transmission !== undefined) Object.assign(transmission, { state: "unsent", answer: undefined });
      const url = String(input instanceof Request ? input.url : input);
      const target = await hosts.target(url);
      if (!target.ok) throw unreachable(target.reason);
      const pool = poolFor(target);
      const dispatcher = transmission === undefined ? pool : pool.compose(trackBody(transmission));
      // Safe cast: the types of Node's fetch and of the package have the same fields and different names.
      const options = { ...init, dispatcher, redirect: "manual" } as Parameters<typeof undiciFetch>[1];
      const response = await undiciFetch(url, options);
      if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) {
        await response.body?.cancel();
        throw new ModelFault("rejected", "The provider redirects; redirects are not followed", {
          status: response.status,
        });
      }
      const { body, isCut } = await boundedBody(response.body);
      // Recorded before the answer is read, because the call must be paid for whatever the answer contains.
      if (transmission !== undefined && response.ok)
        Object.assign(transmission, { state: "answered", answer: { textBytes: body.byteLength, usage: {} } });
      if (isCut)
        throw new ModelFault("not_completion", `The provider's answer is larger than ${sizeText(answerBytesMax)}`, {
          status: response.status,
        });
      // A status such as 204 does not allow a body, not even an empty one.
      return new Response(body.byteLength === 0 ? null : body, {
        status: response.status,
        headers: [...response.headers],
      });
    },
    close: async () => {
      const all = [...pools.values()];
      await Promise.all(all.map((pool) => pool.destroy().catch(() => undefined)));
    },
  };
}

function unreachable(reason: Extract<Target, { ok: false }>["reason"]): ModelFault {
  switch (reason) {
    case "not_public":
      return new ModelFault("rejected", "The base URL must be https and resolve to a public host");
    case "name_not_found":
      return new ModelFault("unavailable", "The base URL's name does not resolve");
    case "resolver":
      return new ModelFault("unavailable", "The name servers do not answer");
  }
}

/** Reads the decompressed body, up to `answerBytesMax`. */
async function boundedBody(
  body: AsyncIterable<Uint8Array> | null,
): Promise<{ readonly body: Buffer<ArrayBuffer>; readonly isCut: boolean }> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    chunks.push(chunk);
    // Returning from the loop cancels the body.
    if (bytes > answerBytesMax) return { body: Buffer.concat(chunks), isCut: true };
  }
  return { body: Buffer.concat(chunks), isCut: false };
}

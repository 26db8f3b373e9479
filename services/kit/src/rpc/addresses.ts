// Name resolution for grpc-js. Its own resolver repeats a look-up only after a lost connection, so new processes would
// get no calls, and it does not accept a list of names.

import { lookup as systemLookup } from "node:dns/promises";
import { isIP } from "node:net";
import grpc from "@grpc/grpc-js";
import { type BackgroundLoop, type RunResult, startLoop } from "../background.ts";
import { monotonicMs } from "../clock.ts";
import type { Logger } from "../log.ts";

/** Time for which an address that responded UNAVAILABLE is ejected, unless it is the last one. */
const ejectMs = 5_000;

export interface NameResolution {
  readonly lookup: (host: string) => Promise<readonly string[]>;
  readonly everyMs: number;
}

const systemNameResolution: NameResolution = {
  lookup: async (host) => (await systemLookup(host, { all: true })).map(({ address }) => address),
  everyMs: 5_000,
};

type Listener = grpc.experimental.ResolverListener;

interface Address {
  readonly host: string;
  readonly port: number;
}

/** Addresses of `host:port,host:port`, where a host may be a name with several addresses. */
export class Addresses {
  readonly #entries: readonly Address[];
  readonly #resolution: NameResolution;
  readonly #ejectedUntilMs = new Map<string, number>();
  #listener: Listener | undefined;
  #found: readonly Address[] | undefined;
  #reported = "";
  readonly #log: Logger;
  #loop: BackgroundLoop | undefined;

  constructor(list: string, log: Logger, resolution = systemNameResolution) {
    this.#log = log;
    this.#resolution = resolution;
    this.#entries = list.split(",").map((entry) => {
      const [, host, port] = /^\[?([^\]]*)\]?:(\d+)$/.exec(entry.trim()) ?? [];
      if (host === undefined) throw new Error(`${entry} must be host:port`);
      return { host, port: Number(port) };
    });
  }

  /** The hosts as configured: names or addresses. */
  get hosts(): string[] {
    return this.#entries.map(({ host }) => host);
  }

  get count(): number {
    return this.#found?.length ?? 0;
  }

  /** Resolves now and every `everyMs`, and reports changes to `listener`. */
  start(listener: Listener): void {
    this.#listener = listener;
    if (this.#loop === undefined) {
      const { everyMs } = this.#resolution;
      this.#loop = startLoop({ name: "name resolution", everyMs, log: this.#log, work: () => this.#resolve() });
    } else if (this.#found === undefined) this.#loop.wake();
  }

  stop(): void {
    void this.#loop?.stop();
    this.#loop = undefined;
    this.#listener = undefined;
    this.#reported = "";
  }

  /** Ejects an address for `ejectMs`. If all are ejected, all are used. */
  eject(address: string): void {
    if (this.count < 2) return;
    this.#ejectedUntilMs.set(address, monotonicMs() + ejectMs);
    setTimeout(() => this.#report(), ejectMs + 1).unref();
    this.#report();
  }

  async #resolve(): Promise<RunResult> {
    const found = await Promise.allSettled(
      this.#entries.map(async ({ host, port }) => {
        const hosts = isIP(host) === 0 ? await this.#resolution.lookup(host) : [host];
        return hosts.map((resolved) => ({ host: resolved, port }));
      }),
    );
    const addresses = found.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
    // If a look-up fails, the previous addresses stay in use.
    const failed = found.find((result) => result.status === "rejected");
    if (failed !== undefined) this.#log.warn({ err: failed.reason }, "a peer's name was not resolved");
    if (addresses.length > 0 && (failed === undefined || this.#found === undefined)) this.#found = addresses;
    this.#report();
    return "idle";
  }

  #report(): void {
    if (this.#listener === undefined) return;
    if (this.#found === undefined) {
      const error = { code: grpc.status.UNAVAILABLE, details: "Name resolution failed", metadata: new grpc.Metadata() };
      return void this.#listener(grpc.experimental.statusOrFromError(error), {}, null, "");
    }
    const nowMs = monotonicMs();
    for (const [name, untilMs] of this.#ejectedUntilMs) if (untilMs <= nowMs) this.#ejectedUntilMs.delete(name);
    const healthy = this.#found.filter((address) => !this.#ejectedUntilMs.has(formatAddress(address)));
    const used = healthy.length > 0 ? healthy : this.#found;
    const reported = used.map(formatAddress).sort().join();
    // Skip an unchanged list, which would make grpc-js restart its round robin.
    if (reported === this.#reported) return;
    this.#reported = reported;
    const endpoints = used.map((address) => ({ addresses: [address] }));
    this.#listener(grpc.experimental.statusOrFromValue(endpoints), {}, null, "");
  }
}

/** Formats an address as grpc-js's `getPeer` does. */
function formatAddress({ host, port }: Address): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

const scheme = "ems";
const option = "ems.addresses";

/** Returns target and options of a channel to `addresses`. TLS verifies the server `name`. */
export function channelTo(addresses: Addresses, name = "mesh"): { target: string; options: grpc.ChannelOptions } {
  return { target: `${scheme}:///${name}`, options: { [option]: addresses } };
}

class AddressesResolver implements grpc.experimental.Resolver {
  readonly #addresses: Addresses;
  readonly #listener: Listener;

  constructor(_target: grpc.experimental.GrpcUri, listener: Listener, options: grpc.ChannelOptions) {
    this.#addresses = options[option] as Addresses;
    this.#listener = listener;
  }

  updateResolution(): void {
    this.#addresses.start(this.#listener);
  }

  destroy(): void {
    this.#addresses.stop();
  }

  static getDefaultAuthority(target: grpc.experimental.GrpcUri): string {
    return target.path;
  }
}

grpc.experimental.registerResolver(scheme, AddressesResolver);

// The addresses behind a name of the mesh, for grpc-js. Its own resolver looks a name up again only when a connection is
// lost, so a process that joins would get no calls; and it knows no list of names.

import { lookup as systemLookup } from "node:dns/promises";
import { isIP } from "node:net";
import grpc from "@grpc/grpc-js";

/** A process that said "unavailable" is left alone this long, as long as there is another. */
const ejectMs = 5_000;

export interface Naming {
  /** The addresses of a host name. */
  readonly lookup: (host: string) => Promise<readonly string[]>;
  /** A name is looked up this often. */
  readonly everyMs: number;
}

const systemNaming: Naming = {
  lookup: async (host) => (await systemLookup(host, { all: true })).map(({ address }) => address),
  everyMs: 5_000,
};

type Listener = grpc.experimental.ResolverListener;

interface Address {
  readonly host: string;
  readonly port: number;
}

/** What stands behind `host:port` or `host:port,host:port`: literal addresses, and names that may stand for several. */
export class Addresses {
  readonly #entries: readonly Address[];
  readonly #naming: Naming;
  readonly #ejectedUntilMs = new Map<string, number>();
  #listener: Listener | undefined;
  #found: readonly Address[] | undefined;
  #told = "";
  #timer: NodeJS.Timeout | undefined;

  constructor(list: string, naming = systemNaming) {
    this.#naming = naming;
    this.#entries = list.split(",").map((entry) => {
      const [, host, port] = /^\[?([^\]]*)\]?:(\d+)$/.exec(entry.trim()) ?? [];
      if (host === undefined) throw new Error(`${entry} is not host:port`);
      return { host, port: Number(port) };
    });
  }

  /** How many were found. */
  get count(): number {
    return this.#found?.length ?? 0;
  }

  /** Looks up now and from then on; `listener` hears of every change. */
  start(listener: Listener): void {
    this.#listener = listener;
    if (this.#timer === undefined) {
      this.#timer = setInterval(() => void this.#resolve(), this.#naming.everyMs).unref();
      void this.#resolve();
    } else if (this.#found === undefined) void this.#resolve();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#listener = undefined;
    this.#told = "";
  }

  /** Leaves the address alone for a while. When none would be left, all are used. */
  eject(address: string): void {
    if (this.count < 2) return;
    this.#ejectedUntilMs.set(address, Date.now() + ejectMs);
    setTimeout(() => this.#tell(), ejectMs + 1).unref();
    this.#tell();
  }

  async #resolve(): Promise<void> {
    const found = await Promise.allSettled(
      this.#entries.map(async ({ host, port }) => {
        const hosts = isIP(host) === 0 ? await this.#naming.lookup(host) : [host];
        return hosts.map((one) => ({ host: one, port }));
      }),
    );
    const addresses = found.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
    // A name that cannot be looked up for the moment leaves its addresses as they were.
    const isWhole = found.every(({ status }) => status === "fulfilled");
    if (addresses.length > 0 && (isWhole || this.#found === undefined)) this.#found = addresses;
    this.#tell();
  }

  #tell(): void {
    if (this.#listener === undefined) return;
    if (this.#found === undefined) {
      const error = { code: grpc.status.UNAVAILABLE, details: "Name resolution failed", metadata: new grpc.Metadata() };
      return void this.#listener(grpc.experimental.statusOrFromError(error), {}, null, "");
    }
    const nowMs = Date.now();
    for (const [name, untilMs] of this.#ejectedUntilMs) if (untilMs <= nowMs) this.#ejectedUntilMs.delete(name);
    const well = this.#found.filter((address) => !this.#ejectedUntilMs.has(nameOf(address)));
    const used = well.length > 0 ? well : this.#found;
    const told = used.map(nameOf).sort().join();
    // A list that is told again makes grpc-js begin its round anew.
    if (told === this.#told) return;
    this.#told = told;
    const endpoints = used.map((address) => ({ addresses: [address] }));
    this.#listener(grpc.experimental.statusOrFromValue(endpoints), {}, null, "");
  }
}

/** As grpc-js names a peer. */
function nameOf({ host, port }: Address): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

const scheme = "ems";
const option = "ems.addresses";

/** Target and options of a channel to `addresses`. */
export function channelTo(addresses: Addresses): { target: string; options: grpc.ChannelOptions } {
  return { target: `${scheme}:///mesh`, options: { [option]: addresses } };
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

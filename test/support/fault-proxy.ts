// A TCP proxy that fails on command, between two parts of the product, like a faulty network.

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/**
 * Mode of the proxy's connections. `pass`: forwards bytes. `refuse`: closes open and new connections at once.
 * `hang`: leaves connections open and accepts new ones, without forwarding a byte, like a network without a route.
 */
export type ProxyMode = "pass" | "refuse" | "hang";

export interface FaultProxy {
  readonly port: number;
  /** Changes the mode of all connections, open and new. Bytes of `hang` are forwarded when the mode is `pass` again. */
  set(mode: ProxyMode): void;
  /** Closes every open connection once; new connections follow the mode. */
  disconnect(): void;
  /** Number of connections accepted so far. */
  readonly connections: () => number;
  close(): Promise<void>;
}

/** A proxy on a free loopback port. Calls `target` for every connection, since the port may change. */
export async function startFaultProxy(target: () => number): Promise<FaultProxy> {
  let mode: ProxyMode = "pass";
  let connections = 0;
  const pairs = new Set<{ near: Socket; far: Socket }>();
  const server = createServer((near) => {
    connections += 1;
    if (mode === "refuse") return void near.resetAndDestroy();
    const far = connect(target(), "127.0.0.1");
    const pair = { near, far };
    pairs.add(pair);
    near.pipe(far);
    far.pipe(near);
    if (mode === "hang") pause(pair);
    for (const socket of [near, far]) {
      socket.setNoDelay(true);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        pairs.delete(pair);
        near.destroy();
        far.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const disconnect = () => {
    for (const { near } of pairs) near.resetAndDestroy();
  };
  return {
    // A listener on host and port has no pipe name as its address.
    port: (server.address() as AddressInfo).port,
    set(next) {
      mode = next;
      if (next === "refuse") disconnect();
      for (const pair of pairs) next === "hang" ? pause(pair) : resume(pair);
    },
    disconnect,
    connections: () => connections,
    async close() {
      server.close();
      disconnect();
      await once(server, "close");
    },
  };
}

function pause({ near, far }: { near: Socket; far: Socket }): void {
  near.unpipe(far);
  far.unpipe(near);
  near.pause();
  far.pause();
}

function resume({ near, far }: { near: Socket; far: Socket }): void {
  near.pipe(far);
  far.pipe(near);
}

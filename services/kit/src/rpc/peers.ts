// gRPC clients of a process. A process that serves no RPC needs only this file of the folder.

import type { Transport } from "@connectrpc/connect";
import type { ClockReading } from "../clock.ts";
import type { CallerConfig } from "../config.ts";
import type { Logger } from "../log.ts";
import { tracedTransport } from "../telemetry/rpc.ts";
import { grpcTransport } from "./grpc-client.ts";
import { readAuthorities } from "./tls.ts";
import { callerTokens } from "./tokens/sign.ts";

/** The addresses of a process's peers by name, such as `{ identity: "127.0.0.1:7101" }`. */
export type Peers = Readonly<Record<string, string>>;

type Credentials = Pick<CallerConfig, "RPC_PRIVATE_KEY" | "RPC_TLS_CA_FILE">;

/** gRPC transports to `peers`, authenticated as the process `name` by its key; created on first use. */
export function grpcPeers(name: string, credentials: Credentials, peers: Peers, log: Logger) {
  const { RPC_PRIVATE_KEY: privateKey, RPC_TLS_CA_FILE: caFile } = credentials;
  const authorities = caFile === undefined ? undefined : readAuthorities("RPC_TLS_CA_FILE", caFile);
  const tokensFor = callerTokens(name, privateKey);
  const transports = new Map<string, ReturnType<typeof grpcTransport>>();
  const transportTo = (peerName: string) => {
    const address = peers[peerName];
    if (address === undefined) throw new Error(`${name} has no address of ${peerName}: set it in the configuration`);
    const tls = authorities && { authorities, name: peerName };
    const transport = transports.get(peerName) ?? grpcTransport(address, tokensFor(peerName), log, { tls });
    transports.set(peerName, transport);
    return transport;
  };
  return {
    peer: (peerName: string): Transport => tracedTransport(transportTo(peerName)),
    /** Reads a peer's clock. */
    readClock: (peerName: string): Promise<ClockReading> => transportTo(peerName).readClock(),
    closePeers(): void {
      for (const transport of transports.values()) transport.close();
    },
  };
}

// Keys that authenticate the processes of a mesh. Each process has its own private key and all public keys.

import { listPublicKeys, newPrivateKey } from "@ems/kit/rpc/tokens/keys";
import { type ProcessName, processNames } from "./mesh.ts";

/** Generates a private key for each process. */
export function newPrivateKeys(): Record<ProcessName, string> {
  const keys = processNames.map((name) => [name, newPrivateKey()]);
  // The cast is safe: there is one entry for each process.
  return Object.fromEntries(keys) as Record<ProcessName, string>;
}

/** Returns the variable of the private key of `name`, for files that contain the keys of all processes. */
export function privateKeyVariable(name: string): string {
  return `RPC_PRIVATE_KEY_${name.toUpperCase()}`;
}

/** Returns all keys as variables of compose's environment file and the chart's Secret. */
export function keyVariables(privateKeys: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(privateKeys).map(([name, key]) => [privateKeyVariable(name), key]);
  return { ...Object.fromEntries(entries), RPC_PUBLIC_KEYS: listPublicKeys(privateKeys) };
}

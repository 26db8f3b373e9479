// Keys that authenticate the processes of a mesh: each has its private key, all have the public keys.

import { listPublicKeys, newPrivateKey } from "@ems/kit/rpc/tokens/keys";
import { type ProcessName, processNames } from "./mesh.ts";

/** Generates a private key for each process. */
export function newPrivateKeys(): Record<ProcessName, string> {
  const keys = processNames.map((name) => [name, newPrivateKey()]);
  // One entry for each process.
  return Object.fromEntries(keys) as Record<ProcessName, string>;
}

/** Returns the variable for the private key of `name` in files with the keys of all processes. */
export function privateKeyVariable(name: string): string {
  return `RPC_PRIVATE_KEY_${name.toUpperCase()}`;
}

/** Returns all keys as variables of compose's environment file and the chart's Secret. */
export function keyVariables(privateKeys: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(privateKeys).map(([name, key]) => [privateKeyVariable(name), key]);
  return { ...Object.fromEntries(entries), RPC_PUBLIC_KEYS: listPublicKeys(privateKeys) };
}

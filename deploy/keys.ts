// The keys with which the processes of a mesh authenticate to each other: each has its private one, all have the public ones.

import { newPrivateKey, publicKeysOf } from "@ems/kit/rpc/tokens/keys";
import { type ProcessName, processNames } from "./mesh.ts";

/** A private key for each process. */
export function newPrivateKeys(): Record<ProcessName, string> {
  const keys = processNames.map((name) => [name, newPrivateKey()]);
  // One entry for each process.
  return Object.fromEntries(keys) as Record<ProcessName, string>;
}

/** The variable of the private key of `name` where the keys of all processes are in one place. */
export function privateKeyVariable(name: string): string {
  return `RPC_PRIVATE_KEY_${name.toUpperCase()}`;
}

/** All keys as variables, as compose's environment file and the chart's Secret name them. */
export function keyVariables(privateKeys: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(privateKeys).map(([name, key]) => [privateKeyVariable(name), key]);
  return { ...Object.fromEntries(entries), RPC_PUBLIC_KEYS: publicKeysOf(privateKeys) };
}

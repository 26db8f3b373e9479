import { type CallerConfig, ConfigError } from "../../config.ts";
import { isPublished } from "./keys.ts";

/** Refuses keys that do not fit each other: what the process signs nobody would believe, or a caller could not be known. */
export function assertKeysMatch(
  name: string,
  { RPC_PRIVATE_KEY, RPC_PUBLIC_KEYS, RPC_CALLERS = [] }: CallerConfig & { RPC_CALLERS?: readonly string[] },
): void {
  const unknown = RPC_CALLERS.filter((caller) => !RPC_PUBLIC_KEYS.has(caller));
  const faults = unknown.map((caller) => `RPC_PUBLIC_KEYS: has no key of ${caller}, which RPC_CALLERS names`);
  if (!isPublished(name, RPC_PRIVATE_KEY, RPC_PUBLIC_KEYS)) {
    faults.push(
      `RPC_PRIVATE_KEY: its public key is not the one, or one of the two, that RPC_PUBLIC_KEYS has of ${name}`,
    );
  }
  if (faults.length > 0) throw new ConfigError(faults);
}

import { type CallerConfig, ConfigError } from "../../config.ts";
import { isPublished } from "./keys.ts";

/** Throws if the private key has no published public key, or a caller has none. */
export function assertKeysMatch(
  name: string,
  { RPC_PRIVATE_KEY, RPC_PUBLIC_KEYS, RPC_CALLERS = [] }: CallerConfig & { RPC_CALLERS?: readonly string[] },
): void {
  const missing = RPC_CALLERS.filter((caller) => !RPC_PUBLIC_KEYS.has(caller));
  const faults = missing.map((caller) => `RPC_PUBLIC_KEYS: has no key of ${caller}, which RPC_CALLERS names`);
  if (!isPublished(name, RPC_PRIVATE_KEY, RPC_PUBLIC_KEYS)) {
    faults.push(
      `RPC_PRIVATE_KEY: its public key is not the one, or one of the two, that RPC_PUBLIC_KEYS has of ${name}`,
    );
  }
  if (faults.length > 0) throw new ConfigError(faults);
}

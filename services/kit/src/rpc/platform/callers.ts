import { readFile } from "node:fs/promises";
import { ConfigError } from "../../config.ts";
import { allowedRpcs } from "./allowed-rpcs.ts";
import { type CallerEntry, readCallers } from "./document.ts";

/** A platform caller with the RPCs that it may call, as `package.Service/Method`. */
export interface PlatformCaller extends Omit<CallerEntry, "rpcs"> {
  readonly rpcs: ReadonlySet<string>;
}

export type PlatformCallers = ReadonlyMap<string, PlatformCaller>;

interface CallersConfig {
  readonly RPC_PLATFORM_CALLERS?: string | undefined;
  readonly RPC_PLATFORM_CALLERS_FILE?: string | undefined;
}

/** Reads the platform callers in the settings. */
export async function platformCallers(config: CallersConfig, reserved: readonly string[]): Promise<PlatformCallers> {
  const { RPC_PLATFORM_CALLERS: text, RPC_PLATFORM_CALLERS_FILE: path } = config;
  if (text !== undefined && path !== undefined) {
    throw new ConfigError(["RPC_PLATFORM_CALLERS: must not be set together with RPC_PLATFORM_CALLERS_FILE"]);
  }
  if (text !== undefined) return parsePlatformCallers(text, reserved, "RPC_PLATFORM_CALLERS");
  if (path === undefined) return new Map();
  const contents = await readFile(path, "utf8").catch(({ code }: NodeJS.ErrnoException) => {
    throw new ConfigError([`RPC_PLATFORM_CALLERS_FILE: ${path} cannot be read (${code})`]);
  });
  return parsePlatformCallers(contents, reserved, "RPC_PLATFORM_CALLERS_FILE");
}

/** Parses a platform callers document. Throws one error with all problems, each prefixed with `source`. */
export async function parsePlatformCallers(
  text: string,
  reserved: readonly string[],
  source: string,
): Promise<PlatformCallers> {
  const { callers, faults: wrong } = readCallers(text, reserved);
  const faults = [...wrong];
  // The contract of all services; loaded only if there are platform callers.
  const services = callers.length > 0 ? (await import("@ems/proto/services")).services : [];
  const found = callers.map(({ rpcs: patterns, ...caller }, index) => {
    const { rpcs, faults: unknown } = allowedRpcs(patterns, services);
    faults.push(...unknown.map((fault) => `callers[${index}].rpcs: ${fault}`));
    return [caller.name, { ...caller, rpcs }] as const;
  });
  if (faults.length > 0) throw new ConfigError(faults.map((fault) => `${source}: ${fault}`));
  return new Map(found);
}

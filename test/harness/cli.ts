// Runs `ems` against a product.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type Input, type Ran, runEms } from "@ems/cli/test/ems";

export type { Ran };

const thisRoot = join(import.meta.dirname, "../..");

/** The caller's settings are removed, except the launcher's compile cache, which halves the start. */
const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
const inherited = { PATH, HOME, NODE_COMPILE_CACHE };

export interface CliTenant {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly applicationId: string;
}

export type Ems = (args: readonly string[], input?: Input) => Promise<Ran>;

const environment = ({ baseUrl, apiKey, applicationId }: CliTenant) => ({
  EMS_URL: baseUrl,
  EMS_API_KEY: apiKey,
  EMS_APPLICATION_ID: applicationId,
});

/** The command line with one application's credentials, in this process. */
export function emsAs(tenant: CliTenant): Ems {
  return (args, input = {}) => runEms(args, { ...input, env: { ...environment(tenant), ...input.env } });
}

interface ProcessInput extends Pick<Input, "env" | "stdin" | "stopWhen"> {
  /** True if no process reads stderr. */
  readonly isUnheard?: boolean;
}

/** The command line as a shell runs it; from the code in `root` if set. */
export function emsProcess(tenant: CliTenant, root = thisRoot) {
  const main = join(root, "deploy/cli/main.ts");
  return async (args: readonly string[], input: ProcessInput = {}): Promise<Ran> => {
    const { stdin = "", env = {}, stopWhen = () => false, isUnheard = false } = input;
    const child = spawn(process.execPath, [main, ...args], {
      env: { ...inherited, ...environment(tenant), ...env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    let seen = "";
    child.stdout.on("data", (chunk) => {
      seen += chunk;
      if (stopWhen(seen)) child.kill("SIGINT");
    });
    if (isUnheard) child.stderr.destroy();
    // A command that reads no input may have ended before.
    child.stdin.on("error", () => undefined);
    child.stdin.end(stdin);
    const [[code], stdout, stderr] = await Promise.all([
      once(child, "close"),
      text(child.stdout),
      isUnheard ? "" : text(child.stderr),
    ]);
    return { code, stdout, stderr };
  };
}

/** Replaces ids by their order of appearance, so that two exports can be compared. */
export function withoutIds(text: string): string[] {
  const seen = new Map<string, number>();
  const numbered = text.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
    if (!seen.has(id)) seen.set(id, seen.size);
    return `#${seen.get(id)}`;
  });
  return numbered.trim().split("\n");
}

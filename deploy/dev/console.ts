// Builds a local installation's console if its sources have changed, and creates its sign-in link.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gatewayConfig } from "@ems/gateway/config";
import { signInLink } from "@ems/gateway/console/sign-in-link";
import { systemClock } from "@ems/kit/clock";
import { buildProcessEnvironment, type Environment, freePorts } from "./environment.ts";
import type { Installation } from "./installation.ts";
import { killOnExit } from "./kill-on-exit.ts";

type Print = (line: string) => void;

export function hasConsole(env: Environment): boolean {
  return env.CONSOLE !== "off";
}

/** Builds the console in a separate process, to free memory afterwards. Only prints failures: the API works without. */
export async function builtConsole(env: Environment, print: Print): Promise<void> {
  if (!hasConsole(env)) return;
  const build = fileURLToPath(import.meta.resolve("@ems/console/build"));
  // Override NODE_ENV: with a test's value, Vite would build for development.
  const child = spawn(process.execPath, [build], {
    env: { ...env, NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  killOnExit(child, "SIGTERM");
  const [code] = await once(child, "exit");
  if (code !== 0) print("The console could not be built; see the reason above.");
}

interface LinkOptions {
  readonly env: Environment;
  readonly installation: Installation;
  readonly dataDir: string;
  readonly baseUrl: string;
  /** Creates an API key for the console. */
  readonly issueKey: () => Promise<string | undefined>;
}

/** Returns the sign-in link; undefined without a console, or if the API does not listen on loopback. */
export async function consoleLink({ env, installation, dataDir, baseUrl, issueKey }: LinkOptions) {
  if (!hasConsole(env) || !isLoopback(baseUrl)) return undefined;
  const apiKey = await storedKey(dataDir, baseUrl, issueKey);
  const config = gatewayConfig(buildProcessEnvironment("gateway", env, installation, freePorts()));
  return apiKey === undefined ? baseUrl : signInLink(config, baseUrl, apiKey, systemClock.now().getTime());
}

/** Reads the console's own API key, stored next to the installation's secrets. Issues a new one if it is not valid. */
async function storedKey(dataDir: string, baseUrl: string, issueKey: LinkOptions["issueKey"]) {
  const file = join(dataDir, "console-key");
  const stored = await readFile(file, "utf8").catch(() => undefined);
  if (stored !== undefined && (await isValid(stored, baseUrl))) return stored;
  const issued = await issueKey();
  if (issued !== undefined) await writeFile(file, issued, { mode: 0o600 });
  return issued;
}

/** Returns true if the API accepts the key. Avoids `fetch`, whose code would stay in the memory of the product. */
function isValid(apiKey: string, baseUrl: string): Promise<boolean> {
  const options = { headers: { "x-api-key": apiKey }, agent: false, timeout: 5_000 };
  return new Promise((resolve) => {
    const request = get(`${baseUrl}/v0/app-config`, options, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.once("timeout", () => request.destroy()).once("error", () => resolve(false));
  });
}

function isLoopback(baseUrl: string): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(new URL(baseUrl).hostname);
}

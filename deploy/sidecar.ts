// A service mesh may inject a proxy beside a Job's container, which runs on when that one has ended, and the Job with it.

import { sidecarConfig } from "./config.ts";

const timeoutMs = 5_000;

/** Asks the proxy of SIDECAR_QUIT_URL to end. A failure is only reported: the work is done. */
export async function quitSidecar(
  env: Readonly<Record<string, string | undefined>>,
  print: (line: string) => void,
): Promise<void> {
  try {
    const { SIDECAR_QUIT_URL: url } = sidecarConfig(env);
    if (url === undefined) return;
    const response = await fetch(url, { method: "POST", signal: AbortSignal.timeout(timeoutMs) });
    if (!response.ok) print(`The sidecar does not end: it answers ${response.status}.`);
  } catch (error) {
    print(`The sidecar does not end: ${error instanceof Error ? error.message : String(error)}`);
  }
}

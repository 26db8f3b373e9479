// Stops the proxy that a service mesh injects into a Job's pod; otherwise the Job would never complete.

import { sidecarConfig } from "./config.ts";

const timeoutMs = 5_000;

/** Requests SIDECAR_QUIT_URL. A failure is only logged, because the Job's work is done. */
export async function quitSidecar(
  env: Readonly<Record<string, string | undefined>>,
  print: (line: string) => void,
): Promise<void> {
  try {
    const { SIDECAR_QUIT_URL: url } = sidecarConfig(env);
    if (url === undefined) return;
    const response = await fetch(url, { method: "POST", signal: AbortSignal.timeout(timeoutMs) });
    if (!response.ok) print(`Cannot stop the sidecar: SIDECAR_QUIT_URL returned ${response.status}.`);
  } catch (error) {
    print(`Cannot stop the sidecar: ${error instanceof Error ? error.message : String(error)}`);
  }
}

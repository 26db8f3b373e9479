import { until } from "../until.ts";

// Fast (connections end, data are written), immediate (the next start recovers from the log), and what nothing can refuse.
const steps = [
  { signal: "SIGINT", limitMs: 30_000 },
  { signal: "SIGQUIT", limitMs: 10_000 },
  { signal: "SIGKILL", limitMs: 10_000 },
] as const;

export async function shutDown(pid: number, isGone: () => boolean | Promise<boolean>): Promise<void> {
  for (const { signal, limitMs } of steps) {
    if (await isGone()) return;
    send(pid, signal);
    if (await until(isGone, limitMs)) return;
  }
  throw new Error(`The PostgreSQL server (process ${pid}) does not end, not even when killed.`);
}

/** To a process that may have ended in the meantime. */
export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

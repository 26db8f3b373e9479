import { until } from "../until.ts";

// Signals in order: fast shutdown, immediate shutdown (the next start recovers from the write-ahead log), kill.
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
  throw new Error(`The PostgreSQL server (process ${pid}) did not end, even after SIGKILL.`);
}

/** Sends the signal; ignores a process that has ended meanwhile. */
export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

import type { Logger } from "./log.ts";

export interface Repeated {
  /** Resolves when the work that was running is over and no more will be. */
  stop(): Promise<void>;
}

/** Does `work` every so often, never twice at a time; what fails is logged and done again at its next time. */
export function repeat(name: string, everyMs: number, work: () => Promise<void>, log: Logger): Repeated {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= work()
      .catch((error: unknown) => log.error({ err: error }, `${name} failed`))
      .finally(() => {
        running = undefined;
      });
  }, everyMs);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

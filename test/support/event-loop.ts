// Measurement of holds of the event loop.

/** The most CPU time that this thread took between two turns of its event loop, while the work went on. */
export async function longestHoldMs(work: () => Promise<unknown>): Promise<number> {
  const cpuMs = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  let [longestMs, lastMs] = [0, cpuMs()];
  const turn = () => {
    const nowMs = cpuMs();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    lastMs = nowMs;
  };
  const timer = setInterval(turn, 1);
  try {
    await work();
    turn();
  } finally {
    clearInterval(timer);
  }
  return longestMs;
}

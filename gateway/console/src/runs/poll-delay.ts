// Backoff of polling a run: the delay grows while nothing changes.

const bounds = { minMs: 1_000, maxMs: 15_000 };
const share = 0.25;

/** Returns a quarter of the time since the last progress, within bounds. */
export const pollDelay = (sinceProgressMs: number) =>
  Math.min(bounds.maxMs, Math.max(bounds.minMs, share * sinceProgressMs));

// Delay between polls of a run, which grows while the run makes no progress.

const bounds = { minMs: 1_000, maxMs: 15_000 };
const share = 0.25;

/** Returns a quarter of the time since the last progress, but at least 1 s and at most 15 s. */
export const pollDelay = (sinceProgressMs: number) =>
  Math.min(bounds.maxMs, Math.max(bounds.minMs, share * sinceProgressMs));

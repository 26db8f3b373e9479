// How long to wait before a run is read again: the longer nothing happens, the longer.

const bounds = { minMs: 1_000, maxMs: 15_000 };
const share = 0.25;

/** A quarter of the time since the last progress, within bounds. */
export const pollDelay = (sinceProgressMs: number) =>
  Math.min(bounds.maxMs, Math.max(bounds.minMs, share * sinceProgressMs));

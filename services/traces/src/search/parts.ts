// Splits a trace's words into parts of limited size. To add words to a part, the whole part is rewritten.

export interface Part {
  readonly number: number;
  readonly words: readonly number[];
}

/** A stored part; `words` is read only for the last part of a trace. */
export interface StoredPart {
  readonly number: number;
  readonly size: number;
  readonly words: readonly number[] | null;
}

export interface Limits {
  readonly partWordsMax: number;
  readonly traceWordsMax: number;
}

/**
 * Returns the parts to write when a trace gets new words. If a trace has several parts, each part contains the key
 * `split`, so that a search for several words can find them in different parts.
 */
export function partsToWrite(
  stored: readonly StoredPart[],
  words: Iterable<number>,
  { split, limits }: { split: number; limits: Limits },
): Part[] {
  const last = stored.reduce<StoredPart | undefined>(
    (found, part) => (found === undefined || part.number > found.number ? part : found),
    undefined,
  );
  const lastWords = (last?.words ?? []).filter((word) => word >= 0 && word !== split);
  const isStored = new Set(lastWords);
  const room = limits.traceWordsMax - stored.reduce((sum, { size }) => sum + size, 0);
  const fresh = [...new Set(words)].filter((word) => !isStored.has(word)).slice(0, Math.max(0, room));
  if (fresh.length === 0) return [];

  const free = last === undefined ? 0 : Math.max(0, limits.partWordsMax - lastWords.length);
  const chunks = toChunks(fresh.slice(free), limits.partWordsMax);
  const isSplit = stored.length + chunks.length > 1;
  const marked = (list: readonly number[]) => (isSplit ? [...list, split] : list);
  const parts = chunks.map((chunk, index) => ({
    number: (last?.number ?? -1) + 1 + index,
    words: marked(chunk),
  }));
  // The first part gets the key `split` too when a second one is added, even if it is full.
  const changesLast = last !== undefined && (free > 0 || (isSplit && stored.length === 1));
  if (!changesLast) return parts;
  return [{ number: last.number, words: marked([...lastWords, ...fresh.slice(0, free)]) }, ...parts];
}

function toChunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

// A trace's words in parts of a limited size: a part that grows is written anew, with all of its words.

export interface Part {
  readonly number: number;
  readonly words: readonly number[];
}

/** A stored part; only the last one of a trace has its words read. */
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
 * The parts to write for new words of a trace. A trace of several parts has `split` in each, by which a search for several
 * words finds those that lie in different parts.
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
  const chunks = chunksOf(fresh.slice(free), limits.partWordsMax);
  const isSplit = stored.length + chunks.length > 1;
  const marked = (list: readonly number[]) => (isSplit ? [...list, split] : list);
  const parts = chunks.map((chunk, index) => ({
    number: (last?.number ?? -1) + 1 + index,
    words: marked(chunk),
  }));
  // An only part that stays behind a second one gets the mark even when it is full.
  const changesLast = last !== undefined && (free > 0 || (isSplit && stored.length === 1));
  if (!changesLast) return parts;
  return [{ number: last.number, words: marked([...lastWords, ...fresh.slice(0, free)]) }, ...parts];
}

function chunksOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

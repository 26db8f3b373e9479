// Decides which contradictions of a test are new. Pure.

import type { ComparedPair, StoredContradiction } from "./results.ts";

/** A stored contradiction from any quickstart. */
export interface EarlierContradiction extends StoredContradiction {
  readonly documentAId: string;
  readonly documentBId: string;
  readonly resolved: boolean;
}

/** A contradiction between two documents: one found by an earlier test, or a new one. */
export type PairContradiction = { readonly earlier: EarlierContradiction } | { readonly created: EarlierContradiction };

/**
 * Returns the contradictions of a pair of documents. An unresolved one blocks new ones, because a person already
 * reviews the pair. The passages of a resolved one are not reported again.
 */
export function findContradictions(
  pair: ComparedPair,
  earlier: readonly EarlierContradiction[],
  create: () => Pick<EarlierContradiction, "id" | "quickstartId">,
): PairContradiction[] {
  const [a, b] = [pair.documentA.id, pair.documentB.id];
  const ofPair = earlier.filter(({ documentAId, documentBId }) => getKey(documentAId, documentBId) === getKey(a, b));
  const open = ofPair.filter(({ resolved }) => !resolved);
  if (pair.contradictions.length === 0) return [];
  if (open.length > 0) return open.map((contradiction) => ({ earlier: contradiction }));
  const byPassages = new Map<string, PairContradiction>(
    ofPair.map((contradiction) => [getKey(contradiction.passageA, contradiction.passageB), { earlier: contradiction }]),
  );
  const keys = pair.contradictions.map((found) => {
    const key = getKey(found.passageA, found.passageB);
    if (!byPassages.has(key)) {
      byPassages.set(key, { created: { ...create(), ...found, documentAId: a, documentBId: b, resolved: false } });
    }
    return key;
  });
  return [...new Set(keys)].flatMap((key) => byPassages.get(key) ?? []);
}

const getKey = (first: string, other: string) => JSON.stringify([first, other].sort());

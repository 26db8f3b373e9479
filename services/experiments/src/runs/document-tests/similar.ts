// Similarity of texts: cosine of their shared words, where rare words weigh more. Pure, except for pauses.

import { setImmediate } from "node:timers/promises";

/** Words that occur in more texts than this are ignored for pairs: they say little and take quadratic time. */
const sharedByMax = 64;
/** Maximum number of pairs that are kept per text. */
const pairsOfTextMax = 10;
/** Number of texts after which the loop pauses, so that the process can serve requests. */
const pauseEvery = 200;

export interface Pair {
  readonly a: number;
  readonly b: number;
  readonly score: number;
}

export class SimilarTexts {
  readonly #words: ReadonlySet<string>[] = [];
  readonly #textsOf = new Map<string, number[]>();

  /** Cache; cleared when a text is added. */
  #lengths: readonly number[] | undefined;

  add(text: string): void {
    this.#lengths = undefined;
    const index = this.#words.length;
    const words = splitWords(text);
    this.#words.push(words);
    for (const word of words) {
      const texts = this.#textsOf.get(word);
      if (texts === undefined) this.#textsOf.set(word, [index]);
      else texts.push(index);
    }
  }

  /** Returns the indexes of the `max` most similar texts, best first; texts that share no word come last, in order. */
  nearest(text: string, max: number): number[] {
    const scores = new Float64Array(this.#words.length);
    for (const word of splitWords(text)) {
      const texts = this.#textsOf.get(word) ?? [];
      const weight = this.#weight(texts.length) ** 2;
      for (const index of texts) scores[index] = (scores[index] ?? 0) + weight;
    }
    const norms = this.#norms();
    const alike: { index: number; score: number }[] = [];
    const unrelated: number[] = [];
    for (const [index, score] of scores.entries()) {
      if (score > 0) alike.push({ index, score: score / (norms[index] ?? 1) });
      else if (unrelated.length < max) unrelated.push(index);
    }
    alike.sort((a, b) => b.score - a.score || a.index - b.index);
    return [...alike.map(({ index }) => index), ...unrelated].slice(0, max);
  }

  /** Returns the most similar pairs of texts that share a word but not a group, and the number of all such pairs. */
  async pairs(getGroup: (index: number) => string): Promise<{ readonly best: Pair[]; readonly total: number }> {
    const scores = new Float64Array(this.#words.length);
    const norms = this.#norms();
    const best: Pair[] = [];
    let total = 0;
    for (const [a, words] of this.#words.entries()) {
      if (a % pauseEvery === pauseEvery - 1) await setImmediate();
      const candidates = new Set<number>();
      for (const word of words) {
        const texts = this.#textsOf.get(word) ?? [];
        if (texts.length > sharedByMax) continue;
        const weight = this.#weight(texts.length) ** 2;
        for (const b of texts) {
          if (b <= a || getGroup(a) === getGroup(b)) continue;
          candidates.add(b);
          scores[b] = (scores[b] ?? 0) + weight;
        }
      }
      total += candidates.size;
      const found = [...candidates].map((b) => ({
        a,
        b,
        score: (scores[b] ?? 0) / ((norms[a] ?? 1) * (norms[b] ?? 1)),
      }));
      for (const b of candidates) scores[b] = 0;
      best.push(...found.sort(mostAlike).slice(0, pairsOfTextMax));
    }
    return { best: best.sort(mostAlike), total };
  }

  #weight(texts: number): number {
    return Math.log(1 + this.#words.length / texts);
  }

  #norms(): readonly number[] {
    this.#lengths ??= this.#words.map((words) => {
      let sum = 0;
      for (const word of words) sum += this.#weight(this.#textsOf.get(word)?.length ?? 1) ** 2;
      return Math.sqrt(sum) || 1;
    });
    return this.#lengths;
  }
}

const mostAlike = (left: Pair, right: Pair) => right.score - left.score || left.a - right.a || left.b - right.b;

const splitWords = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu));

// A reading that costs something, and that several values are made of: made once for all who ask at about the same time.

/** Makes `read` be asked at most once in `keptMs`; those who ask while it runs wait for the same answer. */
export function cached<T>(keptMs: number, read: () => Promise<T>): () => Promise<T> {
  let asked: { readonly atMs: number; readonly answer: Promise<T> } | undefined;
  return () => {
    const nowMs = performance.now();
    if (asked === undefined || nowMs - asked.atMs > keptMs) asked = { atMs: nowMs, answer: read() };
    return asked.answer;
  };
}

/** Caches the result of `read` for `ttlMs`; concurrent calls share one read. */
export function cached<T>(ttlMs: number, read: () => Promise<T>): () => Promise<T> {
  let cache: { readonly atMs: number; readonly result: Promise<T> } | undefined;
  return () => {
    const nowMs = performance.now();
    if (cache === undefined || nowMs - cache.atMs > ttlMs) cache = { atMs: nowMs, result: read() };
    return cache.result;
  };
}

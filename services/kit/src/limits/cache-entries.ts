/**
 * Limits an LRUCache by entries, so that its memory grows with them. With the option `max`, the library allocates all
 * lists at once: 1.4 MB for 50,000 entries, which most processes never need.
 */
export const entriesAtMost = (entriesMax: number) => ({ maxSize: entriesMax, sizeCalculation: () => 1 });

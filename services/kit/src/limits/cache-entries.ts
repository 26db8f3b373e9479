/**
 * The limit of an LRUCache in entries. Its memory grows with them: for its option `max` the library allocates all lists at
 * once, 1.4 MB for 50,000 entries, of which most processes never have one.
 */
export const entriesAtMost = (entriesMax: number) => ({ maxSize: entriesMax, sizeCalculation: () => 1 });

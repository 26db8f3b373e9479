import { resourceBytesMax } from "@ems/proto/limits";

/** The rest of the event is reserved for its other fields. */
const chunkBytesMax = resourceBytesMax - 8 * 1024;

/** Splits `items`, in order, into as few chunks as possible, each of which fits an event. */
export function chunks<Item>(items: readonly Item[]): Item[][] {
  const all: Item[][] = [];
  let freeBytes = 0;
  for (const item of items) {
    // User ids are free text, whose characters JSON escapes with up to six bytes.
    const bytes = Buffer.byteLength(JSON.stringify(item)) + 1;
    const chunk = bytes <= freeBytes ? all.at(-1) : undefined;
    if (chunk === undefined) {
      all.push([item]);
      freeBytes = chunkBytesMax - bytes;
    } else {
      chunk.push(item);
      freeBytes -= bytes;
    }
  }
  return all;
}

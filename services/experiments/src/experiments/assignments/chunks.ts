import { resourceBytesMax } from "@ems/proto/limits";

/** Maximum size of a chunk: the rest of an event is reserved for its other fields. */
const chunkBytesMax = resourceBytesMax - 8 * 1024;

/** Splits `items`, in order, into as few chunks as possible; each chunk fits in one event. */
export function chunks<Item>(items: readonly Item[]): Item[][] {
  const all: Item[][] = [];
  let freeBytes = 0;
  for (const item of items) {
    // User ids are free text: JSON may escape one character with up to six bytes.
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

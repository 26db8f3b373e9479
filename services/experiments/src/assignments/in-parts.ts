/** An event of many has 128 KiB; the rest is for what stands around them. */
const partBytesMax = 120 * 1024;

/** `items` in as few parts as an event each can hold, in their order. */
export function inParts<Item>(items: readonly Item[]): Item[][] {
  const parts: Item[][] = [];
  let left = 0;
  for (const item of items) {
    // User ids are free text, of which JSON may take six bytes for a character.
    const bytes = Buffer.byteLength(JSON.stringify(item)) + 1;
    const part = bytes <= left ? parts.at(-1) : undefined;
    if (part === undefined) {
      parts.push([item]);
      left = partBytesMax - bytes;
    } else {
      part.push(item);
      left -= bytes;
    }
  }
  return parts;
}

// Reads the text of a selected file. Reports bytes that are not UTF-8, which browsers would silently replace.

const lineFeed = 10;

/** Decodes UTF-8, or UTF-16 with a byte order mark. Otherwise throws an error with the number of the first bad line. */
export async function readTextFile(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Error(`Line ${findWrongLine(bytes, decoder)} is not UTF-8: save the file as UTF-8.`);
  }
}

function findWrongLine(bytes: Uint8Array, decoder: TextDecoder): number {
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const end = bytes.indexOf(lineFeed, start);
    const isLast = end === -1;
    try {
      decoder.decode(bytes.subarray(start, isLast ? bytes.length : end));
    } catch {
      return line;
    }
    start = isLast ? bytes.length : end + 1;
  }
  return line;
}

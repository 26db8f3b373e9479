// Archives of office documents, unpacked within limits.

import { type ReadBudget, UnreadableText } from "./budget.ts";

/** Maximum files in an archive; office programs write a few dozen. */
const filesMax = 10_000;

/**
 * Unpacks the XML of an archive. Each file gets the size that the archive declares, which is counted in advance; the
 * library itself would unpack without limit. Pictures and other media are skipped.
 */
export async function unzipXml(
  bytes: Uint8Array,
  budget: ReadBudget,
  format: string,
): Promise<Record<string, Uint8Array>> {
  const { unzipSync } = await import("fflate");
  let files = 0;
  try {
    return unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        files += 1;
        if (files > filesMax) throw new UnreadableText(`Expected an archive of at most ${filesMax} files`, {}, "LIMIT");
        if (!/\.(?:xml|rels)$/i.test(name)) return false;
        budget.spendBytes(originalSize);
        return true;
      },
    });
  } catch (error) {
    throw error instanceof UnreadableText ? error : new UnreadableText(`The file cannot be read as ${format}`);
  }
}

/** Packs files without compression, for libraries that read only archives. */
export async function zipStored(files: Record<string, Uint8Array>): Promise<Uint8Array> {
  const { zipSync } = await import("fflate");
  return zipSync(files, { level: 0 });
}

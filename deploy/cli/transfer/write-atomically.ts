// Writes export files.

import { createWriteStream } from "node:fs";
import { lstat, rename, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";

/** Writes a regular file atomically: a temporary file, then a rename. Writes directly to a pipe, device or link. */
export async function writeAtomically(file: string, lines: () => AsyncIterable<string>): Promise<void> {
  const stats = await lstat(file).catch(() => undefined);
  const isRegular = stats === undefined || stats.isFile();
  const temporary = isRegular ? `${file}.part` : file;
  try {
    await pipeline(lines, createWriteStream(temporary, { mode: 0o600 }));
    if (isRegular) await rename(temporary, file);
  } catch (error) {
    if (isRegular) await rm(temporary, { force: true });
    throw error;
  }
}

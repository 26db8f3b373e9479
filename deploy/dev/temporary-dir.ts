import { mkdtemp, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const memory = "/dev/shm";
const freeBytesMin = 1024 ** 3;

/** Creates a directory for tests, in memory if it has space: cloning a database takes 10 ms there, 300 ms on disk. */
export async function temporaryDir(prefix: string): Promise<string> {
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }));
  return mkdtemp(join(bavail * bsize > freeBytesMin ? memory : tmpdir(), prefix));
}

import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { temporaryDir } from "@ems/dev/temporary-dir";

const prefix = "ems-bench-";

/** A directory that is removed with `stack`, at the latest with this process; in memory if that has room, unless `onDisk`. */
export async function benchDirectory(stack: AsyncDisposableStack, onDisk = false): Promise<string> {
  const directory = onDisk ? await mkdtemp(join(tmpdir(), prefix)) : await temporaryDir(prefix);
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

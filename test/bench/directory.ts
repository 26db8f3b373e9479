import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { temporaryDir } from "@ems/dev/temporary-dir";

const prefix = "ems-bench-";

/** Creates a directory that `stack` or the exit removes; in memory if that has room, unless `onDisk`. */
export async function benchDirectory(stack: AsyncDisposableStack, onDisk = false): Promise<string> {
  const directory = onDisk ? await mkdtemp(join(tmpdir(), prefix)) : await temporaryDir(prefix);
  const remove = () => rmSync(directory, { recursive: true, force: true });
  process.once("exit", remove);
  stack.defer(() => {
    process.off("exit", remove);
    remove();
  });
  return directory;
}

// The clock of one process under a test's control, by Debian's libfaketime: dates jump, elapsed time and timers do not.

import { chmod, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { findProgram } from "./debian.ts";

export interface FakedClock {
  /** Environment of the process. */
  readonly env: Readonly<Record<string, string>>;
  /** Sets the clock this many seconds ahead of the machine's; negative: behind. */
  set(seconds: number): Promise<void>;
}

export interface FakedClocks {
  add(name: string): Promise<FakedClock>;
  remove(): Promise<void>;
}

const triplets: Readonly<Record<string, string>> = { x64: "x86_64-linux-gnu", arm64: "aarch64-linux-gnu" };

/** Clocks under control; the offset file is read at every reading of the clock. */
export async function fakedClocks(): Promise<FakedClocks> {
  const library = await findProgram({
    name: "libfaketime.so.1",
    package: "libfaketime",
    path: `usr/lib/${triplets[process.arch] ?? process.arch}/faketime/libfaketime.so.1`,
    advice: "Install libfaketime 0.9.10 or later from your system's packages.",
  });
  const directory = await temporaryDir("ems-test-clocks-");
  // PostgreSQL runs as another user.
  await chmod(directory, 0o755);
  return {
    async add(name) {
      const file = join(directory, name, "offset");
      await mkdir(join(directory, name), { recursive: true });
      await chmod(join(directory, name), 0o755);
      const set = async (seconds: number) => {
        await writeFile(`${file}.new`, `${seconds < 0 ? "-" : "+"}${Math.abs(seconds)}\n`);
        await rename(`${file}.new`, file);
      };
      await set(0);
      const env = {
        LD_PRELOAD: library,
        FAKETIME_TIMESTAMP_FILE: file,
        // Otherwise timers would jump, too.
        FAKETIME_DONT_FAKE_MONOTONIC: "1",
        FAKETIME_NO_CACHE: "1",
        // Killed processes would leave it behind.
        FAKETIME_DISABLE_SHM: "1",
        NO_FAKE_STAT: "1",
      };
      return { env, set };
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

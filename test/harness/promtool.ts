import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { programOf } from "./debian.ts";

/** The path of Prometheus's own checker of rules. */
function promtoolBinary(): Promise<string> {
  return programOf({
    name: "promtool",
    package: "prometheus",
    path: "usr/bin/promtool",
    advice: "Install promtool, of Prometheus 2.42 or later, from https://prometheus.io, so that PATH has it.",
  });
}

/** Its output, run in the repository's root. Fails with what it found. */
export async function promtool(...args: string[]): Promise<string> {
  const cwd = join(import.meta.dirname, "../..");
  const { stdout } = await promisify(execFile)(await promtoolBinary(), args, { cwd });
  return stdout;
}

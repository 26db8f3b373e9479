import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "./debian.ts";

/** Path of promtool, Prometheus's checker of rules. */
function promtoolBinary(): Promise<string> {
  return findProgram({
    name: "promtool",
    package: "prometheus",
    path: "usr/bin/promtool",
    advice: "Install promtool, of Prometheus 2.42 or later, from https://prometheus.io, so that PATH has it.",
  });
}

/** Runs it in the repository's root and returns its output; throws with its findings. */
export async function promtool(...args: string[]): Promise<string> {
  const cwd = join(import.meta.dirname, "../..");
  const { stdout } = await promisify(execFile)(await promtoolBinary(), args, { cwd });
  return stdout;
}

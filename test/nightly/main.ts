// `npm run nightly` runs the parts one after the other and writes a report. `-- --only suites,mesh` selects parts, and
// `-- --list` lists them. Exits with 1 if a part failed.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Part, parts } from "./parts.ts";
import { formatReport, getCounts, type Outcome } from "./report.ts";

const root = join(import.meta.dirname, "../..");
/** Folder next to the installed packages with a log for each part, and the report. */
const directory = join(root, "node_modules/.cache/nightly");

const { values } = parseArgs({ options: { only: { type: "string" }, list: { type: "boolean", default: false } } });
if (values.list) {
  for (const { name, what } of parts) console.log(`${name}: ${what}`);
} else {
  process.exitCode = (await run(chosen(values.only))) ? 0 : 1;
}

function chosen(only: string | undefined): readonly Part[] {
  if (only === undefined) return parts;
  const names = only.split(",");
  const unknown = names.filter((name) => !parts.some((part) => part.name === name));
  if (unknown.length > 0) {
    console.error(`There is no part "${unknown.join('", "')}". Parts: ${parts.map(({ name }) => name).join(", ")}.`);
    process.exit(2);
  }
  return parts.filter(({ name }) => names.includes(name));
}

async function run(selected: readonly Part[]): Promise<boolean> {
  await mkdir(directory, { recursive: true });
  const outcomes: Outcome[] = [];
  for (const part of selected) {
    console.log(`\n== ${part.name}: ${part.what}`);
    outcomes.push(await runPart(part));
    await writeFile(join(directory, "report.md"), formatReport(outcomes));
  }
  console.log(`\n${formatReport(outcomes)}\nReport and logs: ${directory}`);
  const counts = outcomes.map(getCounts);
  const sum = (name: "passed" | "failed") => counts.reduce((total, each) => total + each[name], 0);
  console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
  return sum("failed") === 0;
}

async function runPart(part: Part): Promise<Outcome> {
  const startedAt = performance.now();
  const file = join(directory, `${part.name}.log`);
  const log = createWriteStream(file);
  const env = { ...part.env, ...process.env };
  const child = spawn("npm", part.command, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      log.write(chunk);
      process.stdout.write(chunk);
    });
  }
  const [code] = await once(child, "close");
  log.end();
  await once(log, "finish");
  const seconds = (performance.now() - startedAt) / 1_000;
  return { part, exitCode: code ?? 1, seconds, output: await readFile(file, "utf8") };
}

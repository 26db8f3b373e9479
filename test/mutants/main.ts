// Mutation checks: `npm run mutants -- [folder…] [--sample 210] [--seed 1] [--only list|generated]` (README.md).

import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { read } from "../house/sources.ts";
import { generate } from "./generate.ts";
import { getMutation, rules } from "./list/index.ts";
import type { Mutation } from "./mutation.ts";
import { nearestTests } from "./nearest-tests.ts";
import { print, type Result, summarize } from "./report.ts";
import { Session } from "./session.ts";
import { survivors } from "./survivors.ts";
import { targets } from "./targets.ts";

/** Maximum number of test files for a generated mutation. */
const testsMax = 16;
/** No further test file starts after this time. */
const testsMs = 60_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: "string", default: "210" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    labels: { type: "string", multiple: true, default: [] },
  },
});
const folders = positionals.map((folder) =>
  folder.replace(/^(kit|catalog|evaluation|experiments|identity|notifications|reporting|traces)\b/, "services/$1"),
);
const isWanted = (file: string) => folders.length === 0 || folders.some((folder) => file.startsWith(folder));

const mutations = [
  ...(values.only === "generated" ? [] : rules.filter(({ file }) => isWanted(file)).map(getMutation)),
  ...(values.only === "list" ? [] : sample(targets.filter(isWanted), Number(values.sample), values.seed)),
].filter(({ label }) => values.labels.length === 0 || values.labels.some((part) => label.includes(part)));
if (mutations.length === 0) {
  console.error(`No mutation is in ${folders.join(", ")}. Name a folder or file such as kit/src/db, or none for all.`);
  process.exit(2);
}
process.exit(await check(mutations));

/** Picks mutations from all files in turn, in an order that does not change as mutations are added. */
function sample(files: readonly string[], count: number, seed: string): Mutation[] {
  const order = (text: string) => createHash("sha256").update(`${seed} ${text}`).digest("hex");
  const byFile = files.map((file) =>
    generate(file, read(file))
      .map((mutation) => ({ mutation, rank: order(`${file} ${mutation.label}`) }))
      .sort((a, b) => (a.rank < b.rank ? -1 : 1)),
  );
  const longest = Math.max(0, ...byFile.map(({ length }) => length));
  const rounds = Array.from({ length: longest }, (_, round) => byFile.flatMap((each) => each[round] ?? []));
  return rounds
    .flatMap((round) => round.sort((a, b) => (a.rank < b.rank ? -1 : 1)))
    .slice(0, count)
    .map(({ mutation }) => ({
      ...mutation,
      reason: survivors.find((each) => each.file === mutation.file && each.label === mutation.label)?.reason,
    }));
}

async function check(all: readonly Mutation[]): Promise<number> {
  const session = await Session.open();
  const stop = () => void session.close().finally(() => process.exit(1));
  process.once("SIGTERM", stop).once("SIGINT", stop);
  const results: Result[] = [];
  for (const mutation of all) {
    const tests = mutation.tests ?? nearestTests(mutation.file, testsMax, (test) => session.canRun(test));
    const limitMs = mutation.tests === undefined ? testsMs : Number.POSITIVE_INFINITY;
    const result = { mutation, ...(await session.check(mutation, tests, limitMs)) };
    results.push(result);
    print(result);
  }
  await session.close();
  return summarize(results);
}

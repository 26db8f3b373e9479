// `npm run bench`: runs one part after the other and prints a page of measurements. README.md explains the options.

import { parseArgs } from "node:util";
import { archive } from "./archive/archive.ts";
import { bulk } from "./bulk.ts";
import { capacity } from "./capacity/capacity.ts";
import { checkOut, thisVersion, type Version } from "./checkout.ts";
import { comparison } from "./comparison.ts";
import { browserConsole } from "./console.ts";
import { events } from "./deliveries/events.ts";
import { deliveries } from "./deliveries/worker-rate.ts";
import { erasure } from "./erasure.ts";
import { evaluation } from "./evaluation/evaluation.ts";
import { grpc } from "./grpc/grpc.ts";
import { ingest } from "./ingest.ts";
import { lists } from "./lists.ts";
import { memory } from "./memory.ts";
import { endurance } from "./neighbours/endurance.ts";
import { neighbours } from "./neighbours/neighbours.ts";
import { operations } from "./operations.ts";
import { heading, table } from "./page.ts";
import type { Bench, Part } from "./part.ts";
import { reporting } from "./reporting/reporting.ts";
import { steps } from "./reporting/steps.ts";
import { start } from "./start.ts";
import { tail } from "./tail.ts";
import { throughput } from "./throughput.ts";

const usual: Readonly<Record<string, Part>> = {
  throughput,
  tail,
  grpc,
  events,
  deliveries,
  operations,
  bulk,
  ingest,
  evaluation,
  comparison,
  lists,
  reporting,
  start,
  memory,
  console: browserConsole,
};
/** The parts after `usual` run only if `--only` names them. */
const parts: Readonly<Record<string, Part>> = { ...usual, steps, archive, capacity, erasure, neighbours, endurance };

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    compare: { type: "string" },
    seconds: { type: "string" },
    rounds: { type: "string" },
    connections: { type: "string", default: "32" },
    repetitions: { type: "string" },
    deliveries: { type: "string", default: "15000" },
    evaluations: { type: "string", default: "200000" },
    steps: { type: "string", default: "10000000" },
    rows: { type: "string", default: "10000,1000000" },
    shape: { type: "string" },
    archived: { type: "string", default: "1000000" },
    alone: { type: "string", default: "0" },
    quiet: { type: "string", default: "20" },
    noise: { type: "string", default: "200" },
    noises: { type: "string" },
    minutes: { type: "string", default: "10" },
  },
});
const optional = (name: "seconds" | "rounds" | "repetitions") =>
  values[name] === undefined ? {} : { [name]: Number(values[name]) };
if (values.shape !== undefined && values.shape !== "one" && values.shape !== "mesh") {
  throw new Error("--shape is one or mesh");
}
const options: Bench["options"] = {
  ...optional("seconds"),
  ...optional("rounds"),
  ...optional("repetitions"),
  connections: Number(values.connections),
  deliveries: Number(values.deliveries),
  steps: Number(values.steps),
  evaluations: values.evaluations.split(",").map(Number),
  rows: values.rows.split(",").map(Number),
  archived: values.archived.split(",").map(Number),
  alone: Number(values.alone),
  shapes: values.shape === undefined ? ["one", "mesh"] : [values.shape],
  quiet: Number(values.quiet),
  noise: Number(values.noise),
  noises: values.noises?.split(","),
  minutes: Number(values.minutes),
};
const names = values.only?.split(",") ?? Object.keys(usual);
const selected = names.map((name) => {
  const part = parts[name];
  if (part === undefined) throw new Error(`--only is ${Object.keys(parts).join(", ")}, or several of them`);
  return [name, part] as const;
});

// A regular exit removes the files of the benchmark.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
const startMs = performance.now();
await using stack = new AsyncDisposableStack();
const versions: Version[] = [await thisVersion()];
if (values.compare !== undefined) {
  progress(`Checking out ${values.compare} and installing its packages`);
  versions.push(await checkOut(values.compare, stack));
}
const page = [heading(versions)];
for (const [name, part] of selected) {
  progress(name);
  const figures = await part.measure({ versions, options });
  if (typeof figures === "string") page.push(`## ${part.title}\n\n${part.note}\n\n${figures}`);
  else if (figures.length > 0) page.push(table(part.title, part.note, figures, versions));
}
const minutes = ((performance.now() - startMs) / 60_000).toFixed(1);
const command = ["npm run bench", process.argv.slice(2).join(" ")].filter((text) => text !== "").join(" -- ");
console.log(`${page.join("\n")}\nMeasured in ${minutes} min by \`${command}\`.`);

function progress(text: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}

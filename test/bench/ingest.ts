// Ingestion of traces in each format (OTLP as JSON and protobuf, the API's own), with and without redaction.

import type { BuiltInName } from "@ems/kit/redaction";
import { residentMib } from "./memory.ts";
import type { Measurement } from "./page.ts";
import { type Bench, oneAtATime, type Part, type Round } from "./part.ts";
import { cpuUs, getFamily, untilIdle } from "./processes.ts";
import { type Side, startProductSide } from "./sides.ts";
import { type Batch, jsonBatch, ownBatch, protobufBatch, tracesPerBatch } from "./trace-batches.ts";

export const ingest: Part = {
  title: "Ingestion of traces",
  note: `One process, four connections: traces of three spans of 1 KB, in batches of ${tracesPerBatch}. CPU of the product and
PostgreSQL a trace while requests last, of PostgreSQL alone, and until all processes are idle. Redaction looks for all built-in
patterns in texts that have none.`,
  measure: (bench) =>
    oneAtATime(bench, bench.options.rounds ?? 3, async (ground, stack) =>
      openIngest(bench, await startProductSide("one", ground, stack)),
    ),
};

const warmUpSeconds = 4;
const connections = 4;
const builtIns: readonly BuiltInName[] = ["EMAIL", "PHONE", "CREDIT_CARD", "IBAN", "IP_ADDRESS", "API_KEY"];

async function openIngest({ options }: Bench, side: Side): Promise<Round> {
  const { seconds = 4 } = options;
  const always = [jsonBatch(), ownBatch()];
  // Earlier commits support OTLP as JSON only.
  const protobuf = protobufBatch();
  const isProtobufRead = (await send(side, protobuf, protobuf.next())).ok;
  const batches = isProtobufRead ? [...always, protobuf] : always;
  for (const batch of batches) await run(side, batch, warmUpSeconds);
  // Earlier commits have no redaction either.
  const isRedacting = await setRules(side, builtIns);
  if (isRedacting) for (const batch of always) await run(side, batch, warmUpSeconds);
  return async () => {
    if (isRedacting) await setRules(side, []);
    const measured = await measureAll(side, batches, seconds);
    const pids = side.pids.flatMap(getFamily);
    const memory: Measurement = { what: "memory of the product after", unit: "MiB", value: residentMib(pids) };
    // Figures that an earlier commit lacks are last, so that the others line up.
    const perBatch = measured.length / batches.length;
    const ofAlways = measured.slice(0, 2 * perBatch);
    const comparedWithJson = compareWith("OTLP/JSON", measured.slice(2 * perBatch), measured);
    if (isRedacting) await setRules(side, builtIns);
    const redacted = isRedacting ? await measureAll(side, always.map(named("redacted")), seconds) : [];
    return [...ofAlways, memory, ...comparedWithJson, ...compareWith("without rules", redacted, ofAlways)];
  };
}

const named = (suffix: string) => (batch: Batch) => ({ ...batch, name: `${batch.name}, ${suffix}` });

/** Adds to each figure the baseline at the same index. */
const compareWith = (what: string, figures: readonly Measurement[], baselines: readonly Measurement[]): Measurement[] =>
  figures.map((figure, at) => ({ ...figure, compareWith: { what, value: baselines[at]?.value ?? Number.NaN } }));

/** Takes effect at once, since the same process changes the rules and redacts. */
async function setRules({ baseUrl, headers }: Side, patterns: readonly BuiltInName[]): Promise<boolean> {
  const body = JSON.stringify({ redactions: patterns.map((builtIn) => ({ builtIn })) });
  const response = await fetch(`${baseUrl}/v0/ingest-settings`, { method: "PUT", headers, body });
  await response.arrayBuffer();
  return response.ok;
}

async function measureAll(side: Side, batches: readonly Batch[], seconds: number): Promise<Measurement[]> {
  const measured: Measurement[] = [];
  for (const batch of batches) {
    await untilIdle([...side.pids, side.postgresPid]);
    measured.push(...(await measure(side, batch, seconds)));
  }
  return measured;
}

async function measure(side: Side, batch: Batch, seconds: number): Promise<Measurement[]> {
  const spent = () => ({ own: cpuUs(side.pids), postgres: cpuUs(getFamily(side.postgresPid)) });
  const before = spent();
  const { traces, perSecond } = await run(side, batch, seconds);
  const after = spent();
  await untilIdle([...side.pids, side.postgresPid]);
  const last = spent();
  const all = ({ own, postgres }: typeof before) => (own + postgres - before.own - before.postgres) / traces;
  return [
    { what: batch.name, unit: "/s", value: perSecond },
    { what: `${batch.name}: CPU of each`, unit: "µs", value: all(after) },
    { what: "of that PostgreSQL", unit: "µs", value: (after.postgres - before.postgres) / traces },
    { what: "until idle", unit: "µs", value: all(last) },
  ];
}

async function run(side: Side, batch: Batch, seconds: number) {
  const startMs = performance.now();
  let traces = 0;
  const connection = async () => {
    while (performance.now() < startMs + seconds * 1_000) {
      const response = await send(side, batch, batch.next());
      const answer = Buffer.from(await response.arrayBuffer());
      if (!response.ok || batch.isRejected(answer)) throw new Error(`${batch.path}: ${response.status} ${answer}`);
      traces += tracesPerBatch;
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  return { traces, perSecond: (traces * 1_000) / (performance.now() - startMs) };
}

function send({ baseUrl, headers }: Side, { path, contentType }: Batch, body: Uint8Array<ArrayBuffer>) {
  return fetch(baseUrl + path, { method: "POST", headers: { ...headers, "content-type": contentType }, body });
}

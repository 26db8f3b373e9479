// Erasure of one end user with very many traces: duration, memory, and the effect on another application.

import { erasedUser, fillUser } from "../harness/erasable-user.ts";
import type { Ground } from "./ground.ts";
import { residentMib } from "./memory.ts";
import { type QuietTenant, startQuiet } from "./neighbours/quiet.ts";
import type { Measurement } from "./page.ts";
import { inTurn, type Part, type Round } from "./part.ts";
import { anotherApplication, type ProductSide, startProductSide } from "./sides.ts";
import { measureMs } from "./statistics.ts";

const size = { traces: 100_000, tests: 10_000, foreign: 100_000 };
const [quietPerSecond, aloneSeconds, sampleSeconds, patienceMs] = [20, 10, 5, 30 * 60_000];
const { user } = erasedUser;

export const erasure: Part = {
  title: "Erasure of an end user",
  note: `A user with ${size.traces} traces, ${size.tests} of them of tests with an evaluation, an issue, a judge's job, a prompt and an event each, in an
application with as much of others, in one process. Meanwhile another application sends ${quietPerSecond} requests a second.`,
  measure: (bench) => inTurn(bench, 1, open),
};

async function open(ground: Ground, stack: AsyncDisposableStack): Promise<Round> {
  const side = await startProductSide("one", ground, stack);
  const { applicationId } = side.tenant;
  const post = (path: string, body: object, headers?: Record<string, string>) => send(side, path, body, headers);
  const expected = await fillUser({ ...size, databaseUrl: side.adminUrl, applicationId, send: post });
  const quiet = await startQuiet({ ...(await anotherApplication(ground, side)), baseUrl: side.baseUrl });
  stack.defer(async () => quiet.close());
  return () => measureErasure(side, quiet, expected);
}

async function measureErasure(
  side: ProductSide,
  quiet: QuietTenant,
  expected: Record<string, number>,
): Promise<Measurement[]> {
  await quiet.run(quietPerSecond, aloneSeconds);
  const alone = await quiet.run(quietPerSecond, aloneSeconds);
  const memoryMib = [residentMib(side.pids)];
  const dryMs = await measureMs(() => send(side, "/v0/erasures", { user, dryRun: true }));
  const startMs = performance.now();
  const { data: created } = await send(side, "/v0/erasures", { user });
  const createMs = performance.now() - startMs;
  const waits: number[] = [];
  for (let erasure = created; erasure.status !== "COMPLETED"; ) {
    const { p99Ms, errors } = await quiet.run(quietPerSecond, sampleSeconds);
    waits.push(p99Ms);
    memoryMib.push(residentMib(side.pids));
    ({ data: erasure } = await send(side, `/v0/erasures/${created.id}`));
    const problem = { errors, late: performance.now() - startMs > patienceMs && erasure };
    if (Object.keys(errors).length > 0 || problem.late) throw new Error(JSON.stringify(problem));
    if (erasure.status === "COMPLETED") check(erasure.erased, expected);
  }
  const endMs = performance.now();
  const [before = 0] = memoryMib;
  return [
    { what: "dry run", unit: "ms", value: dryMs },
    { what: "POST", unit: "ms", value: createMs },
    { what: "until all is erased", unit: "s", value: (endMs - startMs) / 1_000 },
    { what: "memory at most", unit: "MiB", value: Math.max(...memoryMib), baseline: { what: "before", value: before } },
    {
      what: `other application: p99, worst ${sampleSeconds} s`,
      unit: "ms",
      value: Math.max(...waits),
      baseline: { what: "alone", value: alone.p99Ms },
    },
  ];
}

function check(erased: Record<string, number>, expected: Record<string, number>): void {
  const wrong = Object.keys(expected).filter((kind) => erased[kind] !== expected[kind]);
  if (wrong.length > 0) throw new Error(`${wrong}: ${JSON.stringify(erased)}, not ${JSON.stringify(expected)}`);
}

async function send(
  { baseUrl, headers }: ProductSide,
  path: string,
  body?: object,
  more?: Record<string, string>,
  // biome-ignore lint/suspicious/noExplicitAny: answers are read by their documented fields
): Promise<any> {
  const request = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const answer = await fetch(baseUrl + path, { headers: { ...headers, ...more }, ...request });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

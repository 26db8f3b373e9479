// Costs and savings of the archive: a year of results and traces in PostgreSQL only, then in ClickHouse only, and its
// overhead for a small installation.

import { type Ground, startGround } from "../ground.ts";
import type { Figure } from "../page.ts";
import type { Bench, Part } from "../part.ts";
import { fillReporting } from "../reporting/data.ts";
import { restartProductSide, startProductSide } from "../sides.ts";
import { measureMs } from "../statistics.ts";
import { getRequests, measureTimes, type Times } from "./requests.ts";
import { measureSmall } from "./small.ts";
import { openStores } from "./stores.ts";
import { fillTraces, stepsPerTrace } from "./traces.ts";

export const archive: Part = {
  title: "Archive",
  note: `A year of evaluations, a tenth as many tests and a fifth as many steps of traces in one application, one process, one request at
a time: moved to ClickHouse (npm's chdb behind HTTP), compared with PostgreSQL alone in the same run. Bytes are those on disk, indexes
included. Lists read the archive (\`store=archive\`). Answers are compared, and must be the same.`,
  measure: measureArchive,
};

const mib = 1024 ** 2;

async function measureArchive({ versions, options }: Bench): Promise<Figure[]> {
  const [version] = versions;
  if (version === undefined) return [];
  const repetitions = options.repetitions ?? 5;
  const figures: Figure[] = [];
  for (const evaluations of options.archived) {
    await using stack = new AsyncDisposableStack();
    const ground = await startGround(version, stack, { onDisk: true });
    figures.push(...(await measureYear({ ground, evaluations, alone: options.alone, repetitions, stack })));
  }
  return [...figures, ...(await measureSmall(version, options.rounds ?? 3))];
}

interface Year {
  readonly ground: Ground;
  readonly evaluations: number;
  /** Number of evaluations in ClickHouse at the end; 0 for those of the year only. */
  readonly alone: number;
  readonly repetitions: number;
  readonly stack: AsyncDisposableStack;
}

async function measureYear({ ground, evaluations, alone, repetitions, stack }: Year): Promise<Figure[]> {
  const steps = evaluations / 5;
  const plain = await startProductSide("one", ground, stack);
  await fillTraces(plain, steps);
  await fillReporting(plain.adminUrl, [{ ...plain.tenant, evaluations }], { areOver: true });
  const stores = await openStores(ground, plain, stack);
  const ids = await stores.ids();
  const before = await measureTimes(plain, getRequests(evaluations, steps / stepsPerTrace, ids), repetitions);
  const [rows, bytes] = [await stores.rows(), await stores.postgresBytes()];
  await plain.product.stop();

  const archiving = { CLICKHOUSE_URL: stores.clickhouseUrl, ARCHIVE_AFTER_DAYS: "7" };
  const side = await restartProductSide(plain, ground, stack, archiving);
  const moveMs = await measureMs(() => stores.reach(rows));
  const archived = await stores.clickhouseBytes();
  // In production, autovacuum does this soon.
  await stores.vacuum();
  const archivedRequests = (factor = 1) =>
    getRequests(evaluations * factor, (steps * factor) / stepsPerTrace, ids, "archive");
  const after = await measureTimes(side, archivedRequests(), repetitions);

  const name = (what: string) => `${evaluations}: ${what}`;
  const baselineBytes = (table: string, per: number) => ({
    what: "PostgreSQL",
    value: (bytes.get(table) ?? Number.NaN) / per,
  });
  const figures: Figure[] = [
    { what: name("rows archived"), unit: "/s", value: (rows * 1_000) / moveMs },
    ...[...archived].flatMap(([table, stored]): Figure[] => [
      { what: name(table), unit: "MiB", value: stored.bytes / mib, baseline: baselineBytes(table, mib), aim: "≥ 4" },
      {
        what: "of a row",
        unit: "bytes",
        value: stored.bytes / stored.rows,
        baseline: baselineBytes(table, stored.rows),
      },
    ]),
    ...compared(after, before, (request) => name(`${request}; ClickHouse`)),
  ];
  if (alone <= evaluations) return figures;
  const factor = Math.round(alone / evaluations);
  await stores.repeat(factor - 1);
  const large = await measureTimes(side, archivedRequests(factor), repetitions);
  const aloneFigures = [...large].map(
    ([request, { ms, aim }]): Figure => ({
      what: `${evaluations * factor}: ${request}; ClickHouse`,
      unit: "ms",
      value: ms,
      baseline: { what: `PostgreSQL, ${evaluations}`, value: before.get(request)?.ms ?? Number.NaN },
      ...(aim && { aim }),
    }),
  );
  return [...figures, ...aloneFigures];
}

/** Compares each request's time with PostgreSQL's time for the same answer. */
function compared(now: Times, before: Times, formatName: (request: string) => string): Figure[] {
  return [...now].map(([request, { ms, answer, aim }]) => {
    const was = before.get(request);
    if (was === undefined) throw new Error(`${request} was not measured`);
    if (was.answer !== answer)
      throw new Error(`${request}: ${answer.slice(0, 500)}\nin place of ${was.answer.slice(0, 500)}`);
    const baseline = { what: "PostgreSQL", value: was.ms };
    return { what: formatName(request), unit: "ms", value: ms, baseline, ...(aim && { aim }) };
  });
}

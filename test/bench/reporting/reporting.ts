// Time of reports on a large application, through the whole product, each compared with the best plain SQL for the same
// answer, and the latency of a small application meanwhile.

import { newId } from "@ems/kit/id";
import pg from "pg";
import type { Ground } from "../ground.ts";
import type { Figure, Measurement } from "../page.ts";
import { type Bench, inTurn, type Part, type Round } from "../part.ts";
import { anotherApplication, type Side, startProductSide } from "../sides.ts";
import { measureMs, percentile } from "../statistics.ts";
import { fillReporting } from "./data.ts";
import { getReports, type Report, smallReport } from "./queries.ts";

export const reporting: Part = {
  title: "Reports",
  note: `Of an application with so many evaluations, one process, one report at a time, compared with the best plain SQL for the same answer (as
superuser: no row-level security, names of references, JSON or HTTP); and of an application with a thousandth of them while
the large one requests four heavy reports at a time, compared with the same without other load.`,
  measure: measureReporting,
};

const smallCount = 50;
const smallRepetitions = 10;

async function measureReporting(bench: Bench): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const evaluations of bench.options.evaluations) {
    const open = (ground: Ground, stack: AsyncDisposableStack) => openReports(evaluations, ground, stack);
    figures.push(...(await inTurn(bench, bench.options.repetitions ?? 5, open, { onDisk: true })));
  }
  return figures;
}

/** Creates `evaluations` in one application, and a thousandth of that in each of fifty others. */
async function openReports(evaluations: number, ground: Ground, stack: AsyncDisposableStack): Promise<Round> {
  const large = await startProductSide("one", ground, stack);
  const { apiKey, ...tenant } = await anotherApplication(ground, large);
  const headers = { ...large.headers, "x-api-key": apiKey, "x-application-id": tenant.applicationId };
  const small = { ...large, tenant, headers };
  const least = Math.max(100, evaluations / 1_000);
  const smallTenants = Array.from({ length: smallCount - 1 }, () => ({ applicationId: newId(), orgId: "others" }));
  await fillReporting(large.adminUrl, [
    { ...large.tenant, evaluations },
    ...[tenant, ...smallTenants].map((each) => ({ ...each, evaluations: least })),
  ]);
  const sql = new pg.Client({ connectionString: large.adminUrl, options: "-c timezone=UTC" });
  await sql.connect();
  stack.defer(() => sql.end());

  const reports = getReports(evaluations);
  const plain = new Map<Report, () => Promise<unknown>>();
  for (const report of reports) {
    const { total } = await queryReport(large, report.query);
    plain.set(report, await bestPlain(sql, large.tenant.applicationId, report, total));
  }
  const round = async (): Promise<Measurement[]> => {
    const measured: Measurement[] = [];
    for (const report of reports) {
      const value = await measureMs(() => queryReport(large, report.query));
      const baseline = { what: "SQL", value: await measureMs(async () => plain.get(report)?.()) };
      measured.push({ what: `${evaluations}: ${report.name}`, unit: "ms", value, baseline });
    }
    return [...measured, await latencyDuringHeavy(small, large, reports, evaluations)];
  };
  await round();
  return round;
}

/** Returns the fastest query for the same answer. Each must find as many results as the product did. */
async function bestPlain(sql: pg.Client, applicationId: string, { plain }: Report, total: number) {
  const measured: { ms: number; run: () => Promise<void> }[] = [];
  for (const statements of plain) {
    const run = async () => {
      let found = 0;
      for (const text of statements) {
        const { rows } = await sql.query<{ total?: string }>(text, [applicationId]);
        found = rows[0]?.total === undefined ? found : Number(rows[0].total);
      }
      if (found !== total) throw new Error(`plain SQL found ${found} results, the product ${total}: ${statements}`);
    };
    await run();
    measured.push({ ms: await measureMs(run), run });
  }
  return measured.sort((a, b) => a.ms - b.ms)[0]?.run ?? (async () => undefined);
}

/** Returns the p99 of a small application's report while heavy reports run. */
async function latencyDuringHeavy(
  small: Side,
  large: Side,
  reports: readonly Report[],
  evaluations: number,
): Promise<Measurement> {
  const p99 = async () => {
    const times: number[] = [];
    for (let at = 0; at < smallRepetitions; at++) times.push(await measureMs(() => queryReport(small, smallReport)));
    return percentile(times, 99);
  };
  const alone = await p99();
  let isOver = false;
  const heavy = reports.filter(({ isHeavy }) => isHeavy);
  const busy = Array.from({ length: 4 }, async (_, at) => {
    for (let turn = at; !isOver; turn++) await queryReport(large, heavy[turn % heavy.length]?.query ?? {});
  });
  const value = await p99();
  isOver = true;
  await Promise.all(busy);
  const what = `${evaluations}: a small application's days and topics, p99`;
  return { what, unit: "ms", value, baseline: { what: "alone", value: alone } };
}

async function queryReport({ baseUrl, headers }: Side, query: object): Promise<{ total: number }> {
  const body = JSON.stringify(query);
  const answer = await fetch(`${baseUrl}/v0/reporting/query`, { method: "POST", headers, body });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${body}: ${answer.status} ${text}`);
  return (JSON.parse(text) as { pagination: { total: number } }).pagination;
}

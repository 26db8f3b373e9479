// How long reports take on a large application, through the whole product, each beside the best plain SQL for the same
// answer; and how long a small application waits meanwhile.

import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startEmbeddedPostgres } from "@ems/dev/postgres";
import { newId } from "@ems/kit/id";
import pg from "pg";
import { startProduct } from "../harness/product.ts";
import { unlimited } from "../harness/unlimited.ts";
import { fillReporting } from "./reporting-data.ts";
import { planOf } from "./reporting-plan.ts";
import { type Report, reportsOf, smallReport } from "./reporting-queries.ts";

interface Client {
  readonly baseUrl: string;
  readonly applicationId: string;
  readonly orgId: string;
  readonly apiKey: string;
}

const smallCount = 50;

/** Builds `evaluations` in one application and a thousandth of that in each of fifty others, and measures. */
export async function measureReporting(evaluations: number, repetitions: number): Promise<void> {
  // Not in memory, where throw-away databases go: ten million evaluations are four gigabytes.
  const directory = await mkdtemp(join(tmpdir(), "ems-bench-"));
  const postgres = await startEmbeddedPostgres({ dataDir: join(directory, "postgres") });
  const dataDir = join(directory, "product");
  const adminUrl = new URL("/bench", postgres.url).href;
  const env = { DATABASE_URL: adminUrl, ...unlimited };
  const product = await startProduct("one", { dataDir, env });
  try {
    const { baseUrl, applicationId, orgId, apiKey = "" } = product.facts;
    const large = { baseUrl, applicationId, orgId, apiKey };
    const small = { baseUrl, ...(await anotherApplication(dataDir, adminUrl)) };
    const least = Math.max(100, evaluations / 1_000);
    const others = Array.from({ length: smallCount - 1 }, () => ({ applicationId: newId(), orgId: "others" }));
    const all = [{ ...large, evaluations }, ...[small, ...others].map((one) => ({ ...one, evaluations: least }))];
    console.log(`\n${evaluations} evaluations in one application, ${least} in each of ${smallCount} others`);
    await fillReporting(adminUrl, all, (done) => console.log(`  ${done}`));
    const reports = reportsOf(evaluations);
    await printReports(reports, large, adminUrl, repetitions);
    await printSmall(small, large, reports, repetitions);
  } finally {
    await product.stop();
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

async function anotherApplication(dataDir: string, adminUrl: string): Promise<Omit<Client, "baseUrl">> {
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: adminUrl };
  const args = ["deploy/dev/bootstrap.ts", "--json", "--organisation", "Small", "--application", "Small"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return JSON.parse(stdout);
}

/** A row a report: the product's time, the plan it took, and that of plain SQL. */
async function printReports(
  reports: readonly Report[],
  client: Client,
  adminUrl: string,
  repetitions: number,
): Promise<void> {
  const sql = new pg.Client({ connectionString: adminUrl, options: "-c timezone=UTC" });
  await sql.connect();
  const rows: [string, Record<string, unknown>][] = [];
  for (const report of reports) {
    const { total } = await queryReport(client, report.query);
    const product = await times(repetitions, () => queryReport(client, report.query));
    const plain = await bestPlain(sql, client.applicationId, report, total, Math.ceil(repetitions / 6));
    rows.push([
      report.name,
      {
        plan: await planOf(adminUrl, client, report.query),
        "p50 ms": ms(product, 50),
        "p99 ms": ms(product, 99),
        "plain SQL p50 ms": ms(plain, 50),
        ratio: Math.round((ms(product, 50) / ms(plain, 50)) * 100) / 100,
      },
    ]);
  }
  await sql.end();
  console.table(Object.fromEntries(rows));
}

/**
 * The faster of the statements that answer the same, as a superuser on the tables: without row-level security, names of
 * references, JSON or HTTP. Each must find as many results as the product did.
 */
async function bestPlain(sql: pg.Client, applicationId: string, { plain }: Report, total: number, repetitions: number) {
  const tried: number[][] = [];
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
    tried.push(await times(repetitions, run));
  }
  return tried.sort((a, b) => ms(a, 50) - ms(b, 50))[0] ?? [];
}

/** What a small application's report takes alone, and while the large one asks for all it can. */
async function printSmall(
  small: Client,
  large: Client,
  reports: readonly Report[],
  repetitions: number,
): Promise<void> {
  const measure = () => times(repetitions * 3, () => queryReport(small, smallReport));
  await measure();
  const alone = await measure();
  let isOver = false;
  const heavy = reports.filter(({ isHeavy }) => isHeavy);
  const busy = Array.from({ length: 4 }, async (_, at) => {
    for (let turn = at; !isOver; turn++) await queryReport(large, heavy[turn % heavy.length]?.query ?? {});
  });
  const beside = await measure();
  isOver = true;
  await Promise.all(busy);
  const row = (measured: readonly number[]) => ({ "p50 ms": ms(measured, 50), "p99 ms": ms(measured, 99) });
  console.log("A small application's report of days and topics");
  console.table({ alone: row(alone), "while the large one asks four heavy reports at a time": row(beside) });
}

async function queryReport({ baseUrl, applicationId, apiKey }: Client, query: object): Promise<{ total: number }> {
  const headers = { "x-api-key": apiKey, "x-application-id": applicationId, "content-type": "application/json" };
  const body = JSON.stringify(query);
  const answer = await fetch(`${baseUrl}/v0/reporting/query`, { method: "POST", headers, body });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${body}: ${answer.status} ${text}`);
  return (JSON.parse(text) as { pagination: { total: number } }).pagination;
}

/** The milliseconds of each repetition, in ascending order; a few before them are not counted. */
async function times(repetitions: number, work: () => Promise<unknown>): Promise<number[]> {
  for (let warmUp = 0; warmUp < 2; warmUp++) await work();
  const measured: number[] = [];
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const startedMs = performance.now();
    await work();
    measured.push(performance.now() - startedMs);
  }
  return measured.sort((a, b) => a - b);
}

/** Nearest rank: with fewer than 100 times the 99th percentile is the slowest. */
function ms(sorted: readonly number[], percent: number): number {
  return Math.round((sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? Number.NaN) * 10) / 10;
}

// Compares random reports with the reference model's answers.

import { toBinary } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";
import { toValue } from "@ems/kit/json/free-value";
import type { Tenant } from "@ems/kit/tenant";
import { QueryReportResponseSchema, type ReportingService } from "@ems/proto/reporting/v1/reporting_service";
import { testCall } from "@ems/test-support";
import { expect } from "vitest";
import { answer, type Result } from "./answer.ts";
import { oracleConfig } from "./config.ts";
import type { Interval } from "./interval.ts";
import { percentiles, type Query, randomQuery } from "./query.ts";
import { seededRandom } from "./random.ts";
import type { ReferenceModel } from "./reference-model.ts";
import { ZoneView } from "./zones.ts";

const { ORACLE_SEED: seed, ORACLE_REPORTS: reports } = oracleConfig;

/** One model of recent years, and one of years in which dates were skipped or clocks set back past midnight. */
export const modelYears = [[2020, 2027] as const, [2006, 2014] as const];
export const modelSize = { topics: 12, tasks: 60, tags: 8, tests: 240, evaluations: 480, traces: 160, steps: 480 };

interface Modelled {
  readonly tenant: Tenant;
  readonly model: ReferenceModel;
}

export class Comparison {
  readonly counts = { answers: 0, intervals: 0, invariants: 0, reports: 0 };
  readonly #reporting: Client<typeof ReportingService>;
  readonly #models: readonly Modelled[];

  constructor(reporting: Client<typeof ReportingService>, models: readonly Modelled[]) {
    this.#reporting = reporting;
    this.#models = models;
  }

  /** Compares reports in each zone, four zones at once. */
  async compare(zones: readonly [index: number, name: string][]): Promise<void> {
    const left = [...zones];
    const work = async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) await this.#compareZone(...next);
    };
    await Promise.all([work(), work(), work(), work()]);
  }

  async #compareZone(at: number, name: string): Promise<void> {
    const random = seededRandom(seed + 7_919 * (at + 1));
    const zone = new ZoneView(name);
    for (let report = 0; report < reports; report++) {
      const { tenant, model } = random.pick(this.#models);
      const query = randomQuery(model, zone, random);
      const expected = answer(model, query, zone);
      const limit = Math.max(random.pick([1, 3, 25, 100, 100]), Math.ceil(expected.length / 6));
      const where = `seed ${seed}, ${name}, report ${report}: ${JSON.stringify({ ...query, limit })}`;
      const queryReport = async (pageQuery: Query, skip: number, most: number) => {
        const filters = pageQuery.filters.map((filter) => ({ ...filter, value: filter.value.map(toValue) }));
        const lists = {
          groupBy: [...pageQuery.groupBy],
          measurements: [...pageQuery.measurements],
          orderBy: [...pageQuery.orderBy],
        };
        const request = { ...pageQuery, ...lists, filters, skip: BigInt(skip), limit: Math.min(most, 100) };
        return this.#reporting.queryReport(request, testCall(tenant)).catch((error: Error) => {
          throw new Error(`${where}\n${error.message}`, { cause: error });
        });
      };

      this.counts.reports++;
      const results: Result[] = [];
      for (let skip = 0; skip === 0 || skip < expected.length; skip += Math.min(limit, 100)) {
        const page = await queryReport(query, skip, limit);
        results.push(...((page.data?.results ?? []) as Result[]));
        this.counts.answers++;
        expect(Number(page.pagination?.total), where).toBe(expected.length);
        if (skip > 0) continue;
        const repeat = await queryReport(query, skip, limit);
        this.counts.invariants++;
        expect(Buffer.compare(bytes(repeat), bytes(page)), where).toBe(0);
      }
      // All pages together contain every result once, in order.
      const [exact, exactExpected] = [results.map(withoutIntervals), expected.map(withoutIntervals)];
      if (JSON.stringify(exact) !== JSON.stringify(exactExpected)) expect(exact, where).toEqual(exactExpected);
      for (const [at, result] of expected.entries())
        this.counts.intervals += compareIntervals(results[at], result, where);

      if (query.groupBy.length === 0) continue;
      const measurementIds = results.reduce((sum, { count }) => sum + Number(count ?? 0), 0);
      if (results[0] === undefined || !("count" in results[0])) continue;
      const { pagination } = await queryReport({ ...query, groupBy: [], measurements: [], orderBy: [] }, 0, 1);
      this.counts.invariants++;
      expect(measurementIds, where).toBe(Number(pagination?.total));
    }
  }
}

/**
 * Replaces intervals by their number of values, and percentiles by zero: bounds are rounded roots, and percentiles are
 * within 1 %. They are compared separately.
 */
function withoutIntervals(result: Result): Result {
  const entries = Object.entries(result).map(([name, cell]) => {
    if (isInterval(cell)) return [name, cell.n];
    return [name, isPercentile(name) && cell !== null ? 0 : cell];
  });
  return Object.fromEntries(entries);
}

/** Compares the intervals of a result; returns the number of intervals. */
function compareIntervals(actual: Result | undefined, expected: Result, where: string): number {
  for (const [name, cell] of Object.entries(expected)) {
    if (!isPercentile(name) || cell === null) continue;
    const difference = Math.abs(Number(actual?.[name]) - Number(cell));
    expect(difference, `${where}: ${name}`).toBeLessThanOrEqual(0.01 * Math.abs(Number(cell)));
  }
  const intervals = Object.entries(expected).filter(([, cell]) => isInterval(cell));
  for (const [name, cell] of intervals) {
    const found = actual?.[name];
    if (!isInterval(cell) || !isInterval(found)) throw new Error(`${where}: ${name} is no interval`);
    const tolerance = 1e-9 * Math.max(1, Math.abs(cell.low), Math.abs(cell.high));
    expect(Math.abs(found.low - cell.low), where).toBeLessThan(tolerance);
    expect(Math.abs(found.high - cell.high), where).toBeLessThan(tolerance);
  }
  return intervals.length;
}

function isPercentile(name: string): boolean {
  return percentiles.some((type) => name.startsWith(`${type}_`));
}

function isInterval(cell: unknown): cell is Interval {
  return typeof cell === "object" && cell !== null && "low" in cell && "n" in cell;
}

function bytes(response: Parameters<typeof toBinary<typeof QueryReportResponseSchema>>[1]): Uint8Array {
  return toBinary(QueryReportResponseSchema, response);
}

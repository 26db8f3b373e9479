// Plans answered by PostgreSQL, from the views that the owners of the rows publish. Row-level security holds there as
// anywhere: the views' tables force it.

import type { Database } from "@ems/kit/db/database";
import type { Read } from "@ems/kit/db/snapshot";
import { tooManyRequests } from "@ems/kit/errors";
import { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";
import { compileGroups, compileSummedGroups } from "../query/compile-groups.ts";
import { compileNames, compileRows } from "../query/compile-rows.ts";
import { isOnTimeline } from "../query/conditions.ts";
import type { Tile } from "../query/dates.ts";
import { dayCounts, fromDay, timeOrder } from "../query/deep-page.ts";
import type { Group, Plan } from "../query/plan.ts";
import { type Found, type Names, referredTo } from "../query/present.ts";
import { type Cut, cut, isSummed, timeOf } from "../query/rollup.ts";
import type { ReferenceName } from "../sources/source.ts";
import type { Answer, ReportingStore } from "./store.ts";
import { readTiles } from "./tiles.ts";

const settings = {
  // Rows lie in the order in which reports read them, on disks that do not care.
  random_page_cost: "1.1",
  // PostgreSQL takes every moment for a group of its own, and thinks that workers would hand over as many.
  parallel_tuple_cost: "0.001",
  // Compiling a report's plan takes longer than running it.
  jit: "off",
  // Groups of a year of sums fit.
  work_mem: "64MB",
};

/** Reports of one application that wait their turn: the charts of several pages, and not half of the gateway's places. */
const waitingMax = 100;
const retryAfterMs = 1_000;

export interface StoreOptions {
  /** The database's connections; one application's reports get a third of them. */
  readonly connectionsMax: number;
  /** From so many rows to pass over on, it is asked first on which day the page begins. */
  readonly deepSkipMin: number;
}

export function postgresStore(database: Database, { connectionsMax, deepSkipMin }: StoreOptions): ReportingStore {
  const shares = new TenantConcurrencyLimiter({
    maxPerKey: Math.max(1, Math.floor(connectionsMax / 3)),
    queueMaxPerKey: waitingMax,
    reject: () => tooManyRequests("Too many reports of this application at once", retryAfterMs),
  });
  return {
    run(call, plan) {
      const { applicationId } = call.tenant;
      const pageOf = plan.isGrouped ? groups : plan.skip < deepSkipMin ? list : deepList;
      return shares.run(applicationId, call.signal, () =>
        database.snapshot(call, settings, async (read) => {
          const page = await pageOf(read, applicationId, plan);
          return { ...page, names: await namesOf(read, applicationId, plan, page.rows) };
        }),
      );
    },
  };
}

type Page = Omit<Answer, "names">;

async function list(read: Read, applicationId: string, plan: Plan): Promise<Page> {
  const [rows, counted] = await Promise.all([
    read<Found>(compileRows(applicationId, plan)),
    groups(read, applicationId, countOf(plan)),
  ]);
  return { rows, total: Number(counted.rows[0]?.rows ?? 0), from: counted.from };
}

async function deepList(read: Read, applicationId: string, plan: Plan): Promise<Page> {
  const time = timeOrder(plan);
  if (time === undefined || !isSummed(countOf(plan))) return list(read, applicationId, plan);
  const days = await groups(read, applicationId, dayCounts(plan, time));
  const counts = days.rows.map(({ k0, rows }) => ({ day: Number(k0), rows: Number(rows) }));
  const total = counts.reduce((sum, { rows }) => sum + rows, 0);
  if (plan.skip >= total) return { rows: [], total, from: days.from };
  return {
    rows: await read(compileRows(applicationId, fromDay(plan, counts, time.isDescending))),
    total,
    from: days.from,
  };
}

/** How many rows there are, as a report of its own. */
function countOf(plan: Plan): Plan {
  const measures = [{ id: "count", type: "count" as const }];
  return { ...plan, isGrouped: true, groups: [], measures, order: [], skip: 0, limit: 1 };
}

async function groups(read: Read, applicationId: string, plan: Plan): Promise<Page> {
  const tiles = new Map<Group, readonly Tile[]>();
  for (const group of plan.groups) {
    if (group.trunc !== undefined) tiles.set(group, await readTiles(read, applicationId, plan, group, group.trunc));
  }
  const sums = cutOf(plan, tiles);
  const compile = (page: Plan) =>
    sums === undefined
      ? compileGroups(applicationId, page, (group) => tiles.get(group) ?? [])
      : compileSummedGroups(applicationId, page, sums);
  const rows = await read<Found>(compile(plan));
  const isPastEnd = rows.length === 0 && plan.skip > 0;
  const [first] = isPastEnd ? await read<Found>(compile({ ...plan, skip: 0, limit: 1 })) : rows;
  return { rows, total: Number(first?.total ?? 0), from: sums === undefined ? "rows" : "sums" };
}

function cutOf(plan: Plan, tiles: ReadonlyMap<Group, readonly Tile[]>): Cut | undefined {
  if (!isSummed(plan)) return undefined;
  const onTimeline = plan.groups.find(({ column }) => isOnTimeline(plan.source, column));
  return cut(plan, timeOf(plan), onTimeline && (tiles.get(onTimeline) ?? []));
}

async function namesOf(read: Read, applicationId: string, plan: Plan, rows: readonly Found[]): Promise<Names> {
  const named = await Promise.all(
    [...referredTo(plan, rows)].map(async ([reference, ids]): Promise<[ReferenceName, Map<string, string>]> => {
      const found = await read<{ id: string; name: string }>(compileNames(applicationId, reference, ids));
      return [reference, new Map(found.map(({ id, name }) => [id, name]))];
    }),
  );
  return new Map(named);
}

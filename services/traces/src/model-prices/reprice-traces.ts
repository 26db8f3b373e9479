import type { Transaction } from "@ems/kit/db/transaction";
import { dateFromTimestamp } from "@ems/kit/json/timestamp";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { GetPrice } from "@ems/prices";
import type { ModelPriceService } from "@ems/proto/experiments/v1/model_price_service";
import type { Deps } from "../deps.ts";
import {
  changeCounted,
  changeStepDays,
  countedChanges,
  knownCost,
  lockTraces,
  readPricedSpans,
  readRangePage,
  type StepChange,
  storedTraces,
  sumCosts,
  type TraceRow,
} from "../traces/index.ts";
import { reprice } from "./reprice.ts";

type Handler = Handlers<typeof ModelPriceService>["repriceTraces"];

/** Limits of one request, which one transaction holds. */
const limits = { traces: 200, column: "steps", sum: 20_000 } as const;

const updateRow = `UPDATE traces.trace t SET total_cost = v.cost, priced_steps = v.priced, unpriced_steps = v.unpriced, modified_at = $6
  FROM unnest($2::uuid[], $3::float8[], $4::integer[], $5::integer[]) AS v (id, cost, priced, unpriced)
  WHERE t.application_id = $1 AND t.id = v.id`;

// experiments copies the usage of complete traces to their tests. An open claim ends, so that it is handled again.
const offerAgain = `INSERT INTO traces.trace_settling AS stored (application_id, trace_id, test_id, has_root, due_at, org_id)
  SELECT $1, v.trace_id, v.test_id, true, clock_timestamp(), $2
  FROM unnest($3::uuid[], $4::uuid[]) v (trace_id, test_id) ORDER BY v.trace_id
  ON CONFLICT (application_id, trace_id) DO UPDATE SET leased_until = '-infinity'`;

interface Counts {
  traces: number;
  changedTraces: number;
  changedSteps: number;
  unpricedSteps: number;
  readonly costsBefore: number[];
  readonly costsAfter: number[];
}

export function repriceTraces({ database, clock, prices }: Pick<Deps, "database" | "clock" | "prices">): Handler {
  return async ({ startDate, endDate, dryRun = false, cursor }, call) => {
    if (startDate === undefined || endDate === undefined) throw new Error("the codec requires the range");
    const range = { start: dateFromTimestamp(startDate), end: dateFromTimestamp(endDate), cursor };
    const { applicationId } = call.tenant;
    prices.forget(applicationId);
    const findPrice = await prices.of(call);
    const page = await readRangePage(database, call, range, limits);
    const { traces } = page;
    const counts: Counts = {
      traces: traces.length,
      changedTraces: 0,
      changedSteps: 0,
      unpricedSteps: 0,
      costsBefore: [],
      costsAfter: [],
    };
    return database.runExpensive(call, () =>
      database.change(call, async (tx) => {
        if (traces.length > 0) await repriceAll(tx, call, traces, { counts, findPrice, now: clock.now(), dryRun });
        const { costsBefore, costsAfter, ...rest } = counts;
        return {
          data: {
            ...bigints(rest),
            costBefore: sumCosts(costsBefore),
            costAfter: sumCosts(costsAfter),
            archivedTraces: BigInt(page.archived),
            ...(page.cursor !== undefined && { cursor: page.cursor }),
          },
        };
      }),
    );
  };
}

interface Work {
  readonly counts: Counts;
  readonly findPrice: GetPrice;
  readonly now: Date;
  readonly dryRun: boolean;
}

async function repriceAll(
  tx: Transaction,
  { tenant }: Call,
  traces: readonly { readonly id: string }[],
  { counts, findPrice, now, dryRun }: Work,
): Promise<void> {
  const { applicationId, orgId } = tenant;
  const ids = traces.map(({ id }) => id);
  if (!dryRun) await lockTraces(tx, applicationId, ids);
  const rows = await storedTraces(tx, applicationId, ids);
  const steps = Map.groupBy(await readPricedSpans(tx, applicationId, rows), ({ traceId }) => traceId);
  const changed: TraceRow[] = [];
  const stepChanges: StepChange[] = [];
  for (const row of rows) {
    const stored = steps.get(row.id) ?? [];
    const result = reprice(row, stored, findPrice);
    const after = { ...row, ...result.totals };
    counts.costsBefore.push(knownCost(row) ?? 0);
    counts.costsAfter.push(knownCost(after) ?? 0);
    counts.changedSteps += result.changed.length;
    counts.unpricedSteps += after.unpricedSteps;
    if (knownCost(row) !== knownCost(after) || row.unpricedSteps !== after.unpricedSteps) counts.changedTraces += 1;
    if (
      result.changed.length === 0 &&
      row.pricedSteps === after.pricedSteps &&
      row.unpricedSteps === after.unpricedSteps
    )
      continue;
    changed.push(after);
    if (!dryRun) changeCounted(tx, applicationId, result.changed);
    stepChanges.push(...countedChanges(row.createdAt, stored, result.changed));
  }
  if (dryRun || changed.length === 0) return;
  changeStepDays(tx, tenant, stepChanges);
  const column = <Name extends keyof TraceRow>(name: Name) => changed.map((row) => row[name]);
  const totals = [column("totalCost"), column("pricedSteps"), column("unpricedSteps")];
  tx.defer(updateRow, [applicationId, column("id"), ...totals, now]);
  const tested = changed.filter(({ testId, continues }) => testId !== null && continues === null);
  if (tested.length === 0) return;
  const values = [applicationId, orgId, tested.map(({ id }) => id), tested.map(({ testId }) => testId)];
  tx.defer(offerAgain, values);
}

function bigints<Name extends string>(counts: Record<Name, number>): Record<Name, bigint> {
  // Safe cast: the entries have the same names.
  return Object.fromEntries(Object.entries<number>(counts).map(([name, count]) => [name, BigInt(count)])) as Record<
    Name,
    bigint
  >;
}

// Pure: changes of the sums of steps by day, that follow from steps which were added, removed or changed.

import { hash } from "node:crypto";
import { getBucket } from "@ems/kit/histogram";
import type { Consumption, OwnConsumption } from "../count-calls.ts";
import { exactSum } from "../decimal.ts";
import type { StepFields } from "../entity.ts";
import { storedTokens } from "../usage.ts";

/** The facts of a step that its sums depend on. */
export interface StepFacts extends Consumption {
  readonly type: string;
  readonly status: string;
  readonly model: string;
  readonly provider: string;
  readonly durationMs?: number | undefined;
}

/** A step that was added, removed or changed, and the time at which its trace arrived. */
export interface StepChange {
  readonly createdAt: Date;
  readonly before?: StepFacts;
  readonly after?: StepFacts;
}

/** Returns the facts of a step from its row. */
export function stepFacts({ type, fields }: { readonly type: string; readonly fields: StepFields }): StepFacts {
  const { status, modelId, durationMs, usage, costAmount, isUnpriced, own } = fields;
  return {
    type,
    status: typeof status === "string" ? status : "success",
    model: typeof modelId === "string" ? modelId : "",
    // Safe cast: stepContent sets the field to this type.
    provider: (own as OwnConsumption | undefined)?.provider ?? "",
    durationMs: typeof durationMs === "number" ? durationMs : undefined,
    usage: storedTokens(usage),
    costAmount: typeof costAmount === "number" ? costAmount : undefined,
    isUnpriced: isUnpriced === true,
  };
}

const sumNames = [
  "rows",
  "errored",
  "duration_rows",
  "duration",
  "cost_rows",
  "unpriced",
  "usage_rows",
  "input",
  "cached",
  "writes",
  "output",
  "reasoning",
] as const;
type Sums = Record<(typeof sumNames)[number], number>;

interface Group extends Pick<StepFacts, "type" | "status" | "model" | "provider"> {
  readonly day: string;
  readonly key: string;
  readonly sums: Sums;
  readonly costs: number[];
  readonly buckets: Record<string, number>;
}

/** Returns the changes of sums as JSON, in the form of traces.step_change; undefined if nothing changes. */
export function addUpSteps(changes: readonly StepChange[]): string | undefined {
  const groups = new Map<string, Group>();
  for (const { createdAt, before, after } of changes) {
    const day = createdAt.toISOString().slice(0, 10);
    if (before !== undefined) add(groups, day, before, -1);
    if (after !== undefined) add(groups, day, after, 1);
  }
  const rows = [...groups.values()].map(({ sums, costs, ...group }) => ({ ...group, ...sums, cost: exactSum(costs) }));
  return rows.length === 0 ? undefined : JSON.stringify(rows);
}

function add(groups: Map<string, Group>, day: string, facts: StepFacts, sign: 1 | -1): void {
  const { type, status, model, provider, durationMs, usage, costAmount, isUnpriced } = facts;
  const name = [type, status, model, provider].join("\u0001");
  const id = `${day} ${name}`;
  let group = groups.get(id);
  if (group === undefined) {
    const sums = Object.fromEntries(sumNames.map((sum) => [sum, 0])) as Sums;
    const key = hash("sha256", name).slice(0, 32);
    group = { day, key, type, status, model, provider, sums, costs: [], buckets: {} };
    groups.set(id, group);
  }
  const { sums, buckets } = group;
  sums.rows += sign;
  if (status === "error") sums.errored += sign;
  if (isUnpriced === true) sums.unpriced += sign;
  if (durationMs !== undefined) {
    sums.duration_rows += sign;
    sums.duration += sign * durationMs;
    const bucket = getBucket(durationMs);
    buckets[bucket] = (buckets[bucket] ?? 0) + sign;
  }
  if (costAmount !== undefined) {
    sums.cost_rows += sign;
    group.costs.push(sign * costAmount);
  }
  if (usage === undefined) return;
  sums.usage_rows += sign;
  sums.input += sign * usage.promptTokens;
  sums.cached += sign * (usage.cachedTokens ?? 0);
  sums.writes += sign * (usage.cacheWriteTokens ?? 0);
  sums.output += sign * usage.completionTokens;
  sums.reasoning += sign * (usage.reasoningTokens ?? 0);
}

// Computes needs at a rate of traces from the costs of one trace, test, event and read. Every figure is a product of
// measured costs and the assumed load; nothing is measured here.

import { clusterPools } from "@ems/deploy/connections";

/** Processes that use CPU time. */
export const spenders = [
  "gateway",
  "identity",
  "catalog",
  "traces",
  "experiments",
  "evaluation",
  "reporting",
  "notifications",
  "NATS",
  "PostgreSQL",
] as const;
export type Spender = (typeof spenders)[number];

/** Cost of one unit. */
export interface UnitCost {
  readonly cpuUs: Readonly<Record<Spender, number>>;
  /** Bytes that stay in PostgreSQL, indexes included. */
  readonly diskBytes: number;
  /** Bytes of write-ahead log. */
  readonly walBytes: number;
  /** Bytes of request bodies on the wire. */
  readonly bodyBytes: number;
}

/** Measured costs. */
export interface Units {
  /** Cost of a trace with this number of steps. */
  readonly short: { readonly steps: number; readonly cost: UnitCost };
  readonly long: { readonly steps: number; readonly cost: UnitCost };
  /** A recorded test with two evaluations. */
  readonly test: UnitCost;
  /** An event from the outbox to the webhook's answer. */
  readonly event: UnitCost;
  /** Reading a trace. */
  readonly read: UnitCost;
  /** CPU time of each process without load, in µs per second; not part of the costs. */
  readonly rest: Readonly<Record<Spender, number>>;
}

/** Load per trace. */
export interface Load {
  readonly steps: number;
  readonly tests: number;
  readonly events: number;
  readonly reads: number;
}

export interface Need {
  readonly tracesPerSecond: number;
  /** Number of busy cores. */
  readonly cores: Readonly<Record<Spender, number>>;
  /** Replicas of each process: enough to stay below `utilisation`, and at least two so that one may fail. */
  readonly processes: Readonly<Partial<Record<Spender, number>>>;
  /** Recommended number of cores, of which `utilisation` is used. */
  readonly postgresCores: number;
  readonly connections: number;
  readonly diskGbPerDay: number;
  readonly walMbPerSecond: number;
  readonly bodyMbPerSecond: number;
  readonly eventsPerSecond: number;
}

/** Average share of a core that is used, so that waits stay short and peaks have room. */
export const utilisation = 0.6;

/** Returns the cost of a step: (long − short) ÷ (steps of long − steps of short). */
export function computeStepCost({ short, long }: Pick<Units, "short" | "long">): UnitCost {
  return scale(add(long.cost, scale(short.cost, -1)), 1 / (long.steps - short.steps));
}

/** Cost of a trace with the given number of steps; with 0 steps, the cost of the trace itself. */
export function computeTraceCost(units: Pick<Units, "short" | "long">, steps: number): UnitCost {
  const { cost, steps: measured } = units.short;
  return add(cost, scale(computeStepCost(units), steps - measured));
}

/** Returns the cost per trace: trace + tests × test + events × event + reads × read. */
export function perTrace(units: Units, load: Load): UnitCost {
  const parts = [scale(units.test, load.tests), scale(units.event, load.events), scale(units.read, load.reads)];
  return parts.reduce(add, computeTraceCost(units, load.steps));
}

export function computeNeed(units: Units, load: Load, tracesPerSecond: number): Need {
  const second = scale(perTrace(units, load), tracesPerSecond);
  const cores = eachSpender((name) => second.cpuUs[name] / 1e6);
  const own = spenders.filter((name) => name !== "PostgreSQL" && name !== "NATS");
  const processes = Object.fromEntries(own.map((name) => [name, Math.max(2, Math.ceil(cores[name] / utilisation))]));
  const connections = Object.entries(clusterPools).reduce(
    (sum, [name, { DATABASE_POOL_MAX, RELAY_POOL_MAX = 0 }]) =>
      sum + (processes[name] ?? 0) * (DATABASE_POOL_MAX + RELAY_POOL_MAX),
    0,
  );
  return {
    tracesPerSecond,
    cores,
    processes,
    connections,
    postgresCores: cores.PostgreSQL / utilisation,
    diskGbPerDay: (second.diskBytes * 86_400) / 1e9,
    walMbPerSecond: second.walBytes / 1e6,
    bodyMbPerSecond: second.bodyBytes / 1e6,
    eventsPerSecond: tracesPerSecond * load.events,
  };
}

function add(each: UnitCost, other: UnitCost): UnitCost {
  return {
    cpuUs: eachSpender((name) => each.cpuUs[name] + other.cpuUs[name]),
    diskBytes: each.diskBytes + other.diskBytes,
    walBytes: each.walBytes + other.walBytes,
    bodyBytes: each.bodyBytes + other.bodyBytes,
  };
}

function scale(cost: UnitCost, by: number): UnitCost {
  return {
    cpuUs: eachSpender((name) => cost.cpuUs[name] * by),
    diskBytes: cost.diskBytes * by,
    walBytes: cost.walBytes * by,
    bodyBytes: cost.bodyBytes * by,
  };
}

export function eachSpender(of: (name: Spender) => number): Record<Spender, number> {
  return Object.fromEntries(spenders.map((name) => [name, of(name)])) as Record<Spender, number>;
}

// What the database found, as results show it.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Column, ReferenceName } from "../sources/source.ts";
import { quotient } from "./numbers.ts";
import type { Measure, Plan, Shape } from "./plan.ts";
import { type State, statesOf } from "./states.ts";

/** A row as it comes from the database, by the names that its statement gives. */
export type Found = Readonly<Record<string, unknown>>;

/** What things of a kind are called, by id. */
export type Names = ReadonlyMap<ReferenceName, ReadonlyMap<string, string>>;

export interface ShownColumn {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

/** The columns of the results. */
export function columnsOf({ source, isGrouped, groups, measures }: Shape): ShownColumn[] {
  if (!isGrouped) return source.columns.map(shown);
  return [...groups.map(({ column }) => shown(column)), ...measures.map(shownMeasure)];
}

function shown({ id, name, type }: Column): ShownColumn {
  return { id, name, type };
}

const measureNames = { avg: "Average", sum: "Sum of", min: "Minimum", max: "Maximum" } as const;

export function shownMeasure({ id, type, column }: Measure): ShownColumn {
  const name = type === "count" || column === undefined ? "Count" : `${measureNames[type]} ${column.name}`;
  return { id, name, type: "number" };
}

/** The columns of a result that the database found, with the keys that they have there. */
function keysOf({ source, isGrouped, groups }: Shape): { key: string; column: Column }[] {
  if (isGrouped) return groups.map(({ column }, at) => ({ key: `k${at}`, column }));
  return source.columns.map((column, at) => ({ key: `c${at}`, column }));
}

/** The things that the found rows refer to. */
export function referredTo(shape: Shape, rows: readonly Found[]): Map<ReferenceName, string[]> {
  const ids = new Map<ReferenceName, Set<string>>();
  for (const { key, column } of keysOf(shape)) {
    const { reference } = column;
    if (reference === undefined) continue;
    const known = ids.get(reference) ?? new Set();
    for (const row of rows) if (row[key] !== null) known.add(String(row[key]));
    ids.set(reference, known);
  }
  return new Map([...ids].filter(([, known]) => known.size > 0).map(([name, known]) => [name, [...known]]));
}

export function present(plan: Plan, rows: readonly Found[], names: Names): JsonObject[] {
  const keys = keysOf(plan);
  const states = statesOf(plan.measures);
  return rows.map((row) =>
    Object.fromEntries([
      ...keys.map(({ key, column }) => [column.id, value(column, row[key], names)]),
      ...plan.measures.map((measure) => [measure.id, measured(measure, states, row)]),
    ]),
  );
}

function value(column: Column, found: unknown, names: Names): JsonValue {
  if (found === null || found === undefined) return null;
  if (column.reference !== undefined) {
    const id = String(found);
    return { id, name: names.get(column.reference)?.get(id) ?? null };
  }
  switch (column.storage.kind) {
    case "uuid":
    case "text":
      return String(found);
    case "boolean":
      return found === true;
    case "double":
      return Number(found);
    case "scaled":
      return quotient(String(found), 1n, column.storage.scale);
    case "moment":
      return momentOf(found);
  }
}

function momentOf(found: unknown): string {
  if (found instanceof Date) return found.toISOString();
  throw new Error("a moment is a Date");
}

function measured({ type, column }: Measure, states: readonly State[], row: Found): JsonValue {
  if (column === undefined) return Number(row.rows);
  const state = states.find((one) => one.column === column);
  if (state === undefined) throw new Error(`${column.id} is not measured`);
  const count = BigInt(String(row[state.count] ?? 0));
  if (count === 0n) return null;
  const scale = column.storage.kind === "scaled" ? column.storage.scale : 0;
  const sum = String(row[state.sum]);
  switch (type) {
    case "count":
      return Number(row.rows);
    case "sum":
      return quotient(sum, 1n, scale);
    case "avg":
      return quotient(sum, count, scale);
    case "min":
    case "max": {
      if (state.extremes !== undefined) return quotient(String(row[state.extremes[type]]), 1n, scale);
      const isTrue = type === "max" ? BigInt(sum) > 0n : BigInt(sum) === count;
      return isTrue ? 1 : 0;
    }
  }
}

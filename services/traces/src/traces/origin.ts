// Pure: decides the service, version and environment of a trace. The result is the same for any order and batching of
// its spans: each value has a rank, and the smallest rank counts.

import { makeStorable, type StorableText } from "@ems/kit/readers";
import type { TraceRow } from "./entity.ts";

/** Fields of a trace that describe the process that created it. */
export const originFields = ["service", "version", "environment"] as const;
export type OriginField = (typeof originFields)[number];

/** A value of a sender. Null: the sender is known, but has no such value. */
export interface Ranked {
  readonly rank: bigint;
  readonly value: string | null;
}

/** Values for the fields. Fields that the sender does not determine are missing. */
export type Origin = { readonly [Field in OriginField]?: Ranked };

/** Values for the fields as the sender named them. */
export type NamedOrigin = { readonly [Field in OriginField]?: string | undefined };

/** Larger than any time in microseconds. */
const later = 2n ** 60n;

/** Ranks a span: a span without a parent before others, then the earliest. */
export function rankSpan({ isChild, startUs }: { readonly isChild: boolean; readonly startUs: bigint }): bigint {
  return isChild ? startUs + later : startUs;
}

/** Ranks a trace event, which precedes all spans: the earliest event counts, then events without a time. */
export function rankEvent(timeUs: bigint | undefined): bigint {
  return timeUs === undefined ? -1n : timeUs - later;
}

/** Returns the values with their rank. A sender that names its service also determines the version, even if it has none. */
export function rankOrigin({ service, version, environment }: NamedOrigin, rank: bigint): Origin {
  const hasVersion = version !== undefined || service !== undefined;
  return {
    ...(service !== undefined && { service: { rank, value: service } }),
    ...(hasVersion && { version: { rank, value: version ?? null } }),
    ...(environment !== undefined && { environment: { rank, value: environment } }),
  };
}

/** Returns the values that count of two senders. */
export function mergeOrigins(origin: Origin, other: Origin): Origin {
  const merged: { [Field in OriginField]?: Ranked } = { ...origin };
  for (const field of originFields) {
    const [current, next] = [merged[field], other[field]];
    if (next !== undefined && (current === undefined || precedes(next, current))) merged[field] = next;
  }
  return merged;
}

/** Sets the row's fields to values that precede the present ones, and returns true if the row changed. */
export function fillOrigin(row: TraceRow, origin: Origin): boolean {
  let isChanged = false;
  for (const field of originFields) {
    const next = origin[field];
    if (next === undefined) continue;
    const rank = row[`${field}Rank`];
    if (rank !== null && !precedes(next, { rank: BigInt(rank), value: row[field] })) continue;
    const value: StorableText | null = next.value === null ? null : makeStorable(next.value);
    Object.assign(row, { [field]: value, [`${field}Rank`]: String(next.rank) });
    isChanged = true;
  }
  return isChanged;
}

/** Returns true if the value counts before the other. Equal ranks are ordered by value. */
function precedes(next: Ranked, current: Ranked): boolean {
  if (next.rank !== current.rank) return next.rank < current.rank;
  if (next.value === null || next.value === current.value) return false;
  return current.value === null || next.value < current.value;
}

// Requests that the document forbids, made from valid ones by a single change and checked by the validator.

import fc, { type Arbitrary } from "fast-check";
import type { Request } from "./requests.ts";

export interface Invalid {
  readonly request: Request;
  /** Path of the fault. */
  readonly at: readonly string[];
}

type Path = readonly (string | number)[];

const strange = fc.oneof(
  fc.constantFrom<unknown>(
    true,
    0.5,
    -1,
    1e300,
    "",
    "\u0000",
    "x".repeat(70_000),
    [],
    {},
    [null],
    { a: 1 },
    "not a date",
  ),
  fc.jsonValue({ maxDepth: 1 }),
);

/** Generates bodies with an unexpected value at any place, an unknown field, or a missing field. */
export function invalidBodies(request: Request): Arbitrary<Invalid> {
  const paths = getPaths(request.body);
  const change = fc.record({
    path: fc.constantFrom(...paths),
    value: strange,
    kind: fc.constantFrom("set", "add", "drop"),
  });
  return change.map(({ path, value, kind }) => {
    const held = valueAt(request.body, path);
    const isAddition = kind === "add" && typeof held === "object" && held !== null && !Array.isArray(held);
    const at = isAddition ? [...path, "unknownMember"] : path;
    const isDrop = kind === "drop" && typeof at.at(-1) === "string";
    return { request: { ...request, body: changed(request.body, at, isDrop ? undefined : value) }, at: at.map(String) };
  });
}

/** Lists the paths of all parts of a value, outermost first. */
function getPaths(value: unknown, at: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [at];
  const members = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [at, ...members.flatMap(([key, item]) => getPaths(item, [...at, key]))];
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<string | number, unknown>)[key], value);
}

/** Returns a copy with `next` at `path`; undefined removes the field. */
function changed(value: unknown, [key, ...rest]: Path, next: unknown): unknown {
  if (key === undefined) return next;
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? changed(item, rest, next) : item));
  const { [key]: old, ...remaining } = value as Record<string | number, unknown>;
  const held = changed(old, rest, next);
  return held === undefined ? remaining : { ...remaining, [key]: held };
}

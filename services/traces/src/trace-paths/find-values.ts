// Pure: finds the values of a path, in a bounded number of steps for any JSON.

import type { JsonValue } from "@bufbuild/protobuf";
import { isExactNumber } from "@ems/kit/json/exact-number";
import { jsonTextLimits, tryReadStructure } from "@ems/kit/readers";
import type { Segment, TracePath } from "./path.ts";

/** Maximum number of values that a path visits in a trace. */
const visitsMax = 10_000;

/** A part of a step or of a trace: stored text, or JSON. */
export type Part = string | JsonValue | undefined;

export interface PathValue {
  readonly value: JsonValue;
  /** True for the whole text of a part. */
  readonly isWhole: boolean;
}

/** Follows one path through the parts of a trace. Remembers how far it came, to explain why it found nothing. */
export class Search {
  readonly #path: TracePath;
  #visits = 0;
  #steps = 0;
  #deepest = -1;

  constructor(path: TracePath) {
    this.#path = path;
  }

  /** Yields the values in a part of a step, or in the trace's metadata, lazily. */
  *valuesIn(part: Part): Generator<PathValue> {
    this.#steps += 1;
    if (part === undefined || part === null || part === "") return;
    this.#deepest = Math.max(this.#deepest, 0);
    const isWhole = this.#path.segments.length === 0;
    for (const value of this.#follow(part, 0)) if (!isEmpty(value)) yield { value, isWhole };
  }

  *#follow(value: JsonValue, at: number): Generator<JsonValue> {
    if (this.#visits >= visitsMax) return;
    this.#visits += 1;
    this.#deepest = Math.max(this.#deepest, at);
    const segment = this.#path.segments[at];
    if (segment === undefined) yield value;
    else for (const inner of children(value, segment)) yield* this.#follow(inner, at + 1);
  }

  /** Says why nothing was found. */
  explain(): string {
    const { steps, part, segments } = this.#path;
    if (this.#visits >= visitsMax) return `Nothing in the first ${visitsMax.toLocaleString("en")} values`;
    if (steps !== undefined && this.#steps === 0) return `The trace has no such step: ${describe(this.#path)}`;
    const owner = steps === undefined ? "The trace has" : this.#steps === 1 ? "The step has" : "The steps have";
    if (this.#deepest < 0) return `${owner} no ${part}`;
    const missing = segments[this.#deepest];
    if (missing === undefined) return "The value is empty, or of another kind";
    const place = `${part}${segments.slice(0, this.#deepest).map(write).join("")}`;
    return `Nothing at ${write(missing)} in ${place}`;
  }
}

function describe({ steps }: TracePath): string {
  if (steps === undefined) return "trace";
  const { isRoot, type, name, position } = steps;
  const selector = isRoot ? "root" : (type ?? "step");
  return `${selector}${name === undefined ? "" : write({ name })}${position === undefined ? "" : write({ position })}`;
}

function write(segment: Segment): string {
  if (segment === "all") return "[*]";
  return "name" in segment ? `[${JSON.stringify(segment.name)}]` : `[${segment.position}]`;
}

function* children(value: JsonValue, segment: Segment): Generator<JsonValue> {
  // Each text is parsed once for a segment, so that the work is at most the number of segments times the part's size.
  const json = typeof value === "string" ? tryReadStructure(value, jsonTextLimits) : value;
  if (typeof json !== "object" || json === null || isExactNumber(json)) return;
  if (segment === "all") yield* Array.isArray(json) ? json : Object.values(json);
  else if ("position" in segment) {
    const item = Array.isArray(json) ? json.at(segment.position) : undefined;
    if (item !== undefined) yield item;
  } else if (!Array.isArray(json) && Object.hasOwn(json, segment.name)) {
    const field = json[segment.name];
    if (field !== undefined) yield field;
  }
}

function isEmpty(value: JsonValue): boolean {
  return value === null || (typeof value === "string" && value.trim() === "");
}

// Pure: reads paths to values in the steps of traces. The contract describes the syntax (UpdateIngestSettings).

import { stepTypes } from "../traces/index.ts";

/** Settings that have a path. */
export const pathFields = ["question", "answer", "context", "session", "user"] as const;
export type PathField = (typeof pathFields)[number];

/** The paths of an application, as they were written. */
export type StoredPaths = Readonly<Partial<Record<PathField, string>>>;
export type TracePaths = Readonly<Partial<Record<PathField, TracePath>>>;

export interface TracePath {
  readonly text: string;
  /** The steps to look at; undefined for the metadata of the trace itself. */
  readonly steps: StepSelector | undefined;
  readonly part: StepPart;
  /** Place in the part's JSON; empty for the whole part. */
  readonly segments: readonly Segment[];
}

export interface StepSelector {
  /** True for steps without a parent. */
  readonly isRoot: boolean;
  readonly type: string | undefined;
  readonly name: string | undefined;
  /** Position among the selected steps by time, negative from the end; undefined for the first with a value. */
  readonly position: number | undefined;
}

export const stepParts = ["input", "output", "metadata", "params", "name"] as const;
export type StepPart = (typeof stepParts)[number];

/** The name of a field, the position in a list, or all of them. */
export type Segment = { readonly name: string } | { readonly position: number } | "all";

const segmentsMax = 20;
const positionMax = 100_000;

/** Reads a path; returns a reason for one that is not in the syntax. */
export function parsePath(text: string): TracePath | { readonly error: string } {
  try {
    return new Parser(text).path();
  } catch (error) {
    if (error instanceof PathError) return { error: error.message };
    throw error;
  }
}

/** Reads stored paths, which were checked when they were set. A newer version's syntax is ignored. */
export function parsePaths(stored: StoredPaths): TracePaths {
  const paths: Partial<Record<PathField, TracePath>> = {};
  for (const field of pathFields) {
    const path = stored[field] === undefined ? undefined : parsePath(stored[field]);
    if (path !== undefined && !("error" in path)) paths[field] = path;
  }
  return paths;
}

class PathError extends Error {}

const word = /[\p{L}_\u{80}-\u{10FFFF}][\p{L}\p{N}_\u{80}-\u{10FFFF}]*/uy;
const position = /\[(-?\d{1,6})\]/y;
const quoted = /\[(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\]/suy;
const wildcard = /\[\*\]|\.\*/y;
const dot = /\./y;

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  path(): TracePath {
    const source = this.#match(word)?.[0];
    if (source === "trace") return this.#ofTrace();
    const isType = stepTypes.some((type) => type === source);
    if (source !== "root" && source !== "step" && !isType)
      throw new PathError(`Must begin with root, step, trace or a type of steps: ${stepTypes.join(", ")}`);
    const name = this.#name();
    const steps = {
      isRoot: source === "root",
      type: isType ? source : undefined,
      name,
      position: this.#position(),
    };
    return { text: this.#text, steps, part: this.#part(), segments: this.#segments() };
  }

  #ofTrace(): TracePath {
    const part = this.#part();
    if (part !== "metadata") throw new PathError("A trace has only metadata: write trace.metadata");
    const segments = this.#segments();
    if (segments.length === 0)
      throw new PathError("Must name a field of the metadata, such as trace.metadata['tenant']");
    return { text: this.#text, steps: undefined, part, segments };
  }

  #part(): StepPart {
    const name = this.#match(dot) && this.#match(word)?.[0];
    const part = stepParts.find((each) => each === name);
    if (part === undefined) throw new PathError(`After the steps must follow one of: .${stepParts.join(", .")}`);
    return part;
  }

  #segments(): Segment[] {
    const segments: Segment[] = [];
    while (this.#at < this.#text.length) {
      if (segments.length === segmentsMax) throw new PathError(`At most ${segmentsMax} segments after the part`);
      segments.push(this.#segment());
    }
    return segments;
  }

  #segment(): Segment {
    if (this.#match(wildcard) !== undefined) return "all";
    const number = this.#position();
    if (number !== undefined) return { position: number };
    const name = this.#name();
    if (name !== undefined) return { name };
    const at = this.#at;
    const plain = this.#match(dot) && this.#match(word)?.[0];
    if (plain !== undefined) return { name: plain };
    throw new PathError(
      `Character ${at + 1}: expected .name, ['name'], [0], [-1] or [*]. Put names with other characters in brackets and quotation marks`,
    );
  }

  #position(): number | undefined {
    const found = this.#match(position)?.[1];
    if (found === undefined) return undefined;
    const number = Number(found);
    if (Math.abs(number) > positionMax) throw new PathError(`A position is at most ${positionMax}`);
    // Without this, -0 would be another position than 0.
    return number + 0;
  }

  #name(): string | undefined {
    const found = this.#match(quoted);
    return found && unescaped(found[1] ?? found[2] ?? "");
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return undefined;
    this.#at = pattern.lastIndex;
    return found;
  }
}

const escapes: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

function unescaped(text: string): string {
  return text.replace(/\\(?:u([\da-fA-F]{4})|(.))/gsu, (_, digits: string | undefined, character: string) => {
    if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16));
    if (/['"\\/]/.test(character)) return character;
    const control = escapes[character];
    if (control === undefined) throw new PathError(`Unknown escape \\${character}`);
    return control;
  });
}

// Redaction of one request. Texts that exceed the limits of time or size are replaced completely: nothing passes
// unredacted.

import type { JsonValue } from "@bufbuild/protobuf";
import { type ExactNumber, isExactNumber } from "../json/exact-number.ts";
import { jsonDepthMax } from "../json/issue-messages.ts";
import { eventLoop } from "../limits/event-loop-yield.ts";
import { jsonTextLimits, tryReadJsonText } from "../readers/index.ts";
import { counter } from "../telemetry/metrics.ts";
import type { Range } from "./built-in/range.ts";
import { jsonTokens, looksLikeJson } from "./json-tokens.ts";
import { OwnPattern } from "./own-pattern.ts";
import { type BuiltInName, builtIns, type RedactionRule } from "./rule.ts";

/** Kind of redacted data. */
export type RedactedKind = "trace" | "log" | "result" | "answer" | "test" | "feedback" | "evaluation";

export const redactedWhole = "[redacted]";

export interface RedactionLimits {
  /** Maximum work between two turns of the event loop. */
  readonly sliceMs: number;
  /** Maximum work on one request. */
  readonly workMs: number;
  /** Maximum characters by which replacements may lengthen a request. */
  readonly growthMax: number;
}

export const redactionLimits: RedactionLimits = { sliceMs: 5, workMs: 3_000, growthMax: 4 * 1024 * 1024 };

const countRedactions = counter({
  name: "ems_redactions_total",
  help: "Texts that rules replaced at ingest, by rule (a built-in pattern, own, or whole if limits of time or size were exceeded) and kind.",
  labels: ["rule", "kind"],
});

type Label = BuiltInName | "own" | "whole";

interface CompiledRule {
  readonly label: Label;
  readonly replacement: string;
  readonly builtIn: ((text: string) => Range[]) | undefined;
  readonly own: OwnPattern | undefined;
}

/** A text beyond these limits is redacted as plain text: no reader of the product parses it as JSON. */
const jsonLimits = { ...jsonTextLimits, depth: jsonDepthMax };

/** Maximum nesting of JSON within texts of JSON. */
const depthMax = 8;

/** Redacts texts by the rules of an application. */
export class Redactor {
  readonly #rules: readonly CompiledRule[];

  constructor(rules: readonly RedactionRule[]) {
    this.#rules = rules.map(({ builtIn, pattern, replacement }) => ({
      label: builtIn ?? "own",
      replacement,
      builtIn: builtIn && builtIns[builtIn],
      own: pattern === undefined ? undefined : new OwnPattern(pattern),
    }));
  }

  /** Runs `work` for a request of the application, with turns of the event loop for other work. */
  async redact<T>(
    applicationId: string,
    kind: RedactedKind,
    work: (redaction: Redaction) => Generator<void, T>,
    limits = redactionLimits,
  ): Promise<T> {
    const redaction = new Redaction(this.#rules, limits);
    const steps = work(redaction);
    for (;;) {
      redaction.beginSlice();
      const step = steps.next();
      redaction.endSlice();
      if (step.done === true) {
        if (redaction.workedMs > 10 * limits.sliceMs) for (const { own } of this.#rules) own?.release();
        for (const [rule, count] of redaction.counts) countRedactions({ rule, kind }, count);
        return step.value;
      }
      await eventLoop.wait(applicationId);
    }
  }
}

interface Match {
  readonly range: Range;
  readonly rule: CompiledRule;
}

export class Redaction {
  readonly counts = new Map<Label, number>();
  readonly #rules: readonly CompiledRule[];
  readonly #limits: RedactionLimits;
  readonly #hasOwn: boolean;
  #growth = 0;
  #workedMs = 0;
  #sliceMs = 0;

  constructor(rules: readonly CompiledRule[], limits: RedactionLimits) {
    this.#rules = rules;
    this.#limits = limits;
    this.#hasOwn = rules.some(({ own }) => own !== undefined);
  }

  get workedMs(): number {
    return this.#workedMs;
  }

  beginSlice(): void {
    this.#sliceMs = performance.now();
  }

  endSlice(): void {
    this.#workedMs += performance.now() - this.#sliceMs;
  }

  /** Redacts a text; in JSON text only its values, so that it stays JSON. */
  *text(text: string, depth = 0): Generator<void, string> {
    if (text === "") return text;
    if (depth < depthMax && looksLikeJson(text) && isJson(text)) return yield* this.#json(text, depth);
    return yield* this.#plain(text);
  }

  /** Redacts the texts in the value, except field names. A number that a rule matches becomes a text. */
  *value(json: JsonValue): Generator<void, JsonValue> {
    if (typeof json === "string") return yield* this.text(json, 1);
    if (typeof json === "number" || isExactNumber(json)) return yield* this.#number(json);
    if (typeof json !== "object" || json === null) return json;
    if (Array.isArray(json)) {
      const list: JsonValue[] = [];
      for (const each of json) list.push(yield* this.value(each));
      return list;
    }
    const entries: [string, JsonValue][] = [];
    for (const [name, each] of Object.entries(json)) entries.push([name, yield* this.value(each)]);
    return Object.fromEntries(entries);
  }

  *#number(number: number | (JsonValue & ExactNumber)): Generator<void, JsonValue> {
    const written = isExactNumber(number) ? number.rawJSON : String(number);
    if (this.#isTooShort(written)) return number;
    const redacted = yield* this.#plain(written);
    return redacted === written ? number : redacted;
  }

  *#json(text: string, depth: number): Generator<void, string> {
    const parts: string[] = [];
    let copied = 0;
    for (const { start, end, value } of jsonTokens(text)) {
      if (this.#isTooShort(value)) continue;
      const redacted = yield* this.text(value, depth + 1);
      if (redacted === value) continue;
      parts.push(text.slice(copied, start), JSON.stringify(redacted));
      copied = end;
    }
    return copied === 0 ? text : parts.join("") + text.slice(copied);
  }

  /** Returns true if the text is shorter than any match of a built-in pattern. */
  #isTooShort(text: string): boolean {
    return text.length < 3 && !this.#hasOwn;
  }

  *#plain(text: string): Generator<void, string> {
    const matches: Match[] = [];
    for (const rule of this.#rules) {
      for (const range of rule.builtIn?.(text) ?? []) matches.push({ range, rule });
      if (this.#isSliceOver()) yield;
      if (rule.own === undefined) continue;
      const steps = rule.own.find(text);
      let step = steps.next();
      while (step.done !== true) {
        if (this.#isOverdue()) return this.#whole(text);
        if (this.#isSliceOver()) yield;
        step = steps.next();
      }
      for (const range of step.value) matches.push({ range, rule });
    }
    // Check the time again: even one piece of work may exceed it. The remaining texts would cost as much.
    if (this.#isOverdue()) return this.#whole(text);
    return matches.length === 0 ? text : this.#replaced(text, matches);
  }

  #isSliceOver(): boolean {
    return performance.now() - this.#sliceMs >= this.#limits.sliceMs;
  }

  #isOverdue(): boolean {
    return this.#workedMs + performance.now() - this.#sliceMs > this.#limits.workMs;
  }

  /**
   * All matches are in the original text, so that no replacement is replaced. Among overlapping matches, the first
   * one's rule applies.
   */
  #replaced(text: string, matches: Match[]): string {
    const parts: string[] = [];
    let copied = 0;
    let length = 0;
    let last: CompiledRule | undefined;
    for (const { range, rule } of matches.toSorted((a, b) => a.range[0] - b.range[0])) {
      const [start, end] = range;
      const isJoined = last !== undefined && (start < copied || (start === copied && rule === last));
      if (!isJoined) {
        parts.push(text.slice(copied, start), rule.replacement);
        length += start - copied + rule.replacement.length;
        if (length - end > this.#limits.growthMax - this.#growth) return this.#whole(text);
        this.#count(rule.label);
        last = rule;
      }
      copied = Math.max(copied, end);
    }
    this.#growth += Math.max(0, length - copied);
    return parts.join("") + text.slice(copied);
  }

  #whole(text: string): string {
    this.#count("whole");
    return looksLikeJson(text) && isJson(text) ? JSON.stringify(redactedWhole) : redactedWhole;
  }

  #count(label: Label): void {
    this.counts.set(label, (this.counts.get(label) ?? 0) + 1);
  }
}

function isJson(text: string): boolean {
  return tryReadJsonText(text, jsonLimits) !== undefined;
}

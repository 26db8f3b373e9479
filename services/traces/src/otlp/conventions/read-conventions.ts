// Reads all attributes in one pass, with every convention that has a rule for them. A merge then decides for each fact
// which convention wins.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { type FactName, type Facts, isPayload, type Payloads } from "./facts.ts";
import { genAi } from "./gen-ai.ts";
import { genAiBefore } from "./gen-ai-before.ts";
import { laminar } from "./laminar.ts";
import { langfuse } from "./langfuse.ts";
import { mastra } from "./mastra.ts";
import { mlflow } from "./mlflow.ts";
import { openinference } from "./openinference.ts";
import { openllmetry } from "./openllmetry.ts";
import { pydanticAi } from "./pydantic-ai.ts";
import type { Convention, Rule } from "./rule.ts";
import { usageNames } from "./usage-names.ts";
import { vercelAi } from "./vercel-ai.ts";

/** Conventions in order of precedence. */
const conventions: readonly Convention[] = [
  openinference,
  langfuse,
  mlflow,
  laminar,
  mastra,
  pydanticAi,
  vercelAi,
  genAi,
  openllmetry,
  genAiBefore,
  usageNames,
];

interface BoundRule {
  readonly convention: number;
  readonly rule: Rule;
  /** For the rule of a family: the part of the attribute's name after the family's prefix. */
  readonly rest: string;
  readonly fact: FactName | undefined;
}

const exact = new Map<string, BoundRule[]>();
const families = new Map<string, BoundRule[]>();
for (const [convention, { attributes, families: prefixes = {} }] of conventions.entries()) {
  const bind = (table: Map<string, BoundRule[]>, rules: Readonly<Record<string, Rule>>) => {
    for (const [name, rule] of Object.entries(rules))
      table.set(name, [...(table.get(name) ?? []), toBound({ convention, rule, rest: "" })]);
  };
  bind(exact, attributes);
  bind(families, prefixes);
}

function toBound(rule: Omit<BoundRule, "fact">): BoundRule {
  const { fact } = rule.rule;
  return { ...rule, fact: typeof fact === "function" ? fact(rule.rest) : fact };
}

const none: readonly BoundRule[] = [];
const cached = new Map<string, readonly BoundRule[]>();
const cachedMax = 10_000;
const cachedLengthMax = 200;

function findRules(name: string): readonly BoundRule[] {
  const before = cached.get(name);
  if (before !== undefined) return before;
  const rules = exact.get(name) ?? familyRules(name);
  // Senders can make up any name, so the length and number of cached names are limited.
  if (name.length > cachedLengthMax) return rules;
  if (cached.size >= cachedMax) cached.clear();
  cached.set(name, rules);
  return rules;
}

/** A longer prefix cannot be the name of a family. */
const familyLengthMax = Math.max(...[...families.keys()].map(({ length }) => length));

function familyRules(name: string): readonly BoundRule[] {
  for (let dot = name.indexOf("."); dot !== -1 && dot <= familyLengthMax; dot = name.indexOf(".", dot + 1)) {
    const rules = families.get(name.slice(0, dot));
    if (rules !== undefined) return rules.map((rule) => toBound({ ...rule, rest: name.slice(dot + 1) }));
  }
  return none;
}

interface Source {
  readonly convention: number;
  readonly fact: FactName;
  readonly name: string;
}

/** Facts from the attributes of a span; each is taken from the convention that wins. */
export class Reading {
  readonly #attributes: JsonObject;
  readonly #facts: readonly Facts[];
  readonly #sources: Source[] = [];
  readonly #consumed = new Set<string>();
  /** The convention that wins, by fact. */
  readonly #winners: Partial<Record<FactName, number>> = {};
  /** Attributes whose value no fact can have, with the reason for the sender. */
  readonly refused = new Map<string, string>();

  constructor(attributes: JsonObject) {
    this.#attributes = attributes;
    const facts = conventions.map((): Facts => ({}));
    for (const name in attributes) {
      for (const { convention, rule, rest, fact } of findRules(name)) {
        if (fact === undefined) continue;
        const found = facts[convention] ?? {};
        const value = rule.read(attributes[name] ?? null, found, rest);
        if (value === undefined) {
          if (rule.expected !== undefined && attributes[name] !== null)
            this.refused.set(name, `is not ${rule.expected}, so it is only in the metadata`);
          continue;
        }
        // Safe cast: the rule returns the type of the fact.
        (found as Record<string, unknown>)[fact] ??= value;
        if (isPayload(fact)) this.#sources.push({ convention, fact, name });
      }
    }
    for (const [index, { complete }] of conventions.entries()) complete?.(facts[index] ?? {}, attributes);
    this.#facts = facts;
    for (const [index, found] of facts.entries()) {
      for (const name in found) if (found[name as FactName] !== undefined) this.#winners[name as FactName] ??= index;
    }
  }

  get<Name extends FactName>(fact: Name): Facts[Name] {
    const winner = this.#winners[fact];
    return winner === undefined ? undefined : this.#facts[winner]?.[fact];
  }

  /** Returns a payload as a field of the step, and removes its attributes from the metadata. */
  use(fact: keyof Payloads): JsonValue | undefined {
    const winner = this.#winners[fact];
    if (winner === undefined) return undefined;
    for (const source of this.#sources)
      if (source.convention === winner && source.fact === fact) this.#consumed.add(source.name);
    return this.#facts[winner]?.[fact];
  }

  /** Returns the attributes that are not used as a field of the step, in a new object. */
  metadata(): JsonObject {
    if (this.#consumed.size === 0) return { ...this.#attributes };
    return Object.fromEntries(Object.entries(this.#attributes).filter(([name]) => !this.#consumed.has(name)));
  }
}

/** Returns the names of all attributes with a rule. */
export function attributeNames(): string[] {
  return [...exact.keys()];
}

// Every attribute is read in one pass by all conventions that have a rule for it. One merge then decides, fact by
// fact, which convention wins.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { type FactName, type Facts, isPayload, type Payloads } from "./facts.ts";
import { genAi } from "./gen-ai.ts";
import { genAiBefore } from "./gen-ai-before.ts";
import { openinference } from "./openinference.ts";
import { openllmetry } from "./openllmetry.ts";
import { pydanticAi } from "./pydantic-ai.ts";
import type { Convention, Rule } from "./rule.ts";
import { vercelAi } from "./vercel-ai.ts";

/** In order of precedence. */
const conventions: readonly Convention[] = [openinference, pydanticAi, vercelAi, genAi, openllmetry, genAiBefore];

interface BoundRule {
  readonly convention: number;
  readonly rule: Rule;
  /** For a family's rule: the part of the attribute's name after the family's. */
  readonly rest: string;
}

const exact = new Map<string, BoundRule[]>();
const families = new Map<string, BoundRule[]>();
for (const [convention, { attributes, families: prefixes = {} }] of conventions.entries()) {
  const bind = (table: Map<string, BoundRule[]>, rules: Readonly<Record<string, Rule>>) => {
    for (const [name, rule] of Object.entries(rules))
      table.set(name, [...(table.get(name) ?? []), { convention, rule, rest: "" }]);
  };
  bind(exact, attributes);
  bind(families, prefixes);
}

const none: readonly BoundRule[] = [];
const cached = new Map<string, readonly BoundRule[]>();
const cachedMax = 10_000;
const cachedLengthMax = 200;

function findRules(name: string): readonly BoundRule[] {
  const before = cached.get(name);
  if (before !== undefined) return before;
  const rules = exact.get(name) ?? familyRules(name);
  // Limits for names that senders make up.
  if (name.length > cachedLengthMax) return rules;
  if (cached.size >= cachedMax) cached.clear();
  cached.set(name, rules);
  return rules;
}

/** Longer prefixes cannot be a family. */
const familyLengthMax = Math.max(...[...families.keys()].map(({ length }) => length));

function familyRules(name: string): readonly BoundRule[] {
  for (let dot = name.indexOf("."); dot !== -1 && dot <= familyLengthMax; dot = name.indexOf(".", dot + 1)) {
    const rules = families.get(name.slice(0, dot));
    if (rules !== undefined) return rules.map((rule) => ({ ...rule, rest: name.slice(dot + 1) }));
  }
  return none;
}

interface Source {
  readonly convention: number;
  readonly fact: FactName;
  readonly name: string;
}

/** Facts of a span's attributes, each from the convention that wins. */
export class Reading {
  readonly #attributes: JsonObject;
  readonly #facts: readonly Facts[];
  readonly #sources: Source[] = [];
  readonly #consumed = new Set<string>();

  constructor(attributes: JsonObject) {
    this.#attributes = attributes;
    const facts = conventions.map((): Facts => ({}));
    for (const name in attributes) {
      for (const { convention, rule, rest } of findRules(name)) {
        const { fact } = rule;
        const found = facts[convention] ?? {};
        const value = rule.read(attributes[name] ?? null, found, rest);
        if (value === undefined) continue;
        // The rule has the fact's type.
        (found as Record<string, unknown>)[fact] ??= value;
        if (isPayload(fact)) this.#sources.push({ convention, fact, name });
      }
    }
    for (const [index, { complete }] of conventions.entries()) complete?.(facts[index] ?? {}, attributes);
    this.#facts = facts;
  }

  get<Name extends FactName>(fact: Name): Facts[Name] {
    return this.#facts[this.#winner(fact)]?.[fact];
  }

  /** Uses a payload as a field of the step, and removes its attributes from the metadata. */
  use(fact: keyof Payloads): JsonValue | undefined {
    const winner = this.#winner(fact);
    for (const source of this.#sources)
      if (source.convention === winner && source.fact === fact) this.#consumed.add(source.name);
    return this.#facts[winner]?.[fact];
  }

  #winner(fact: FactName): number {
    // An explicit loop, because a request calls this a hundred thousand times.
    for (let index = 0; index < conventions.length; index++) if (this.#facts[index]?.[fact] !== undefined) return index;
    return -1;
  }

  /** Returns a new object with the attributes that are in no field of the step. */
  metadata(): JsonObject {
    if (this.#consumed.size === 0) return { ...this.#attributes };
    return Object.fromEntries(Object.entries(this.#attributes).filter(([name]) => !this.#consumed.has(name)));
  }
}

/** Returns the names of all attributes that have a rule. */
export function attributeNames(): string[] {
  return [...exact.keys()];
}

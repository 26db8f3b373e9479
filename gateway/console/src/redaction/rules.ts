// Draft of the redaction rules, in the order in which they are sent, because the API's issues refer to rules by index.

import type { Field } from "../edits/fields.ts";
import type { BuiltInPattern, IngestSettings, NewRedaction, Redaction } from "./redaction-requests.ts";

export interface RulesDraft {
  /** Named like the API's field, so that the paths of the API's issues are also paths of the draft's fields. */
  readonly redactions: readonly Rule[];
}

export interface Rule {
  readonly name: string;
  /** Built-in pattern of the rule. Null if the rule has a custom pattern. */
  readonly builtIn: BuiltInPattern | null;
  readonly pattern: string;
  /** Null to use the API's default. */
  readonly replacement: string | null;
  readonly enabled: boolean;
}

export const aboutBuiltIn: Readonly<Record<BuiltInPattern, { readonly label: string; readonly finds: string }>> = {
  EMAIL: { label: "E-mail addresses", finds: "ann@example.com, including international domains" },
  PHONE: {
    label: "Phone numbers",
    finds: "With + and country code, or North American with separators: +49 30 1234567, (212) 555-0123",
  },
  CREDIT_CARD: { label: "Card numbers", finds: "Checked by network range and checksum" },
  IBAN: { label: "IBANs", finds: "Bank account numbers, checked by country length and checksum" },
  IP_ADDRESS: { label: "IP addresses", finds: "IPv4 and IPv6" },
  API_KEY: {
    label: "API keys and tokens",
    finds: "Well-known prefixes (sk-, ghp_, AKIA, xoxb- and others), and JSON Web Tokens",
  },
};

const builtIns = Object.keys(aboutBuiltIn) as BuiltInPattern[];

export const defaultReplacement = (name: string) => `[redacted:${name}]`;

export const newRule: Rule = { name: "", builtIn: null, pattern: "", replacement: null, enabled: true };

export const toRule = ({ name, builtIn, pattern, replacement, enabled }: Redaction): Rule => ({
  name,
  builtIn,
  enabled,
  pattern: pattern ?? "",
  replacement: replacement === defaultReplacement(name) ? null : replacement,
});

/** Describes the rule in lines of text. */
const ruleText = ({ name, builtIn, pattern, replacement, enabled }: Rule) =>
  [
    builtIn === null ? `Pattern: ${pattern}` : `Finds: ${aboutBuiltIn[builtIn].label}`,
    `Replacement: ${replacement ?? defaultReplacement(name)}`,
    enabled ? "Enabled" : "Disabled",
  ].join("\n");

/** Converts a rule to the API's form. Omits values that are the API's defaults. */
export const toRedaction = ({ name, builtIn, pattern, replacement, enabled }: Rule): NewRedaction => ({
  ...(name !== "" && name !== builtIn && { name }),
  ...(builtIn === null ? { pattern } : { builtIn }),
  ...(replacement !== null && { replacement }),
  ...(!enabled && { enabled }),
});

interface BuiltInRow {
  readonly builtIn: BuiltInPattern;
  /** Index of the pattern's rule; -1 if it has none. */
  readonly index: number;
}

/** Returns a row for each rule of a built-in pattern, and a row for each built-in pattern without a rule. */
export const builtInRows = (rules: readonly Rule[]): BuiltInRow[] =>
  builtIns.flatMap((builtIn) => {
    const indexes = [...rules.keys()].filter((index) => rules[index]?.builtIn === builtIn);
    return (indexes.length === 0 ? [-1] : indexes).map((index) => ({ builtIn, index }));
  });

/** Turns a built-in pattern on or off. If its rule has its own name or replacement, it is disabled, not removed. */
export function toggleBuiltIn(rules: readonly Rule[], { builtIn, index }: BuiltInRow): Rule[] {
  const rule = rules[index];
  if (rule === undefined) return [...rules, { ...newRule, name: builtIn, builtIn }];
  const isPlain = rule.name === builtIn && rule.replacement === null;
  return rule.enabled && isPlain ? rules.toSpliced(index, 1) : rules.with(index, { ...rule, enabled: !rule.enabled });
}

export const toDraft = ({ data }: { readonly data: IngestSettings }): RulesDraft => ({
  redactions: data.redactions.map(toRule),
});

/** Returns fields that compare rules by name, because indexes change when a rule is added or removed. */
export const ruleFields = (drafts: readonly RulesDraft[]): Field<RulesDraft>[] => {
  const names = new Set(drafts.flatMap(({ redactions }) => redactions.map(({ name }) => name)));
  const named = (name: string) => (draft: RulesDraft) => draft.redactions.filter((rule) => rule.name === name);
  return [...names].map((name) => ({
    label: `Rule: ${name}`,
    value: named(name),
    text: (draft) => named(name)(draft).map(ruleText).join("\n\n"),
  }));
};

// Draft of the redaction rules, in the order in which they are sent: the API names an issue by the index of its rule.

import type { Field } from "../edits/fields.ts";
import type { BuiltInPattern, IngestSettings, NewRedaction, Redaction } from "./redaction-requests.ts";

export interface RulesDraft {
  /** As the API names them, so that its issues are at their fields. */
  readonly redactions: readonly Rule[];
}

export interface Rule {
  readonly name: string;
  /** Null of an own pattern. */
  readonly builtIn: BuiltInPattern | null;
  readonly pattern: string;
  /** Null of a rule that leaves it to the API. */
  readonly replacement: string | null;
  readonly enabled: boolean;
}

export const aboutBuiltIn: Readonly<Record<BuiltInPattern, { readonly label: string; readonly finds: string }>> = {
  EMAIL: { label: "E-mail addresses", finds: "ann@example.com, also of international domains" },
  PHONE: {
    label: "Phone numbers",
    finds: "With + and the country's code, and North American ones with separators: +49 30 1234567, (212) 555-0123",
  },
  CREDIT_CARD: { label: "Card numbers", finds: "By their network's range and the checksum" },
  IBAN: { label: "IBANs", finds: "Bank account numbers, by the country's length and the checksum" },
  IP_ADDRESS: { label: "IP addresses", finds: "Of IPv4 and IPv6" },
  API_KEY: {
    label: "API keys and tokens",
    finds: "Well-known beginnings (sk-, ghp_, AKIA, xoxb- and others), and JSON Web Tokens",
  },
};

const builtIns = Object.keys(aboutBuiltIn) as BuiltInPattern[];

export const defaultReplacement = (name: string) => `[redacted:${name}]`;

export const newRule: Rule = { name: "", builtIn: null, pattern: "", replacement: null, enabled: true };

export const ruleOf = ({ name, builtIn, pattern, replacement, enabled }: Redaction): Rule => ({
  name,
  builtIn,
  enabled,
  pattern: pattern ?? "",
  replacement: replacement === defaultReplacement(name) ? null : replacement,
});

/** Lines of text for people. */
const ruleText = ({ name, builtIn, pattern, replacement, enabled }: Rule) =>
  [
    builtIn === null ? `Pattern: ${pattern}` : `Finds: ${aboutBuiltIn[builtIn].label}`,
    `Replacement: ${replacement ?? defaultReplacement(name)}`,
    enabled ? "Enabled" : "Disabled",
  ].join("\n");

/** Leaves out the defaults of the API. */
export const redactionOf = ({ name, builtIn, pattern, replacement, enabled }: Rule): NewRedaction => ({
  ...(name !== "" && name !== builtIn && { name }),
  ...(builtIn === null ? { pattern } : { builtIn }),
  ...(replacement !== null && { replacement }),
  ...(!enabled && { enabled }),
});

interface BuiltInRow {
  readonly builtIn: BuiltInPattern;
  /** Of its rule; -1 while it has none. */
  readonly index: number;
}

/** Each built-in pattern, as often as there are rules of it, but once at least. */
export const builtInRows = (rules: readonly Rule[]): BuiltInRow[] =>
  builtIns.flatMap((builtIn) => {
    const indexes = [...rules.keys()].filter((index) => rules[index]?.builtIn === builtIn);
    return (indexes.length === 0 ? [-1] : indexes).map((index) => ({ builtIn, index }));
  });

/** Switched on or off: a rule stays for what would be lost with it, its name or replacement. */
export function toggleBuiltIn(rules: readonly Rule[], { builtIn, index }: BuiltInRow): Rule[] {
  const rule = rules[index];
  if (rule === undefined) return [...rules, { ...newRule, name: builtIn, builtIn }];
  const isPlain = rule.name === builtIn && rule.replacement === null;
  return rule.enabled && isPlain ? rules.toSpliced(index, 1) : rules.with(index, { ...rule, enabled: !rule.enabled });
}

export const draftOf = ({ data }: { readonly data: IngestSettings }): RulesDraft => ({
  redactions: data.redactions.map(ruleOf),
});

/** Compares rules by name: their indexes change when a rule is added or removed. */
export const ruleFields = (drafts: readonly RulesDraft[]): Field<RulesDraft>[] => {
  const names = new Set(drafts.flatMap(({ redactions }) => redactions.map(({ name }) => name)));
  const named = (name: string) => (draft: RulesDraft) => draft.redactions.filter((rule) => rule.name === name);
  return [...names].map((name) => ({
    label: `Rule: ${name}`,
    value: named(name),
    text: (draft) => named(name)(draft).map(ruleText).join("\n\n"),
  }));
};

export { patternFault } from "./own-pattern.ts";
export { type RedactedKind, type Redaction, Redactor, redactedWhole } from "./redaction.ts";
export { RedactorCache, type StoredRules } from "./redactor-cache.ts";
export { type BuiltInName, defaultReplacement, type RedactionRule } from "./rule.ts";

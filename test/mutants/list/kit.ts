import type { Rule } from "./rule.ts";

export const kit: readonly Rule[] = [];

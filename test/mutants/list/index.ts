import { read } from "../../house/sources.ts";
import type { Mutation } from "../mutation.ts";
import { kit } from "./kit.ts";
import type { Rule } from "./rule.ts";
import { services } from "./services.ts";

export const rules: readonly Rule[] = [...kit, ...services];

/** Returns the mutation of a rule; throws unless its text occurs exactly once in the file. */
export function getMutation({ file, before, after, breaks, tests, reason }: Rule): Mutation {
  const source = read(file);
  const start = source.indexOf(before);
  if (start < 0 || source.includes(before, start + 1)) {
    const found = start < 0 ? "is not found" : "is found more than once";
    throw new Error(`test/mutants/list: a rule's text ${found} in ${file}; adapt it to the code of today: ${before}`);
  }
  return { file, start, end: start + before.length, replacement: after, label: breaks, tests, reason };
}

import { builtIns } from "./built-in/index.ts";

export { builtIns };

export type BuiltInName = keyof typeof builtIns;

/** What is replaced, and by what: a built-in pattern, or one of the application's own in RE2's syntax. */
export interface RedactionRule {
  readonly replacement: string;
  readonly builtIn?: BuiltInName | undefined;
  readonly pattern?: string | undefined;
}

/** The replacement of a rule that names none. */
export function defaultReplacement(name: string): string {
  return `[redacted:${name}]`;
}

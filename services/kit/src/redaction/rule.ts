import { builtIns } from "./built-in/index.ts";

export { builtIns };

export type BuiltInName = keyof typeof builtIns;

/** Pattern and replacement: a built-in pattern, or one of the application's in RE2's syntax. */
export interface RedactionRule {
  readonly replacement: string;
  readonly builtIn?: BuiltInName | undefined;
  readonly pattern?: string | undefined;
}

/** Default replacement of a rule. */
export function defaultReplacement(name: string): string {
  return `[redacted:${name}]`;
}

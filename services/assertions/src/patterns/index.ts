export { checkPattern, findAsciiClasses, type Pattern, type PatternCheck, type PatternFault } from "./compile.ts";
export { type Extracted, extractFolded } from "./extract-texts.ts";
export type { Extract } from "./matches.ts";

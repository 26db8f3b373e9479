// Makes text safe for a terminal. Stored texts, such as titles, must not move the cursor, fake lines or reorder text.

/** Matches control characters (C0 except tab and line feed, DEL, C1), Unicode line separators and bidi overrides. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern finds them
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;
/** Matches white space, and characters that some terminals treat as line breaks. */
const breaks = /(?:\r\n|[\t-\r\u0085\u2028\u2029])+/g;

/** Escapes control characters as \\uXXXX. JSON remains valid and keeps its value. */
export function escapeControls(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(controls, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Escapes text and replaces its line breaks, for stored texts within a line of output. */
export function oneLine(text: string): string {
  return escapeControls(text.replaceAll(breaks, " "));
}

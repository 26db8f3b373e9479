// What the terminal is shown. Text that others wrote, such as titles, must not move its cursor, hide or forge lines, or say
// something else than is read.

/**
 * Characters that a terminal acts on: controls (C0 without tab and line feed, DEL, C1), which begin escape sequences; separators
 * that some take for line breaks; and what turns the direction of the text that follows.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;
/** White space, and what some terminals take for a line break. */
const breaks = /(?:\r\n|[\t-\r\u0085\u2028\u2029])+/g;

/** Text of any number of lines in which nothing acts on a terminal. JSON stays JSON of the same value. */
export function harmless(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(acting, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The same in one line: text that others wrote, within a line of ours. */
export function oneLine(text: string): string {
  return harmless(text.replaceAll(breaks, " "));
}

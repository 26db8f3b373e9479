// Colours of results, on a terminal alone: not with NO_COLOR, nor in a file or a pipe.

import { styleText } from "node:util";

const colors = {
  green: /^(ok|done|Delivered)\b/gm,
  yellow: /^(warning|pending|unknown)\b/gm,
  red: /^(failure|FAILED|failed|Failed)\b/gm,
};

/** `text` as `stream` shows it: the word that a line begins with is coloured if it is an outcome. */
export function painted(text: string, stream: NodeJS.WritableStream): string {
  return Object.entries(colors).reduce(
    (all, [color, words]) => all.replaceAll(words, (word) => styleText(color as keyof typeof colors, word, { stream })),
    text,
  );
}

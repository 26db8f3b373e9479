// Colors results on a terminal. Output has no colors with NO_COLOR, in a file or in a pipe.

import { styleText } from "node:util";

const colors = {
  green: /^(ok|done|Delivered)\b/gm,
  yellow: /^(warning|pending|unknown)\b/gm,
  red: /^(failure|FAILED|failed|Failed)\b/gm,
};

/** Colors the first word of each line of `text` if it is an outcome and `stream` is a terminal. */
export function painted(text: string, stream: NodeJS.WritableStream): string {
  return Object.entries(colors).reduce(
    (all, [color, words]) => all.replaceAll(words, (word) => styleText(color as keyof typeof colors, word, { stream })),
    text,
  );
}

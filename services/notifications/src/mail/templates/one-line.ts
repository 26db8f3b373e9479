const lengthMax = 150;
// First line breaks and control characters, then invisible and bidirectional-control characters.
const breaks = /[\p{Cc}\p{Zl}\p{Zp}]/gu;
const invisible = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Converts untrusted text to part of one line, with at most 150 characters. */
export function oneLine(text: string): string {
  const characters = [...text.replace(breaks, " ").replace(invisible, "").replace(/\s+/g, " ").trim()];
  return characters.length <= lengthMax ? characters.join("") : `${characters.slice(0, lengthMax - 1).join("")}…`;
}

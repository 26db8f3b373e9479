const lengthMax = 150;
// What would begin a line or hide, and what turns the direction of the text around it.
const breaks = /[\p{Cc}\p{Zl}\p{Zp}]/gu;
const invisible = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Text of somebody as part of one line: in a subject, or where the lines of a mail are ours. At most 150 characters. */
export function oneLine(text: string): string {
  const characters = [...text.replace(breaks, " ").replace(invisible, "").replace(/\s+/g, " ").trim()];
  return characters.length <= lengthMax ? characters.join("") : `${characters.slice(0, lengthMax - 1).join("")}…`;
}

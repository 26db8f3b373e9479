// Splits a text into chunks by its Markdown headings and paragraphs. `document_version.chunk_count` stores their
// number: after a change of this algorithm, a migration must count the chunks again.

import { chunkLengthMax } from "@ems/proto/limits";

export interface Chunk {
  /** Heading of the section that contains the chunk. */
  readonly title: string;
  readonly content: string;
}

const headingStart = /^ {0,3}#{1,6}[ \t]+/;
const fence = /^ {0,3}(```|~~~)/;

/** Returns at least one chunk. Together, the chunks contain the whole text except white space at their edges. */
export function splitChunks({ title, content }: { readonly title: string; readonly content: string }): Chunk[] {
  const chunks = splitSections(title, content).flatMap((section) =>
    packed(splitParagraphs(section.content)).map((text) => ({ title: section.title, content: text })),
  );
  return chunks.length > 0 ? chunks : [{ title, content: "" }];
}

/** Splits at headings; the text before the first heading is a section too. A `#` in a code fence is not a heading. */
function splitSections(title: string, content: string): Chunk[] {
  const sections: { title: string; lines: string[] }[] = [{ title, lines: [] }];
  let openFence: string | undefined;
  for (const line of content.split(/\r\n|[\r\n]/)) {
    const marker = fence.exec(line)?.[1];
    if (marker !== undefined && (openFence === undefined || openFence === marker)) {
      openFence = openFence === undefined ? marker : undefined;
    }
    const name = openFence === undefined && line.length <= 1000 ? readHeading(line) : undefined;
    if (name === undefined) sections.at(-1)?.lines.push(line);
    else sections.push({ title: name, lines: [line] });
  }
  return sections.map(({ title: own, lines }) => ({ title: own, content: lines.join("\n") }));
}

/**
 * Returns the heading's text without closing `#` signs; undefined for other lines. Not one regular expression, because
 * that would take cubic time.
 */
function readHeading(line: string): string | undefined {
  const start = headingStart.exec(line)?.[0].length;
  if (start === undefined || /[\u2028\u2029]/.test(line)) return undefined;
  const text = line.slice(start);
  const end = endWithout(blanks, text, endWithout("#", text, endWithout(blanks, text, text.length)));
  if (end > 0) return text.slice(0, end);
  if (text !== "") return text.slice(0, 1);
  // The text of a heading with only blanks is the last blank.
  return /[ \t]{2}$/.test(line) ? line.slice(-1) : undefined;
}

const blanks = " \t";

/** Returns the end of the text without the trailing `characters`; looks back from `end`. */
function endWithout(characters: string, text: string, end: number): number {
  let at = end;
  while (at > 0 && characters.includes(text.charAt(at - 1))) at--;
  return at;
}

function splitParagraphs(text: string): string[] {
  return text
    .split(/\n(?:[ \t]*\n)+/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== "");
}

/** Joins paragraphs into as few chunks as possible. */
function packed(paragraphs: readonly string[]): string[] {
  const chunks: string[] = [];
  let current = "";
  for (const part of paragraphs.flatMap(divided)) {
    const joined = current === "" ? part : `${current}\n\n${part}`;
    if (joined.length > chunkLengthMax && current !== "") chunks.push(current);
    current = joined.length > chunkLengthMax ? part : joined;
  }
  return current === "" ? chunks : [...chunks, current];
}

/** Splits a paragraph into parts that fit: at line breaks, else sentences, else words, else between two characters. */
function divided(paragraph: string): string[] {
  const parts: string[] = [];
  let from = 0;
  while (paragraph.length - from > chunkLengthMax) {
    const end = from + endOfPart(paragraph.slice(from, from + chunkLengthMax));
    parts.push(paragraph.slice(from, end).trim());
    from = end;
  }
  return [...parts, paragraph.slice(from).trim()].filter((part) => part !== "");
}

/** Returns the end of the next part, which is never in the first half, because parts would become small. */
function endOfPart(text: string): number {
  const half = text.length / 2;
  const line = text.lastIndexOf("\n") + 1;
  if (line > half) return line;
  const sentence = Math.max(...[". ", "! ", "? "].map((end) => text.lastIndexOf(end))) + 2;
  if (sentence > half) return sentence;
  const word = text.lastIndexOf(" ") + 1;
  if (word > half) return word;
  const isHighSurrogate = /[\ud800-\udbff]$/.test(text);
  return isHighSurrogate ? text.length - 1 : text.length;
}

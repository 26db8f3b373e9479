// Formats tables and documents as Markdown.

import type { DocxBlock } from "@ems/kit/readers";
import { answerBytesMax, sizeText } from "@ems/proto/limits";
import { Refusal } from "./refusal.ts";

/** Formats rows as a Markdown table with the first row as its header; empty if there are no cells. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const filled = rows.filter((row) => row.some((cell) => cell.trim() !== ""));
  const columns = filled.reduce((widest, row) => Math.max(widest, row.length), 0);
  // Shorter rows are padded: next to one long row, each missing cell takes three characters.
  if (columns * filled.length * 3 > answerBytesMax) throw tooLong();
  const lines = filled.map((row) => line(Array.from({ length: columns }, (_, at) => row[at] ?? "")));
  const [header, ...body] = lines;
  if (header === undefined) return "";
  return [header, line(Array.from({ length: columns }, () => "---")), ...body].join("\n");
}

export function markdownDocument(blocks: readonly DocxBlock[]): string {
  let text = "";
  for (const [at, block] of blocks.entries()) {
    const before = blocks[at - 1];
    const isSameList = block.kind === "item" && before?.kind === "item";
    text += `${text === "" ? "" : isSameList ? "\n" : "\n\n"}${markdownBlock(block)}`;
  }
  return text;
}

function markdownBlock(block: DocxBlock): string {
  switch (block.kind) {
    case "heading":
      return `${"#".repeat(block.level)} ${oneLine(block.text)}`;
    case "item":
      return `${"  ".repeat(Math.min(block.level, 8))}${block.isOrdered ? "1." : "-"} ${oneLine(block.text)}`;
    case "table":
      return markdownTable(block.rows);
    case "paragraph":
      return block.text;
  }
}

function tooLong(): Refusal {
  return new Refusal(`The table has more than ${sizeText(answerBytesMax)} of text`, { isTooLarge: true });
}

function line(cells: readonly string[]): string {
  return `| ${cells.map(escaped).join(" | ")} |`;
}

/** Trims each line. One regular expression would take quadratic time on long runs of spaces. */
function trimmedLines(text: string): string[] {
  return text.split(/[\r\n]+/).flatMap((each) => each.trim() || []);
}

function oneLine(text: string): string {
  return trimmedLines(text).join(" ");
}

/** Puts the text of a cell on one line and escapes its vertical bars. */
function escaped(cell: string): string {
  return trimmedLines(cell.replaceAll("\\", "\\\\").replaceAll("|", "\\|")).join("<br>");
}

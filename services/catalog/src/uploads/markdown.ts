// Tables and documents as Markdown.

import type { DocxBlock } from "@ems/kit/readers";
import { answerBytesMax, sizeText } from "@ems/proto/limits";
import { Refusal } from "./refusal.ts";

/** Rows as a Markdown table, whose header is the first row; empty without cells. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const filled = rows.filter((row) => row.some((cell) => cell.trim() !== ""));
  const columns = filled.reduce((widest, row) => Math.max(widest, row.length), 0);
  // A row of many cells among short ones: each cell that is missing takes three characters.
  if (columns * filled.length * 3 > answerBytesMax) throw tooLong();
  const lines = filled.map((row) => line(Array.from({ length: columns }, (_, at) => row[at] ?? "")));
  const [header, ...others] = lines;
  if (header === undefined) return "";
  return [header, line(Array.from({ length: columns }, () => "---")), ...others].join("\n");
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

/** Lines without the space around them. An expression for both would take the square of a run of spaces. */
function trimmedLines(text: string): string[] {
  return text.split(/[\r\n]+/).flatMap((each) => each.trim() || []);
}

function oneLine(text: string): string {
  return trimmedLines(text).join(" ");
}

/** A cell is on one line, and its own bars are no separators. */
function escaped(cell: string): string {
  return trimmedLines(cell.replaceAll("\\", "\\\\").replaceAll("|", "\\|")).join("<br>");
}

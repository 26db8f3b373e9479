import { cellsMax } from "./limits.ts";
import { Refusal } from "./refusal.ts";

/** Rows as a Markdown table, whose header is the first row; empty without cells. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const filled = rows.filter((row) => row.some((cell) => cell.trim() !== ""));
  const columns = filled.reduce((widest, row) => Math.max(widest, row.length), 0);
  if (columns * filled.length > cellsMax) throw tooManyCells();
  const lines = filled.map((row) => lineOf(Array.from({ length: columns }, (_, at) => row[at] ?? "")));
  const [header, ...others] = lines;
  if (header === undefined) return "";
  return [header, lineOf(Array.from({ length: columns }, () => "---")), ...others].join("\n");
}

export function tooManyCells(): Refusal {
  return new Refusal(`A table has at most ${cellsMax.toLocaleString("en")} cells`, { isTooLarge: true });
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.map(escaped).join(" | ")} |`;
}

/** A cell is on one line, and its own bars are no separators. */
function escaped(cell: string): string {
  return cell
    .trim()
    .replaceAll("\\", "\\\\")
    .replaceAll("|", "\\|")
    .replaceAll(/\s*[\r\n]+\s*/g, "<br>");
}

// Copies cells of tables as a spreadsheet expects them: one cell each, and numbers with the minus sign of a keyboard.

const minus = /\u2212/g;

/** Returns the text of a cell on one line. */
export const toCellText = (text: string): string => text.replace(minus, "-").replace(/\s+/g, " ").trim();

export const toLines = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => cells.map(toCellText).join("\t")).join("\n");

/** Returns the texts of a table's displayed cells that `isCopied`, by row. Cells over several columns are followed by empty ones. */
function readRows(table: HTMLTableElement, isCopied: (cell: Node) => boolean): string[][] {
  const rows = [...table.rows].map((row) =>
    [...row.cells]
      .filter((cell) => cell.offsetParent !== null && isCopied(cell))
      .flatMap((cell) => [cell.textContent, ...Array.from({ length: cell.colSpan - 1 }, () => "")]),
  );
  return rows.filter((cells) => cells.length > 0);
}

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const escapeText = (text: string) => text.replace(/[&<>]/g, (character) => escapes[character] ?? "");

const toHtml = (rows: readonly (readonly string[])[]) =>
  `<table>${rows
    .map((cells) => `<tr>${cells.map((cell) => `<td>${escapeText(toCellText(cell))}</td>`).join("")}</tr>`)
    .join("")}</table>`;

/** Copies a whole table. */
export async function copyTable(table: HTMLTableElement): Promise<void> {
  await navigator.clipboard.writeText(toLines(readRows(table, () => true)));
}

/** Starts to handle copied selections that have several cells of one table. */
export function watchCopies(): void {
  document.addEventListener("copy", (event) => {
    const selection = document.getSelection();
    if (selection === null || selection.rangeCount === 0 || event.clipboardData === null) return;
    const { commonAncestorContainer: common } = selection.getRangeAt(0);
    const element = common instanceof Element ? common : common.parentElement;
    const table = element?.closest("table") ?? element?.querySelector("table");
    if (!(table instanceof HTMLTableElement) || element?.closest("td, th, input, textarea") != null) return;
    // Leave selections alone that are more than one table.
    if (!element?.closest("table") && element?.querySelectorAll("table").length !== 1) return;
    const rows = readRows(table, (cell) => selection.containsNode(cell, true));
    if (rows.length === 0) return;
    event.clipboardData.setData("text/plain", toLines(rows));
    event.clipboardData.setData("text/html", toHtml(rows));
    event.preventDefault();
  });
}

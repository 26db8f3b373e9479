/** Returns a Markdown table formatted like the repository's formatter: columns as wide as their widest cell. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((head, column) =>
    Math.max(...[head, ...rows.map((row) => row[column] ?? "")].map(({ length }) => length)),
  );
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
  const padded = (row: readonly string[]) => line(widths.map((width, column) => (row[column] ?? "").padEnd(width)));
  return [padded(heads), line(widths.map((width) => "-".repeat(width))), ...rows.map(padded)].join("");
}

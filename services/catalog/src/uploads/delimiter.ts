const delimiters = [",", ";", "\t"];

/** What separates the cells of CSV: the delimiter that the first line has most of. */
export function delimiterOf(text: string): string {
  const [firstLine = ""] = text.split("\n", 1);
  const counts = delimiters.map((delimiter) => firstLine.split(delimiter).length);
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ",";
}

export interface Named {
  readonly id: string;
  readonly title: string;
}

/** Returns the rows in the response for an older text that also match the newer text. */
export function stillMatching(rows: readonly Named[], text: string): readonly Named[] {
  const sought = text.toLowerCase();
  return rows.filter(({ title }) => title.toLowerCase().includes(sought));
}

export interface Named {
  readonly id: string;
  readonly title: string;
}

/** The rows of an older answer that a newer text would find as well. */
export function stillMatching(rows: readonly Named[], text: string): readonly Named[] {
  const sought = text.toLowerCase();
  return rows.filter(({ title }) => title.toLowerCase().includes(sought));
}

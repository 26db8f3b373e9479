/** Formats migrations that ran (each `schema: name`): as names, or as counts per schema if more than six ran. */
export function migratedText(ran: readonly string[]): string {
  if (ran.length <= 6) return `Migrated: ${ran.join(", ")}.`;
  const counts = Map.groupBy(ran, (migration) => migration.split(":")[0]);
  const parts = [...counts].map(([schema, { length }]) => `${schema} ${length}`);
  return `Migrated: ${ran.length} (${parts.join(", ")}); migrate status lists them.`;
}

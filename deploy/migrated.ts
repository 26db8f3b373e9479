/** Formats the migrations that ran (`schema: name` each): their names, or their number per schema if there are more than six. */
export function migratedText(ran: readonly string[]): string {
  if (ran.length <= 6) return `Migrated: ${ran.join(", ")}.`;
  const counts = Map.groupBy(ran, (migration) => migration.split(":")[0]);
  const parts = [...counts].map(([schema, { length }]) => `${schema} ${length}`);
  return `Migrated: ${ran.length} (${parts.join(", ")}); migrate status lists them.`;
}

/** Which migrations ran, of `schema: name` each: by name, or how many of each schema where they are many. */
export function migratedText(ran: readonly string[]): string {
  if (ran.length <= 6) return `Migrated: ${ran.join(", ")}.`;
  const counts = Map.groupBy(ran, (one) => one.split(":")[0]);
  const parts = [...counts].map(([schema, { length }]) => `${schema} ${length}`);
  return `Migrated: ${ran.length} (${parts.join(", ")}); migrate status lists them.`;
}

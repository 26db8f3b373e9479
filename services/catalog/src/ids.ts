/** Each of the ids once, as it is stored: the same id in capitals is the same id. */
export function distinctIds(ids: readonly string[]): string[] {
  return [...new Set(ids.map((id) => id.toLowerCase()))];
}

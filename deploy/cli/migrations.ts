// How far the schemas of a database are.

import { migrationStatus } from "@ems/kit/db/migrate";
import { schemas } from "../schemas.ts";

export interface SchemaState {
  readonly schema: string;
  readonly applied: number;
  /** Migrations that `migrate` would run, in their order. */
  readonly pending: readonly string[];
  /** Migrations of a newer product, which this one does not know. */
  readonly unknown: readonly string[];
}

/** The state of every schema, read as the owner; changes nothing. */
export async function schemaStates(ownerUrl: string): Promise<SchemaState[]> {
  const found = await migrationStatus(ownerUrl, schemas);
  return schemas.map(({ name }) => {
    const own = found.filter(({ schema }) => schema === name);
    const those = (wanted: string) => own.filter(({ state }) => state === wanted).map((one) => one.name);
    const unknown = those("unknown");
    return { schema: name, applied: those("done").length + unknown.length, pending: those("pending"), unknown };
  });
}

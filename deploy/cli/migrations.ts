// Applied and pending migrations of each schema.

import { schemas } from "@ems/deploy/schemas";
import { migrationStatus } from "@ems/kit/db/migrate";

export interface SchemaState {
  readonly schema: string;
  readonly applied: number;
  /** Pending migrations, in order. */
  readonly pending: readonly string[];
  /** Applied migrations that this version does not have. */
  readonly unknown: readonly string[];
}

/** The state of every schema, read as the owner role. */
export async function schemaStates(ownerUrl: string): Promise<SchemaState[]> {
  const found = await migrationStatus(ownerUrl, schemas);
  return schemas.map(({ name }) => {
    const own = found.filter(({ schema }) => schema === name);
    const namesOf = (expected: string) => own.filter(({ state }) => state === expected).map((one) => one.name);
    const unknown = namesOf("unknown");
    return { schema: name, applied: namesOf("done").length + unknown.length, pending: namesOf("pending"), unknown };
  });
}

// Lists the applied and the pending migrations of each schema.

import { schemas } from "@ems/deploy/schemas";
import { migrationStatus } from "@ems/kit/db/migrate";

export interface SchemaState {
  readonly schema: string;
  readonly applied: number;
  /** Pending migrations, in order. */
  readonly pending: readonly string[];
  /** Migrations that a newer version applied and this version does not know. */
  readonly unknown: readonly string[];
}

/** Returns the state of every schema, read as the owner role. */
export async function schemaStates(ownerUrl: string): Promise<SchemaState[]> {
  const found = await migrationStatus(ownerUrl, schemas);
  return schemas.map(({ name }) => {
    const own = found.filter(({ schema }) => schema === name);
    const listNames = (expected: string) =>
      own.filter(({ state }) => state === expected).map((migration) => migration.name);
    const unknown = listNames("unknown");
    return { schema: name, applied: listNames("done").length + unknown.length, pending: listNames("pending"), unknown };
  });
}

/** Lists every migration in readable form: a title such as `Create topics`, and the day from its name. */
export async function migrationList(ownerUrl: string) {
  const found = await migrationStatus(ownerUrl, schemas);
  return found.map(({ schema, name, state }) => {
    const [, words = name, time] = /^(.*?)(\d{13})$/.exec(name) ?? [];
    const title = words.replaceAll(/(?<=.)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    const day = time === undefined ? "" : new Date(Number(time)).toISOString().slice(0, 10);
    return { state, schema, title, day, name };
  });
}

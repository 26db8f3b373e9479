// `ems keys`: creates, lists and deletes the application's API keys.

import { type Command, InvalidArgumentError } from "commander";
import type { ApiClient, Json } from "../api.ts";
import { apiClient, type Cli, isJson, printResult, repeatable } from "../cli.ts";
import { exits, Failure, usage } from "../failure.ts";
import { table } from "../table.ts";

interface NewKey {
  readonly scope?: readonly string[];
  readonly expires?: Date;
}

const dayMs = 86_400_000;

/** Number of leading characters of a key that lists show. */
const prefixLength = 8;

export function addKeys(program: Command, cli: Cli): void {
  const keys = program.command("keys").description("API keys of the application");
  keys
    .command("list")
    .description("list keys by prefix, oldest first; whole keys are never printed")
    .action(async (_options: object, command: Command) => {
      const listed = await listKeys(apiClient(cli, command));
      if (isJson(command)) for (const key of listed) cli.out(JSON.stringify(key));
      else cli.out(listed.length === 0 ? "No keys." : keyTable(listed));
    });
  keys
    .command("create <name>")
    .description("create a key and print it; it is not printed again")
    .option("--scope <scope>", "scope such as read or otlp:write; repeatable; default all scopes", repeatable)
    .option("--expires <time>", "expiry: a date, a time, or days such as 90d; default none", parseExpiry)
    .action(async (name: string, { scope: scopes, expires }: NewKey, command: Command) => {
      const body = { name, ...(scopes && { scopes }), ...(expires && { expiresAt: expires.toISOString() }) };
      const { data } = await apiClient(cli, command).post("/v0/api-keys", body);
      printResult(cli, command, data, () => `Key id    ${data.id}\nAPI key   ${data.key}`);
    });
  keys
    .command("delete <key>")
    .description("delete a key, by its id, name or first eight characters; it is rejected within seconds")
    .action(async (named: string, _options: object, command: Command) => {
      const api = apiClient(cli, command);
      const { id, name, prefix } = await findKey(api, named);
      await api.delete(`/v0/api-keys/${encodeURIComponent(id)}`);
      printResult(cli, command, { id, deleted: true }, () => `Deleted ${id} (${name}, ${prefix}…).`);
    });
}

async function listKeys(api: ApiClient): Promise<Json[]> {
  const keys: Json[] = [];
  for await (const key of api.list("/v0/api-keys")) keys.push(key);
  return keys;
}

function keyTable(keys: readonly Json[]): string {
  const rows = keys.map(({ id, prefix, name, createdAt, lastUsedAt, expiresAt, scopes }) => [
    id,
    `${prefix}…`,
    name,
    createdAt,
    lastUsedAt,
    expiresAt,
    scopes.length === 0 ? "everything" : scopes.join(", "),
  ]);
  return table(["Id", "Begins with", "Name", "Created", "Last used", "Expires", "May do"], rows);
}

/** Parses a time, a number of days such as 90d, or a date, which means 00:00 UTC on that day. */
function parseExpiry(text: string): Date {
  const days = /^(\d{1,4})d$/.exec(text)?.[1];
  const end = days === undefined ? new Date(text) : new Date(Date.now() + Number(days) * dayMs);
  if (Number.isNaN(end.getTime()))
    throw new InvalidArgumentError("Must be a date, a time, or a number of days such as 90d.");
  return end;
}

/** Returns the key with the given id, else the only key with the given name or prefix. */
async function findKey(api: ApiClient, named: string): Promise<Json> {
  if (named.startsWith("ems_") && named.length > prefixLength)
    throw usage(`Name the key by its id, its name or its first ${prefixLength} characters, not by the whole key.`);
  const keys = await listKeys(api);
  const found = keys.filter(({ id }) => id === named.toLowerCase());
  if (found.length === 0) found.push(...keys.filter(({ name, prefix }) => name === named || prefix === named));
  const [key, ...duplicates] = found;
  if (key === undefined)
    throw new Failure(
      `No key of this application has the id, name or prefix ${JSON.stringify(named)}.`,
      exits.notFound,
    );
  if (duplicates.length > 0)
    throw usage(`${found.length} keys are named ${JSON.stringify(named)}; name one by its id:\n${keyTable(found)}`);
  return key;
}

// `ems keys`: API keys of the application. The API lists none: a key's id is told when it is created.

import type { Command } from "commander";
import { answer, apiOf, type Cli } from "../cli.ts";

export function addKeys(program: Command, cli: Cli): void {
  const keys = program.command("keys").description("API keys of the application");
  keys
    .command("create <name>")
    .description("create a key; it is shown this once")
    .action(async (name: string, _options: object, command: Command) => {
      const { data } = await apiOf(cli, command).post("/v0/api-keys", { name });
      answer(cli, command, data, () => `Key id    ${data.id}\nAPI key   ${data.key}`);
    });
  keys
    .command("delete <id>")
    .description("delete a key: within seconds nobody can use it any more")
    .action(async (id: string, _options: object, command: Command) => {
      await apiOf(cli, command).delete(`/v0/api-keys/${encodeURIComponent(id)}`);
      answer(cli, command, { id, deleted: true }, () => `Deleted ${id}.`);
    });
}

// `ems keys`: API keys of the application. The API does not list them: note the id that `create` prints.

import type { Command } from "commander";
import { apiClient, type Cli, printResult } from "../cli.ts";

export function addKeys(program: Command, cli: Cli): void {
  const keys = program.command("keys").description("API keys of the application");
  keys
    .command("create <name>")
    .description("create a key, which is shown only once")
    .action(async (name: string, _options: object, command: Command) => {
      const { data } = await apiClient(cli, command).post("/v0/api-keys", { name });
      printResult(cli, command, data, () => `Key id    ${data.id}\nAPI key   ${data.key}`);
    });
  keys
    .command("delete <id>")
    .description("delete a key; it is rejected within seconds")
    .action(async (id: string, _options: object, command: Command) => {
      await apiClient(cli, command).delete(`/v0/api-keys/${encodeURIComponent(id)}`);
      printResult(cli, command, { id, deleted: true }, () => `Deleted ${id}.`);
    });
}

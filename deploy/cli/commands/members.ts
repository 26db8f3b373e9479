// `ems members`: manages the people who may sign in to the console for the application.

import { Argument, type Command, Option } from "commander";
import { apiClient, type Cli, isJson, printResult } from "../cli.ts";
import { table } from "../table.ts";

const roles = ["owner", "editor", "reviewer", "viewer"];

export function addMembers(program: Command, cli: Cli): void {
  const members = program.command("members").description("people who sign in to the console, and their roles");
  members
    .command("list")
    .description("list members, then open invitations")
    .action(async (_options: object, command: Command) => {
      const api = apiClient(cli, command);
      const rows = [];
      for await (const member of api.list("/v0/members")) rows.push({ ...member, state: "member" });
      for await (const invitation of api.list("/v0/invitations")) rows.push({ ...invitation, state: "invited" });
      if (isJson(command)) {
        for (const row of rows) cli.out(JSON.stringify(row));
        return;
      }
      const cells = rows.map(({ id, name, email, role, state, createdAt }) => [
        id,
        name,
        email,
        role,
        state,
        createdAt,
      ]);
      const columns = ["Id", "Name", "E-mail", "Role", "State", "Since"];
      cli.out(rows.length === 0 ? "No members." : table(columns, cells));
    });
  members
    .command("invite <email>")
    .description("invite a person, who becomes a member by signing in with the verified address within 7 days")
    .addOption(new Option("--role <role>", "role of the member").choices(roles).default("viewer"))
    .action(async (email: string, { role }: { role: string }, command: Command) => {
      const { data } = await apiClient(cli, command).post("/v0/invitations", { email, role: role.toUpperCase() });
      const text = () =>
        `Invited ${data.email} as ${role} until ${data.expiresAt}. They sign in at the console's address.`;
      printResult(cli, command, data, text);
    });
  members
    .command("role <id>")
    .description("change a member's role")
    .addArgument(new Argument("<role>", "new role of the member").choices(roles))
    .action(async (id: string, role: string, _options: object, command: Command) => {
      const path = `/v0/members/${encodeURIComponent(id)}`;
      const { data } = await apiClient(cli, command).put(path, { role: role.toUpperCase() });
      printResult(cli, command, data, () => `${data.name} is ${role}.`);
    });
  members
    .command("remove <id>")
    .description("remove a member; their sessions end within seconds")
    .action(async (id: string, _options: object, command: Command) => {
      await apiClient(cli, command).delete(`/v0/members/${encodeURIComponent(id)}`);
      printResult(cli, command, { id, removed: true }, () => `Removed ${id}.`);
    });
}

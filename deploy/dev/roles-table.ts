// Documentation table of what each member role may read and change, computed by the gateway's own permission check.

import { table } from "@ems/deploy/markdown-table";
import { everyScope, roleName, rolesByRank } from "@ems/gateway/auth/roles";
import { rolesWith } from "@ems/gateway/auth/scopes";

export function rolesTable(): string {
  const rows = rolesByRank.map((role) => {
    const name = roleName(role);
    return [name.toLowerCase(), listGroups(name, "read"), listGroups(name, "write")];
  });
  return table(["Role", "Reads", "Changes"], rows);
}

/** Lists the role's scopes. If fewer scopes are missing, lists these after "everything but" instead. */
function listGroups(role: string, kind: "read" | "write"): string {
  const all = everyScope.filter((scope) => scope.endsWith(`:${kind}`));
  const [has, lacks] = [
    all.filter((scope) => rolesWith(scope).includes(role)),
    all.filter((scope) => !rolesWith(scope).includes(role)),
  ];
  const names = (scopes: readonly string[]) => scopes.map((scope) => `\`${scope.split(":")[0]}\``).join(", ");
  if (has.length === 0) return "nothing";
  if (lacks.length === 0) return "everything";
  return lacks.length < has.length ? `everything but ${names(lacks)}` : names(has);
}

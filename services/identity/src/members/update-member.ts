import { enumName } from "@ems/kit/enum";
import type { Handlers } from "@ems/kit/rpc/service";
import { MemberRoleSchema, type MemberService } from "@ems/proto/identity/v1/member_service";
import type { Deps } from "../deps.ts";
import { MemberEntity, memberVersions, type Role } from "./entity.ts";
import { member } from "./messages.ts";
import { assertNotLastOwner, lockMember } from "./queries.ts";

export function updateMember({ database, clock }: Deps): Handlers<typeof MemberService>["updateMember"] {
  return ({ id, role: named }, call) =>
    database.change(call, async (tx) => {
      const row = await lockMember(tx, call, id);
      memberVersions.check(call, row);
      // Safe cast: request validation allows the same roles.
      const role = enumName<Role>(MemberRoleSchema, named) ?? row.role;
      if (role === row.role) {
        memberVersions.answer(call, row);
        return { data: member(row) };
      }
      if (row.role === "OWNER") await assertNotLastOwner(tx, row);
      const change = { role, modifiedAt: clock.now() };
      tx.deferUpdate(MemberEntity, { applicationId: row.applicationId, id }, change);
      memberVersions.answer(call, { ...row, ...change });
      return { data: member({ ...row, ...change }) };
    });
}

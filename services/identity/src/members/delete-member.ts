import type { Handlers } from "@ems/kit/rpc/service";
import type { MemberService } from "@ems/proto/identity/v1/member_service";
import type { Deps } from "../deps.ts";
import { MemberEntity } from "./entity.ts";
import { assertNotLastOwner, lockMember } from "./queries.ts";

export function deleteMember({ database }: Deps): Handlers<typeof MemberService>["deleteMember"] {
  return ({ id }, call) =>
    database.change(call, async (tx) => {
      const row = await lockMember(tx, call, id);
      if (row.role === "OWNER") await assertNotLastOwner(tx, row);
      tx.deferDelete(MemberEntity, { applicationId: row.applicationId, id });
      return {};
    });
}

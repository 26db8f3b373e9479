import { defineList, listPage } from "@ems/kit/db/list";
import type { Handlers } from "@ems/kit/rpc/service";
import { MemberOrderSchema, type MemberService } from "@ems/proto/identity/v1/member_service";
import type { Deps } from "../deps.ts";
import { MemberEntity, type MemberRow } from "./entity.ts";
import { member, memberColumns, memberTables, type NamedMemberRow } from "./messages.ts";

const list = defineList<MemberRow, NamedMemberRow>(MemberEntity, {
  alias: "member",
  orderBy: MemberOrderSchema,
  columns: memberColumns,
  from: memberTables,
});

export function listMembers({ database }: Deps): Handlers<typeof MemberService>["listMembers"] {
  return async (request, call) => {
    const { rows, pagination } = await listPage(database, call, list, request);
    return { data: rows.map(member), pagination };
  };
}

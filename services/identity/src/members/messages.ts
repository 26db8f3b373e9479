import { buildSelectList } from "@ems/kit/db/columns";
import { buildMessage } from "@ems/kit/message";
import { MemberSchema } from "@ems/proto/identity/v1/member_service";
import { MemberEntity, type MemberRow } from "./entity.ts";

/** Member, with the name and email address of its user. */
export type NamedMemberRow = MemberRow & { readonly name: string; readonly email: string | null };

export const memberColumns = `${buildSelectList(MemberEntity, "member")}, app_user.name, app_user.email`;
export const memberTables = `identity.member
  JOIN identity.app_user ON app_user.org_id = member.org_id AND app_user.id = member.user_id`;

export const member = (row: NamedMemberRow) => buildMessage(MemberSchema, row);

import type { Handlers } from "@ems/kit/rpc/service";
import type { MemberService } from "@ems/proto/identity/v1/member_service";
import type { Deps } from "../deps.ts";
import { memberVersions } from "./entity.ts";
import { member } from "./messages.ts";
import { memberById } from "./queries.ts";

/** Returns a member of the caller's application. */
export function getMember({ database }: Deps): Handlers<typeof MemberService>["getMember"] {
  return async ({ id }, call) => {
    const row = await memberById.read(database, call, id);
    memberVersions.answer(call, row);
    return { data: member(row) };
  };
}

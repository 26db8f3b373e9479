import { type Mount, mount } from "@ems/kit/rpc/service";
import { MemberService } from "@ems/proto/identity/v1/member_service";
import type { Deps } from "../deps.ts";
import { deleteMember } from "./delete-member.ts";
import { getMember } from "./get-member.ts";
import { listMembers } from "./list-members.ts";
import { updateMember } from "./update-member.ts";

export { copyOwners } from "./copy-owners.ts";
export { MemberEntity, type Role, roleColumn } from "./entity.ts";

export const members = (deps: Deps): Mount =>
  mount(MemberService, {
    listMembers: listMembers(deps),
    getMember: getMember(deps),
    updateMember: updateMember(deps),
    deleteMember: deleteMember(deps),
  });

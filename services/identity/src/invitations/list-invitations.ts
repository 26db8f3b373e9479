import { defineList, listPage } from "@ems/kit/db/list";
import type { Handlers } from "@ems/kit/rpc/service";
import { InvitationOrderSchema, type InvitationService } from "@ems/proto/identity/v1/invitation_service";
import type { Deps } from "../deps.ts";
import { InvitationEntity } from "./entity.ts";
import { invitation } from "./messages.ts";

const list = defineList(InvitationEntity, { alias: "invitation", orderBy: InvitationOrderSchema });

export function listInvitations({ database }: Deps): Handlers<typeof InvitationService>["listInvitations"] {
  return async (request, call) => {
    const { rows, pagination } = await listPage(database, call, list, request);
    return { data: rows.map(invitation), pagination };
  };
}

import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { InvitationService } from "@ems/proto/identity/v1/invitation_service";
import type { Deps } from "../deps.ts";
import { InvitationEntity } from "./entity.ts";

export function deleteInvitation({ database }: Deps): Handlers<typeof InvitationService>["deleteInvitation"] {
  return ({ id }, call) =>
    database.change(call, async (tx) => {
      const deleted = await tx.delete(InvitationEntity, { applicationId: call.tenant.applicationId, id });
      if (deleted === 0) throw notFound("Invitation");
      return {};
    });
}

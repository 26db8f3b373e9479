import { type Mount, mount } from "@ems/kit/rpc/service";
import { InvitationService } from "@ems/proto/identity/v1/invitation_service";
import type { Deps } from "../deps.ts";
import { createInvitation } from "./create-invitation.ts";
import { deleteInvitation } from "./delete-invitation.ts";
import { listInvitations } from "./list-invitations.ts";

export { InvitationEntity } from "./entity.ts";

export const invitations = (deps: Deps): Mount =>
  mount(InvitationService, {
    createInvitation: createInvitation(deps),
    listInvitations: listInvitations(deps),
    deleteInvitation: deleteInvitation(deps),
  });

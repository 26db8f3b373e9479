import { messageOf } from "@ems/kit/message";
import { InvitationSchema } from "@ems/proto/identity/v1/invitation_service";
import type { InvitationRow } from "./entity.ts";

export const invitation = (row: InvitationRow) => messageOf(InvitationSchema, row);

import { buildMessage } from "@ems/kit/message";
import { InvitationSchema } from "@ems/proto/identity/v1/invitation_service";
import type { InvitationRow } from "./entity.ts";

export const invitation = (row: InvitationRow) => buildMessage(InvitationSchema, row);

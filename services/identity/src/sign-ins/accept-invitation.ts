import type { Transaction } from "@ems/kit/db/transaction";
import type { Deps } from "../deps.ts";
import { InvitationEntity } from "../invitations/index.ts";
import { MemberEntity } from "../members/index.ts";
import { findOrCreateSignInUser, logAs, type NamedPerson } from "./sign-in-user.ts";

interface InvitationKey {
  readonly orgId: string;
  readonly applicationId: string;
  readonly id: string;
  readonly requestId: string;
}

/** Makes the person a member; returns false if the invitation was deleted or has expired. */
export async function acceptInvitation(
  deps: Pick<Deps, "clock" | "newId">,
  tx: Transaction,
  { orgId, applicationId, id, requestId }: InvitationKey,
  person: NamedPerson,
): Promise<boolean> {
  const now = deps.clock.now();
  tx.defer("SELECT FROM identity.invitation WHERE application_id = $1 AND id = $2 FOR UPDATE", [applicationId, id]);
  const invitation = await tx.findOne(InvitationEntity, { applicationId, id });
  if (invitation === null || invitation.expiresAt <= now || invitation.email !== person.email) return false;
  const userId = await findOrCreateSignInUser(deps, tx, orgId, person);
  logAs(tx, userId, requestId);
  const member = { applicationId, id: deps.newId(), orgId, userId, role: invitation.role };
  await tx.insert(MemberEntity, { ...member, createdAt: now, modifiedAt: now }, "ignore");
  tx.deferDelete(InvitationEntity, { applicationId, id });
  return true;
}

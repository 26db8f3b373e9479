import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Transaction } from "@ems/kit/db/transaction";
import { enumName } from "@ems/kit/enum";
import { conflict, limitReached } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { Tenant } from "@ems/kit/tenant";
import type { InvitationService } from "@ems/proto/identity/v1/invitation_service";
import { MemberRoleSchema } from "@ems/proto/identity/v1/member_service";
import type { Deps } from "../deps.ts";
import type { Role } from "../members/index.ts";
import { InvitationEntity, type InvitationRow } from "./entity.ts";
import { invitation } from "./messages.ts";

const lifetimeMs = 7 * 24 * 60 * 60_000;
/** Maximum number of invitations per application. */
const invitationsMax = 100;

export function createInvitation({
  database,
  publish,
  clock,
  newId,
}: Deps): Handlers<typeof InvitationService>["createInvitation"] {
  return ({ email: written, role: named }, call) =>
    database.change(call, async (tx) => {
      const { applicationId, orgId, userId } = call.tenant;
      const createdAt = clock.now();
      const email = written.toLowerCase();
      const { title, inviter } = await assertInvitable(tx, call.tenant, email, createdAt);
      const expiresAt = new Date(createdAt.getTime() + lifetimeMs);
      // Safe cast: request validation allows the same roles.
      const role = enumName<Role>(MemberRoleSchema, named) ?? "VIEWER";
      const row = { applicationId, id: newId(), orgId, email, role, invitedBy: userId, createdAt, expiresAt };
      await tx.insert(InvitationEntity, row);
      const value = { email, application: { id: applicationId, title }, invitedBy: inviter };
      const data = { ...value, expiresAt: timestampFromDate(expiresAt) };
      await publish(tx, call.tenant, { case: "memberInvited", value: data });
      return { data: invitation(row) };
    });
}

const names = `SELECT application.title, coalesce(app_user.name, '') AS inviter,
    EXISTS (SELECT FROM identity.member JOIN identity.app_user person
      ON person.org_id = member.org_id AND person.id = member.user_id
      WHERE member.application_id = $2 AND lower(person.email) = $4) AS "isMember"
  FROM identity.application LEFT JOIN identity.app_user ON app_user.org_id = application.org_id AND app_user.id = $3
  WHERE application.org_id = $1 AND application.id = $2`;

interface Names {
  readonly title: string;
  readonly inviter: string;
  readonly isMember: boolean;
}

/**
 * Throws unless the address may be invited. A lock of the application serializes invitations. An expired invitation to
 * the same address is deleted.
 */
async function assertInvitable(
  tx: Transaction,
  { orgId, applicationId, userId }: Tenant,
  email: string,
  now: Date,
): Promise<Pick<Names, "title" | "inviter">> {
  tx.defer("SELECT FROM identity.application WHERE org_id = $1 AND id = $2 FOR NO KEY UPDATE", [orgId, applicationId]);
  const [found, [application], count] = await Promise.all([
    tx.findOne<InvitationRow>(InvitationEntity, { applicationId, email }),
    tx.query<Names>({ name: "invitation-names", text: names, values: [orgId, applicationId, userId, email] }),
    tx.count(InvitationEntity, { applicationId }),
  ]);
  if (application?.isMember) throw conflict("A member already has this address");
  if (found !== null) {
    if (found.expiresAt > now) throw conflict("This address already has an invitation");
    tx.deferDelete(InvitationEntity, { applicationId, id: found.id });
  } else if (count >= invitationsMax) {
    throw limitReached(
      `This application has the maximum of ${invitationsMax} invitations: delete one first`,
      invitationsMax,
    );
  }
  return application ?? { title: "", inviter: "" };
}

import { notFound } from "@ems/kit/errors";
import { buildMessage } from "@ems/kit/message";
import type { Handlers } from "@ems/kit/rpc/service";
import { GetMembershipResponseSchema, type SignInService } from "@ems/proto/identity/v1/sign_in_service";
import type { Deps } from "../deps.ts";
import type { Role } from "../members/index.ts";

const text = `SELECT id AS "memberId", role FROM identity.member
  WHERE application_id = $1 AND org_id = $2 AND user_id = $3`;

export function getMembership({ database }: Deps): Handlers<typeof SignInService>["getMembership"] {
  return async ({ orgId, applicationId, userId }, { deadlineMs }) => {
    const statement = { name: "get-membership", text, values: [applicationId, orgId, userId] };
    const scope = { applicationId, orgId };
    const [row] = await database.readScoped<{ memberId: string; role: Role }>(scope, deadlineMs, statement);
    if (row === undefined) throw notFound("Member");
    return buildMessage(GetMembershipResponseSchema, row);
  };
}

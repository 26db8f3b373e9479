import type { Transaction } from "@ems/kit/db/transaction";
import { buildMessage } from "@ems/kit/message";
import { MembershipSchema } from "@ems/proto/identity/v1/sign_in_service";
import type { Role } from "../members/index.ts";

/** A person as described by an OpenID Connect provider. */
export interface Person {
  readonly issuer: string;
  readonly subject: string;
}

export interface SignInRow {
  readonly orgId: string;
  readonly userId: string;
}

export interface MembershipRow {
  readonly memberId: string;
  readonly orgId: string;
  readonly applicationId: string;
  readonly applicationTitle: string;
  readonly userId: string;
  readonly role: Role;
  readonly since: Date;
}

export const membership = ({ since: _, ...row }: MembershipRow) => buildMessage(MembershipSchema, row);

const signIns = `SELECT org_id AS "orgId", user_id AS "userId" FROM identity.sign_in WHERE issuer = $1 AND subject = $2`;

/** Gives the transaction access to the person's own rows, in all tenants. */
export function actAs(tx: Transaction, { issuer, subject }: Person): void {
  tx.defer("SELECT set_config('ems.person', $1, true)", [`${issuer} ${subject}`]);
}

/** Finds the person's users, by organization. Call it after `actAs`, or in the scope of one organization. */
export function findSignIns(tx: Transaction, { issuer, subject }: Person): Promise<SignInRow[]> {
  return tx.query<SignInRow>({ name: "find-sign-ins", text: signIns, values: [issuer, subject] });
}

const memberships = `SELECT member.id AS "memberId", member.org_id AS "orgId", member.application_id AS "applicationId",
    application.title AS "applicationTitle", member.user_id AS "userId", member.role, application.created_at AS since
  FROM identity.member JOIN identity.application
    ON application.org_id = member.org_id AND application.id = member.application_id
  WHERE member.org_id = $1 AND member.user_id = $2`;

/** Finds the person's memberships, ordered by the age of the applications. */
export async function findMemberships(tx: Transaction, person: Person): Promise<MembershipRow[]> {
  actAs(tx, person);
  const found: MembershipRow[] = [];
  for (const { orgId, userId } of await findSignIns(tx, person)) {
    const settings = "SELECT set_config('ems.org_id', $1, true), set_config('ems.person_user', $2, true)";
    tx.defer(settings, [orgId, userId]);
    found.push(
      ...(await tx.query<MembershipRow>({ name: "get-memberships", text: memberships, values: [orgId, userId] })),
    );
  }
  return found.sort((a, b) => a.since.getTime() - b.since.getTime() || (a.applicationId < b.applicationId ? -1 : 1));
}

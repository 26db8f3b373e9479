import type { Transaction } from "@ems/kit/db/transaction";
import type { Handlers } from "@ems/kit/rpc/service";
import type { SignInService } from "@ems/proto/identity/v1/sign_in_service";
import type { Deps } from "../deps.ts";
import { acceptInvitation } from "./accept-invitation.ts";
import { actAs, findMemberships, findSignIns, membership, type Person } from "./memberships.ts";
import { nameOwner } from "./name-owner.ts";
import { updateUser } from "./sign-in-user.ts";

interface InvitationKey {
  readonly orgId: string;
  readonly applicationId: string;
  readonly id: string;
}

/** Accepts invitations to the person's verified email address, then returns the person's memberships. */
export function signIn(deps: Deps): Handlers<typeof SignInService>["signIn"] {
  const { database, clock } = deps;
  return async ({ issuer, subject, verifiedEmail: written, name, isNamedOwner }, call) => {
    const { deadlineMs, requestId } = call;
    const email = written?.toLowerCase();
    const person = { issuer, subject, email, name: name ?? email ?? subject };
    const [signIns, invitations] = await database.withScope({}, deadlineMs, (tx) => findPerson(tx, person));
    const accepted = new Set<string>();
    for (const { orgId, userId } of signIns) {
      await database.withScope({ orgId }, deadlineMs, (tx) => updateUser(deps, tx, orgId, userId, person));
    }
    for (const { orgId, applicationId, id } of invitations) {
      const scope = { orgId, applicationId };
      const accept = (tx: Transaction) => acceptInvitation(deps, tx, { ...scope, id, requestId }, person);
      if (await database.withScope(scope, deadlineMs, accept)) accepted.add(applicationId);
    }
    if (isNamedOwner && email !== undefined) {
      await database.withScope({}, deadlineMs, (tx) => nameOwner(deps, tx, person, requestId));
    }
    const rows = await database.withScope({}, deadlineMs, (tx) => findMemberships(tx, person));
    const isNew = ({ applicationId }: { applicationId: string }) => Number(accepted.has(applicationId));
    return { memberships: rows.sort((a, b) => isNew(b) - isNew(a)).map(membership) };
  };

  async function findPerson(tx: Transaction, person: Person & { readonly email: string | undefined }) {
    actAs(tx, person);
    tx.defer("SELECT set_config('ems.person_email', $1, true)", [person.email ?? ""]);
    return Promise.all([
      findSignIns(tx, person),
      tx.query<InvitationKey>(
        `SELECT org_id AS "orgId", application_id AS "applicationId", id FROM identity.invitation
         WHERE email = $1 AND expires_at > $2 ORDER BY created_at`,
        [person.email ?? "", clock.now()],
      ),
    ]);
  }
}

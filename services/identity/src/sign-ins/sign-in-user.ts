// The user of an organisation that a person is, once they have signed in.

import type { Transaction } from "@ems/kit/db/transaction";
import type { Deps } from "../deps.ts";
import { AppUserEntity } from "../users/index.ts";
import { SignInEntity } from "./entity.ts";
import { findSignIns, type Person } from "./memberships.ts";

export interface NamedPerson extends Person {
  /** Verified, in lower case. */
  readonly email: string | undefined;
  readonly name: string;
}

const nameless = `SELECT id FROM identity.app_user WHERE org_id = $1 AND lower(email) = $2
    AND NOT EXISTS (SELECT FROM identity.sign_in WHERE sign_in.org_id = app_user.org_id AND sign_in.user_id = app_user.id)
  ORDER BY created_at, id LIMIT 1`;

/**
 * The person's user in the organisation; at first the one who has the address and has never signed in, such as one that topics
 * name already, else a new one. Who has signed in before with the address may be somebody else.
 */
export async function findOrCreateSignInUser(
  { clock, newId }: Pick<Deps, "clock" | "newId">,
  tx: Transaction,
  orgId: string,
  person: NamedPerson,
): Promise<string> {
  const { issuer, subject, email, name } = person;
  // One sign-in of a person at a time: the second finds the user that the first has made.
  tx.defer("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`${issuer} ${subject}`]);
  const [existing] = (await findSignIns(tx, person)).filter((signIn) => signIn.orgId === orgId);
  if (existing !== undefined) return existing.userId;
  const [user] = await tx.query<{ id: string }>(nameless, [orgId, email ?? ""]);
  const now = clock.now();
  const userId = user?.id ?? newId();
  if (user === undefined) {
    await tx.insert(AppUserEntity, { orgId, id: userId, name, email: email ?? null, createdAt: now, modifiedAt: now });
  }
  await tx.insert(SignInEntity, { orgId, issuer, subject, userId, createdAt: now });
  return userId;
}

/** Keeps name and address as the provider says them. */
export async function updateUser(
  { clock }: Pick<Deps, "clock">,
  tx: Transaction,
  orgId: string,
  userId: string,
  { name, email }: NamedPerson,
): Promise<void> {
  tx.defer(
    `UPDATE identity.app_user SET name = $3, email = coalesce($4, email), modified_at = $5
     WHERE org_id = $1 AND id = $2 AND (name, lower(email)) IS DISTINCT FROM ($3, coalesce($4, lower(email)))`,
    [orgId, userId, name, email ?? null, clock.now()],
  );
}

/** Has the audit log name the person, and this sign-in as the operation. */
export function logAs(tx: Transaction, userId: string, requestId: string): void {
  const actor = { operation: "ems.identity.v1.SignInService/SignIn", userId, requestId };
  tx.defer("SELECT set_config('ems.actor', $1, true)", [JSON.stringify(actor)]);
}

import type { Transaction } from "@ems/kit/db/transaction";
import { readValidated } from "@ems/kit/json/read-validated";
import { CreateUserRequestSchema } from "@ems/proto/identity/v1/user_service";
import { Raw } from "typeorm";
import type { Deps } from "../deps.ts";
import { AppUserEntity } from "./entity.ts";

export interface Person {
  readonly name: string;
  readonly email?: string | undefined;
}

/** Finds or creates a user by email address (ignoring case) or else by name; without a person, the oldest user. */
export async function findOrCreateUser(
  { clock, newId }: Pick<Deps, "clock" | "newId">,
  tx: Transaction,
  orgId: string,
  person: Person | undefined,
): Promise<string> {
  const where = { orgId, ...(person && buildCondition(person)) };
  const found = await tx.findOne(AppUserEntity, where, { orderBy: { createdAt: "ASC", id: "ASC" } });
  if (found !== null) return found.id;
  const [id, now] = [newId(), clock.now()];
  const { name, email = null } = person ?? { name: "Operator" };
  if (person !== undefined) assertValid(person);
  await tx.insert(AppUserEntity, { orgId, id, name, email, createdAt: now, modifiedAt: now });
  return id;
}

function buildCondition({ name, email }: Person) {
  if (email === undefined) return { name };
  return { email: Raw((column) => `lower(${column}) = lower(:email)`, { email }) };
}

/** Validates a person with the rules of CreateUser. */
function assertValid({ name, email }: Person): void {
  const request = email === undefined ? { name } : { name, email };
  const [issue] = readValidated(CreateUserRequestSchema, request).issues;
  if (issue !== undefined) throw new Error(`The user's ${issue.path.join(".")}: ${issue.message}`);
}

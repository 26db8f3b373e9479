import { type Call, forward } from "@ems/kit/rpc/call";
import type { Application } from "@ems/proto/identity/v1/application_service";
import type { Deps } from "../deps.ts";

/** Loads the application of linked definitions from identity; undefined if none of the definitions is linked. */
export async function linkedApplication(
  applications: Deps["applications"],
  call: Call,
  definitions: readonly { readonly isLinked: boolean }[],
): Promise<Application | undefined> {
  if (!definitions.some(({ isLinked }) => isLinked)) return undefined;
  const { data } = await applications.getApplication({ id: call.tenant.applicationId }, forward(call));
  return data;
}

import type { Call } from "@ems/kit/rpc/call";
import { forward } from "@ems/kit/rpc/call";
import type { Application } from "@ems/proto/identity/v1/application_service";
import type { Deps } from "../deps.ts";

/** The application that definitions show when they are linked to it, in one call to identity; none when no one is. */
export async function linkedApplication(
  applications: Deps["applications"],
  call: Call,
  definitions: readonly { readonly isLinked: boolean }[],
): Promise<Application | undefined> {
  if (!definitions.some(({ isLinked }) => isLinked)) return undefined;
  const { data } = await applications.getApplication({ id: call.tenant.applicationId }, forward(call));
  return data;
}

import type { Client } from "@connectrpc/connect";
import type { Call } from "@ems/kit/rpc/call";
import { forward } from "@ems/kit/rpc/call";
import type { Application, ApplicationService } from "@ems/proto/identity/v1/application_service";

/** Identity's applications, of the caller's organisation. */
export type Applications = Pick<Client<typeof ApplicationService>, "getApplication">;

/** The caller's application; 404 "Application not found" when identity has none. */
export async function callersApplication(applications: Applications, call: Call): Promise<Application | undefined> {
  const { data } = await applications.getApplication({ id: call.tenant.applicationId }, forward(call));
  return data;
}

/** The application that definitions show when they are linked to it, in one call to identity; none when no one is. */
export async function linkedApplication(
  applications: Applications,
  call: Call,
  definitions: readonly { readonly isLinked: boolean }[],
): Promise<Application | undefined> {
  return definitions.some(({ isLinked }) => isLinked) ? callersApplication(applications, call) : undefined;
}

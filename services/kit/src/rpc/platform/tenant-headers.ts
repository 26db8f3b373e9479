// Tenant of a platform caller's call, from its headers. An id with characters other than visible ASCII is in the binary
// header `<name>-bin`: base64 of its UTF-8, as in gRPC.

import { type ConnectError, failure, invalidHeader } from "../../errors.ts";
import type { NamedTenant } from "./tenants.ts";

export const organizationHeader = "x-organization-id";
export const applicationHeader = "x-application-id";
export const userHeader = "x-user-id";

/** All headers that contain a part of the tenant. */
export const tenantHeaders: readonly string[] = [
  applicationHeader,
  ...[organizationHeader, userHeader].flatMap((name) => [name, `${name}-bin`]),
];

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const printable = /^[\x20-\x7e]+$/;
const idMax = 255;

/** Reads the tenant; undefined if no header contains any part of one. Throws if a part is missing or malformed. */
export function readTenant(header: Headers): NamedTenant | undefined {
  const applicationId = header.get(applicationHeader)?.toLowerCase();
  const organizationId = readId(header, organizationHeader);
  const userId = readId(header, userHeader);
  if (applicationId === undefined && organizationId === undefined && userId === undefined) return undefined;
  if (applicationId === undefined) throw tenantMissing(applicationHeader);
  if (!uuid.test(applicationId)) throw invalidHeader(applicationHeader, `${applicationHeader} must be a UUID`);
  if (userId === undefined) throw tenantMissing(userHeader);
  return { ...(organizationId !== undefined && { organizationId }), applicationId, userId };
}

export function tenantMissing(name: string): ConnectError {
  const message = `${name} is missing: this RPC requires an application and a user in ${applicationHeader} and ${userHeader}`;
  return failure("TENANT_MISSING", message, { metadata: { header: name } });
}

function readId(header: Headers, name: string): string | undefined {
  const [text, binary] = [header.get(name), header.get(`${name}-bin`)];
  if (text !== null && binary !== null) throw invalidHeader(name, `${name} and ${name}-bin must not be sent together`);
  const id = binary === null ? (text ?? undefined) : decoded(binary);
  if (text === null && binary === null) return undefined;
  if (text !== null && !printable.test(text)) {
    throw invalidHeader(
      name,
      `${name} must be 1-${idMax} printable ASCII characters; send others as UTF-8 in ${name}-bin`,
    );
  }
  if (id === undefined || id === "" || [...id].length > idMax || id.includes("\0")) {
    throw invalidHeader(name, `${name} must be an id of 1-${idMax} characters`);
  }
  return id;
}

function decoded(base64: string): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(base64, "base64"));
  } catch {
    return undefined;
  }
}

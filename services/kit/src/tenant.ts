// Who is asking. It travels as metadata beside every call, never inside a request message.

/** The application (and its organisation) that a call acts on, and the user on whose behalf. */
export interface Tenant {
  readonly orgId: string;
  readonly applicationId: string;
  readonly userId: string;
  /** Nobody named the application: it is the one that the caller's key belongs to. Few routes let it come to that. */
  readonly isApplicationImplied?: true;
}

const names = {
  orgId: "ems-org-id",
  applicationId: "ems-application-id",
  userId: "ems-user-id",
  isApplicationImplied: "ems-application-implied",
} as const;

/** The tenant as metadata. Organisation and user ids are opaque strings, so they are percent-encoded to ASCII. */
export function tenantHeaders(tenant: Tenant): Record<string, string> {
  return {
    [names.orgId]: encodeURIComponent(tenant.orgId),
    [names.applicationId]: tenant.applicationId,
    [names.userId]: encodeURIComponent(tenant.userId),
    ...(tenant.isApplicationImplied && { [names.isApplicationImplied]: "true" }),
  };
}

/** The tenant that metadata names; undefined when the call acts on none, such as a look-up of a key. */
export function readTenant(header: Headers): Tenant | undefined {
  const applicationId = header.get(names.applicationId);
  const orgId = header.get(names.orgId);
  const userId = header.get(names.userId);
  if (applicationId === null || orgId === null || userId === null) return undefined;
  const tenant = { applicationId, orgId: decodeURIComponent(orgId), userId: decodeURIComponent(userId) };
  return header.get(names.isApplicationImplied) === "true" ? { ...tenant, isApplicationImplied: true } : tenant;
}

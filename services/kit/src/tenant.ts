// Tenant of a call. It is sent next to every call, never inside a request message.

/** The application (and its organization) that a call acts on, and the user for whom it acts. */
export interface Tenant {
  readonly orgId: string;
  readonly applicationId: string;
  readonly userId: string;
  /** Id of the request's API key; calls of platform callers and background calls have none. */
  readonly keyId?: string;
  /** Member of the application whose session the request belongs to: the signed-in user, without a key. */
  readonly memberId?: string;
  /** Scopes that the caller lacks, of those without which the RPC does only part of its work. */
  readonly lackingScopes?: readonly string[];
  /** True if the request names no application, so that the key's application is used. Only few routes allow this. */
  readonly isApplicationImplied?: true;
  /** True if no client waits for the call, so that it yields to requests. */
  readonly isBackground?: true;
}

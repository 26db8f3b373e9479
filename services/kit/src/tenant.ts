// Who is asking. It travels beside every call, never inside a request message.

/** The application (and its organisation) that a call acts on, and the user on whose behalf. */
export interface Tenant {
  readonly orgId: string;
  readonly applicationId: string;
  readonly userId: string;
  /** The id of the API key that the request has shown; a platform caller's and a background call's have none. */
  readonly keyId?: string;
  /** The member of the application whose session the request is of: the user, who is signed in and shows no key. */
  readonly memberId?: string;
  /** Nobody named the application: it is the one that the caller's key belongs to. Few routes let it come to that. */
  readonly isApplicationImplied?: true;
  /** Nobody waits for the call: it gives way to requests. */
  readonly isBackground?: true;
}

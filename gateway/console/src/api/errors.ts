// What the API answers instead of a result.

export interface Issue {
  readonly message: string;
  readonly path?: readonly (string | number)[] | string;
}

export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly requestId: string | undefined;
  readonly issues: readonly Issue[];
  /** Issues that the answer does not list. */
  readonly issuesOmitted: number;
  /** The session is one of another application by now. */
  readonly isConflictOfSessions: boolean;

  constructor(response: Response, body: unknown) {
    super(messageOf(body) ?? `The server answered ${response.status}.`);
    this.status = response.status;
    this.requestId = response.headers.get("x-request-id") ?? undefined;
    this.issues = issuesOf(body);
    this.issuesOmitted = omittedOf(body);
    this.isConflictOfSessions = response.headers.has("x-console-conflict");
  }

  /** Whether the same request may succeed later. */
  get isTransient(): boolean {
    return this.status === 429 || this.status >= 500;
  }
}

export const isSignedOut = (error: unknown) => error instanceof ApiError && error.status === 401;

/** Whether the stored version is another one than the request expects. */
export const isMismatch = (error: unknown) => error instanceof ApiError && error.status === 412;

/** Whether the key's scopes or the member's role do not allow it. */
export const isRefused = (error: unknown) => error instanceof ApiError && error.status === 403;

function messageOf(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || !("message" in body)) return undefined;
  return typeof body.message === "string" ? body.message : undefined;
}

function issuesOf(body: unknown): Issue[] {
  if (typeof body !== "object" || body === null || !("issues" in body) || !Array.isArray(body.issues)) return [];
  return body.issues.filter((issue: unknown): issue is Issue => messageOf(issue) !== undefined);
}

function omittedOf(body: unknown): number {
  if (typeof body !== "object" || body === null || !("issuesOmitted" in body)) return 0;
  return typeof body.issuesOmitted === "number" ? body.issuesOmitted : 0;
}

/** The messages of faults by the field that they are about, such as `title` or `inputExamples.0`. */
export function issuesByField(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof ApiError)) return {};
  const entries = error.issues.map(({ path = "", message }) => [
    typeof path === "string" ? path : path.join("."),
    message,
  ]);
  return Object.fromEntries(entries.reverse());
}

/** What is shown when anything fails. */
export function messageOfError(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  if (error instanceof TypeError) return "The server cannot be reached.";
  return error instanceof Error ? error.message : String(error);
}

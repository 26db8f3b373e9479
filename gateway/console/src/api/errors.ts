// Errors that the API returns.

export interface Issue {
  readonly message: string;
  readonly path?: readonly (string | number)[] | string;
}

export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly requestId: string | undefined;
  readonly issues: readonly Issue[];
  /** Number of further issues that the response omits. */
  readonly issuesOmitted: number;
  /** True if another browser tab has switched the session to another application. */
  readonly isConflictOfSessions: boolean;

  constructor(response: Response, body: unknown) {
    super(readMessage(body) ?? `The server answered ${response.status}.`);
    this.status = response.status;
    this.requestId = response.headers.get("x-request-id") ?? undefined;
    this.issues = readIssues(body);
    this.issuesOmitted = readOmitted(body);
    this.isConflictOfSessions = response.headers.has("x-console-conflict");
  }

  /** True if the same request may succeed later. */
  get isTransient(): boolean {
    return this.status === 429 || this.status >= 500;
  }
}

/** Returns true if the stored version is not the version in `If-Match`. */
export const isMismatch = (error: unknown) => error instanceof ApiError && error.status === 412;

/** Returns true if the key's scopes or the member's role do not allow the request. */
export const isRefused = (error: unknown) => error instanceof ApiError && error.status === 403;

function readMessage(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || !("message" in body)) return undefined;
  return typeof body.message === "string" ? body.message : undefined;
}

function readIssues(body: unknown): Issue[] {
  if (typeof body !== "object" || body === null || !("issues" in body) || !Array.isArray(body.issues)) return [];
  const issues = body.issues.filter((issue: unknown): issue is Issue => readMessage(issue) !== undefined);
  return issues.map((issue) => ({ ...issue, message: reword(issue.message) }));
}

const rewordings: readonly (readonly [RegExp, string])[] = [
  [/^(String must contain at least 1 character\(s\)|Required)$/, "Enter a value"],
  [/^String must contain (at least|at most|exactly) (\d+) character\(s\)$/, "Use $1 $2 characters"],
  [/^Array must contain (at least|at most|exactly) (\d+) element\(s\)$/, "Use $1 $2 entries"],
  [/^Number must be greater than or equal to (.+)$/, "Use $1 or more"],
  [/^Number must be less than or equal to (.+)$/, "Use $1 or less"],
  [/^Number must be greater than (.+)$/, "Use more than $1"],
  [/^Number must be less than (.+)$/, "Use less than $1"],
];

/** Rewords the API's messages, which are written for programmers. */
export function reword(message: string): string {
  const [pattern, words] = rewordings.find(([each]) => each.test(message)) ?? [];
  return pattern === undefined || words === undefined ? message : message.replace(pattern, words);
}

function readOmitted(body: unknown): number {
  if (typeof body !== "object" || body === null || !("issuesOmitted" in body)) return 0;
  return typeof body.issuesOmitted === "number" ? body.issuesOmitted : 0;
}

/** Returns the messages of the API's issues by field, such as `title` or `inputExamples.0`. */
export function issuesByField(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof ApiError)) return {};
  const entries = error.issues.map(({ path = "", message }) => [
    typeof path === "string" ? path : path.join("."),
    message,
  ]);
  return Object.fromEntries(entries.reverse());
}

/** Returns the message to display for any error. */
export function messageOfError(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  if (error instanceof TypeError)
    return navigator.onLine === false ? "You are offline." : "The server cannot be reached.";
  return error instanceof Error ? error.message : String(error);
}

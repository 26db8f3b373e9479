// What is wrong with one part of a request. The codes are those of zod 3, which clients of such APIs already know.

export const issueCodes = [
  "invalid_type",
  "invalid_string",
  "too_small",
  "too_big",
  "invalid_enum_value",
  "unrecognized_keys",
  "invalid_json",
  "custom",
] as const;

export type IssueCode = (typeof issueCodes)[number];

export interface Issue {
  code: IssueCode;
  message: string;
  /** Names and list indexes, from the outermost value inwards, all as strings. */
  path: string[];
}

/** More help nobody, and a body of a megabyte can hold half a million: an answer must not outgrow its request. */
export const issuesMax = 1000;

/** Gathers issues while a value is walked; knows where the walk is. */
export class IssueList {
  readonly issues: Issue[] = [];
  readonly #path: (string | number)[] = [];

  enter(part: string | number): void {
    this.#path.push(part);
  }

  leave(): void {
    this.#path.pop();
  }

  /** An issue of the value that the walk has come to. */
  add(code: IssueCode, message: string): void {
    if (this.issues.length < issuesMax) this.issues.push({ code, message, path: this.#path.map(String) });
  }
}

// What is wrong with one part of a request. The codes are those of zod 3, which clients of such APIs already know.

import { echoed } from "./issue-messages.ts";

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
export const issuesMax = 100;

/** One more is gathered than told: then the answer knows that there are more. */
export const gatheredMax = issuesMax + 1;

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
    if (this.issues.length < gatheredMax) this.issues.push({ code, message, path: echoedPath(this.#path) });
  }
}

/** Names of a map or of free JSON are as long as the client likes. */
export function echoedPath(path: readonly (string | number)[]): string[] {
  return path.map((part) => echoed(String(part)));
}

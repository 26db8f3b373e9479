// Issues of a request. The codes are those of zod 3, which clients may know.

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

/** A body of a megabyte can hold half a million issues: a response must not outgrow its request. */
export const issuesMax = 100;

/** One more than is reported, so that the response can say that there are more. */
export const gatheredMax = issuesMax + 1;

/** Gathers issues during a walk over a value, with the current path. */
export class IssueList {
  readonly issues: Issue[] = [];
  readonly #path: (string | number)[] = [];

  enter(part: string | number): void {
    this.#path.push(part);
  }

  leave(): void {
    this.#path.pop();
  }

  /** Adds an issue at the current path. */
  add(code: IssueCode, message: string): void {
    if (this.issues.length < gatheredMax) this.issues.push({ code, message, path: echoedPath(this.#path) });
  }
}

/** Keys of maps and of free JSON may be long. */
export function echoedPath(path: readonly (string | number)[]): string[] {
  return path.map((part) => echoed(String(part)));
}

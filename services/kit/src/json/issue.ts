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

/** A body of a megabyte can contain half a million issues: a response lists the first ones and counts the rest. */
export const issuesMax = 100;

/** Issues of a request. */
export interface Issues {
  /** The first issues, at most `issuesMax`. */
  readonly issues: Issue[];
  /** Number of further issues. It is a lower bound: rules are not checked once the list is full. */
  readonly omitted: number;
}

/** Truncates `issues`; `omitted` is the number of issues that were dropped before. */
export function firstIssues(issues: readonly Issue[], omitted = 0): Issues {
  const listed = issues.slice(0, issuesMax);
  return { issues: listed, omitted: omitted + issues.length - listed.length };
}

/** Collects issues while walking over a value, with the current path. */
export class IssueList implements Issues {
  readonly issues: Issue[] = [];
  omitted = 0;
  readonly #path: (string | number)[] = [];

  enter(part: string | number): void {
    this.#path.push(part);
  }

  leave(): void {
    this.#path.pop();
  }

  /** True if further issues are only counted. */
  get isFull(): boolean {
    return this.issues.length >= issuesMax;
  }

  /** Adds an issue at the current path. */
  add(code: IssueCode, message: string): void {
    if (this.isFull) this.omitted++;
    else this.issues.push({ code, message, path: echoedPath(this.#path) });
  }
}

/** Truncates a path: keys of maps and of free JSON may be long. */
export function echoedPath(path: readonly (string | number)[]): string[] {
  return path.map((part) => echoed(String(part)));
}

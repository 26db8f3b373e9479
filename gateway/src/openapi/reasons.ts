// Table of error reasons, from the comments of the contract.

import { comments } from "@ems/proto/comments";
import { ErrorReasonSchema } from "@ems/proto/type/v1/error_reason";

export interface DocumentedReason {
  readonly name: string;
  readonly when: string;
  readonly remedy: string;
  readonly code: string;
  readonly status: number;
  readonly retry: string;
}

export function documentedReasons(): DocumentedReason[] {
  return ErrorReasonSchema.values.slice(1).map(({ name, localName }) => {
    const [when = "", remedy = "", last = ""] = comments[`${ErrorReasonSchema.typeName}.${name}`]?.split("\n\n") ?? [];
    const [, code, status, retry] = /^([A-Z_]+), (\d{3})\. Retry: (.+)\.$/.exec(last) ?? [];
    if (code === undefined || retry === undefined) throw new Error(`${name}: the comment must end with code and retry`);
    return { name: localName, when, remedy, code, status: Number(status), retry };
  });
}

const reasons = new Map(documentedReasons().map((reason) => [reason.name, reason]));

/** Replaces `{RESOURCE_NOT_FOUND}` in a comment for its reader: REST's status 404, or gRPC's code and the reason. */
export function withReasons(text: string, reader: "rest" | "grpc"): string {
  return text.replaceAll(/\{([A-Z]+(?:_[A-Z]+)*)\}/g, (_, name: string) => {
    const reason = reasons.get(name);
    if (reason === undefined) throw new Error(`${name}: unknown error reason`);
    return reader === "rest" ? String(reason.status) : `${reason.code} (${name})`;
  });
}

/** Returns the table in Markdown. */
export function reasonTable(): string {
  const rows = documentedReasons().map(({ name, code, status, when, remedy, retry }) => {
    return `| \`${name}\` | ${code} | ${status} | ${when} | ${remedy} | ${retry} |`;
  });
  return [
    "| Reason | gRPC | REST | When | What to do | Retry |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

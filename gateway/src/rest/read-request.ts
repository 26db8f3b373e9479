// A request into the message of its RPC: path, query and body together, with everything that is wrong in any of them.

import type { Message } from "@bufbuild/protobuf";
import { gatheredMax, type Issue } from "@ems/kit/json/issue";
import { expected, unrecognizedKey } from "@ems/kit/json/issue-messages";
import { readValidated } from "@ems/kit/json/read-validated";
import { parseQuery } from "./parse-query.ts";
import type { Route } from "./routes.ts";

export interface RequestParts {
  /** Path parameters by JSON name, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** What follows the question mark. */
  readonly rawQuery: string;
  /** The value of the body. */
  readonly body: unknown;
  /** Why the body has no value. */
  readonly bodyIssues?: readonly Issue[] | undefined;
}

export interface ReadRequest {
  /** Fit for use when there are no issues. */
  readonly message: Message;
  readonly issues: Issue[];
}

export function readRequest(route: Route, { params, rawQuery, body, bodyIssues = [] }: RequestParts): ReadRequest {
  const { method, bodyMode, bodyField, pathFields } = route;
  const hasBody = bodyMode !== "none";
  const query = parseQuery(rawQuery);
  const inPath = pathFields.map(({ jsonName }): [string, string[]] => [jsonName, [params[jsonName] ?? ""]]);
  const isElsewhere = (name: string) => name === bodyField?.jsonName || inPath.some(([other]) => other === name);
  const isParameter = (name: string) => bodyMode !== "all" && !isElsewhere(name);
  const [known, unknown] = partition(Object.entries(query.values), ([name]) => isParameter(name));

  const text = Object.fromEntries([...inPath, ...known]);
  const { message, issues } = readValidated(method.input, readFrom(route, body, bodyIssues), { text });
  if (query.issues.length + unknown.length + bodyIssues.length === 0 && bodyMode === "all") return { message, issues };

  const malformed = new Set(query.issues.map(({ path: [name = ""] }) => name).filter(isParameter));
  const isTold = ({ path: [name] }: Issue) => {
    return name === undefined || name === bodyField?.jsonName ? bodyIssues.length > 0 : malformed.has(name);
  };
  const told = [
    ...unknown.map(([name]) => surplusKey(name)),
    ...query.issues,
    ...bodyIssues,
    ...(hasBody || bodyIssues.length > 0 ? [] : surplusOf(body)),
    ...issues.filter((issue) => !isTold(issue)).map((issue) => asSent(issue, bodyField)),
  ];
  return { message, issues: told };
}

/** What the message is read from. Without a value only the texts are read; why there is none, `bodyIssues` say. */
function readFrom({ bodyMode, bodyField }: Route, body: unknown, bodyIssues: readonly Issue[]): unknown {
  if (bodyField !== undefined) return bodyIssues.length > 0 ? {} : { [bodyField.jsonName]: body };
  if (bodyMode === "none") return {};
  return bodyIssues.length > 0 ? undefined : body;
}

/** A client whose body is the value of one field does not know that field: paths begin inside of it. */
function asSent(issue: Issue, bodyField: Route["bodyField"]): Issue {
  const isInBody = bodyField !== undefined && issue.path[0] === bodyField.jsonName;
  return isInBody ? { ...issue, path: issue.path.slice(1) } : issue;
}

/** A body where there is none to be: an empty object is let pass, since clients send it. */
function surplusOf(body: unknown): Issue[] {
  if (typeof body === "object" && body !== null && !Array.isArray(body)) {
    return Object.keys(body).slice(0, gatheredMax).map(surplusKey);
  }
  return [{ code: "invalid_type", message: expected("object", body), path: [] }];
}

function surplusKey(name: string): Issue {
  return { code: "unrecognized_keys", message: unrecognizedKey(name), path: [name] };
}

function partition<Item>(items: readonly Item[], belongs: (item: Item) => boolean): [Item[], Item[]] {
  const [yes, no]: [Item[], Item[]] = [[], []];
  for (const item of items) (belongs(item) ? yes : no).push(item);
  return [yes, no];
}

// Attacks with the parts before a body: paths, queries and headers, also of undocumented routes.

import type { AttackClient, RawRequest } from "./client.ts";
import { headerText } from "./client.ts";
import type { Trial } from "./screening.ts";
import { makeText, textKinds } from "./texts.ts";

/** Within the limit of all headers, and above it. */
const lineBytesMax = 15_000;
const tooManyBytes = 60_000;

export const session = "/console/api/session";

type Change = (size: number) => Partial<RawRequest>;

const headers = [
  ...[
    "accept",
    "accept-encoding",
    "authorization",
    "baggage",
    "connection",
    "content-encoding",
    "content-type",
    "cookie",
  ],
  ...["expect", "forwarded", "host", "idempotency-key", "if-match", "if-none-match", "if-modified-since", "origin"],
  ...[
    "access-control-request-headers",
    "range",
    "referer",
    "sec-fetch-site",
    "traceparent",
    "tracestate",
    "user-agent",
  ],
  ...["x-api-key", "x-application-id", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-request-id"],
];

/** Separators and texts that header parsers handle. */
const units = [
  ...[
    ",",
    ", ",
    ";",
    "; ",
    "=",
    '"',
    '"a", ',
    'W/"a",',
    "a=b; ",
    "a/b;q=0.1,",
    "gzip, ",
    " ",
    "\t",
    "1",
    "%",
    "%41",
    "a.",
  ],
  ...["127.0.0.1, ", "::1, ", "for=1.2.3.4, ", "bytes=0-1,", "a=b,", "-", "[", "ems_session=a; ", "\u00e9"],
];

/** Routes of each kind: the API with a key and with a session, the console, documentation, and unknown ones. */
const routes: readonly Pick<RawRequest, "method" | "path" | "body">[] = [
  { method: "GET", path: "/v0/tasks" },
  { method: "POST", path: "/v0/topics", body: '{"title": "Fees"}' },
  { method: "OPTIONS", path: "/v0/topics" },
  { method: "GET", path: "/" },
  { method: "GET", path: "/openapi.json" },
  { method: "GET", path: "/livez" },
  { method: "GET", path: `${session}` },
  { method: "POST", path: session, body: '{"apiKey": "ems_a"}' },
  { method: "DELETE", path: session },
  { method: "GET", path: "/console/api/v0/topics" },
  { method: "GET", path: "/unknown" },
];

/** Every route gets credentials of both kinds. */
export function lineTrials(client: AttackClient, credentials: Readonly<Record<string, string>>): Trial[] {
  return routes.flatMap((route) => {
    const makeTrial = (field: string, kind: string, sizeMax: number, change: Change): Trial => ({
      operation: `${route.method} ${route.path}`,
      field,
      kind,
      sizeMax,
      isLimited: true,
      work: (size) => {
        const changed = change(size);
        const request = { ...route, ...changed, headers: { ...credentials, ...changed.headers } };
        return async () => (await client.send(request)).status;
      },
    });
    const header = (name: string, unit: string, sizeMax: number) =>
      makeTrial(`header ${name}`, JSON.stringify(unit), sizeMax, (size) => ({
        headers: { [name]: headerText(unit.repeat(Math.floor(size / unit.length))).trim() },
      }));
    return [
      ...headers.flatMap((name) => units.map((unit) => header(name, unit, lineBytesMax))),
      ...headers.map((name) => header(name, "a,", tooManyBytes)),
      ...manyHeaders.map(([kind, change]) => makeTrial("headers", kind, lineBytesMax, change)),
      ...lines().map(([kind, line]) =>
        makeTrial("path", kind, lineBytesMax, (size) => ({ path: route.path.replace(/\/$/, "") + line(size) })),
      ),
    ];
  });
}

const manyHeaders: readonly [kind: string, change: Change][] = [
  ["repeated headers", (size) => ({ headers: { "x-forwarded-for": Array(Math.floor(size / 28)).fill("1.1.1.1") } })],
  [
    "distinct headers",
    (size) => ({ headers: Object.fromEntries(numbered(size / 12, (index) => [`x-${index}`, "a"])) }),
  ],
  ["cookies", (size) => ({ headers: { cookie: numbered(size / 9, (index) => `c${index}=a`).join("; ") } })],
];

const numbered = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: Math.floor(count) }, (_, i) => make(i));

function lines(): [kind: string, line: (size: number) => string][] {
  const repeated = (start: string, unit: (index: number) => string) => (size: number) =>
    start + numbered(size / unit(1_000).length, unit).join("");
  const encodedKinds = textKinds
    .filter(({ unit }) => typeof unit === "string")
    .map((kind): [string, (size: number) => string] => [
      `${kind.name} as a search`,
      (size) => `?search=${encodeURIComponent(makeText(kind, Math.floor(size / 9)).toWellFormed())}`,
    ]);
  return [
    ["a repeated parameter", repeated("?a=1", () => "&a=1")],
    ["a repeated list", repeated("?status=ACTIVE", () => "&status=ACTIVE")],
    ["a list of commas", repeated("?status=", () => ",")],
    ["distinct parameters", repeated("?a=1", (index) => `&a${index}=1`)],
    ["parameters without names", repeated("?", () => "&")],
    ["equals signs", repeated("?", () => "=")],
    ["broken escapes", repeated("?search=", () => "%")],
    ["escapes", repeated("?search=", () => "%61")],
    ["plus signs", repeated("?search=", () => "+")],
    ["brackets", repeated("?a", () => "[]")],
    ["segments", repeated("", () => "/a")],
    ["parent segments", repeated("", () => "/..")],
    ["slashes", repeated("", () => "/")],
    ["escaped slashes", repeated("/", () => "%2f")],
    ["semicolons", repeated("/", () => ";a")],
    ...encodedKinds,
  ];
}

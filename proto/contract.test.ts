// Checks rules for the API contract that buf's linter does not check.

import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getOption, hasOption } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { EventSchema, internal, type } from "./gen/ems/events/v1/event_pb.ts";
import { etag } from "./gen/ems/rest/v1/rest_pb.ts";
import { http } from "./gen/google/api/annotations_pb.ts";
import { services } from "./gen/services.ts";

const here = import.meta.dirname;
const sources = new Map(
  readdirSync(here, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".proto") && !path.startsWith("node_modules"))
    .map((path) => [path, readFileSync(join(here, path), "utf8")]),
);
const ours = [...sources].filter(([path]) => path.startsWith("ems/"));

/** RPCs that store nothing, although their proto does not declare them free of side effects. */
const validations = new Set(["TryDefinition", "ValidateWebhook"]);

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

test("every `ems` proto has the language options that follow from its package", () => {
  expect(ours.length).toBeGreaterThan(30);
  const wrong = ours.flatMap(([path, text]) => {
    const parts = /^package ([\w.]+);$/m.exec(text)?.[1]?.split(".") ?? [];
    const options = [
      `option csharp_namespace = "${parts.map(capitalized).join(".")}";`,
      `option go_package = "${parts.join("/")};${parts.slice(1).join("")}";`,
      "option java_multiple_files = true;",
      `option java_package = "${parts.join(".")}";`,
    ];
    return options.filter((option) => !text.includes(`\n${option}\n`)).map((option) => `${path}: ${option}`);
  });
  expect(wrong).toEqual([]);
});

test("no proto uses editions, which common compilers do not support", () => {
  expect([...sources].filter(([, text]) => !/^syntax = "proto[23]";$/m.test(text)).map(([path]) => path)).toEqual([]);
});

test("comments name errors by reason and contain no bare status", () => {
  // Numbers that are allowed: statuses of receivers' responses, and ports.
  const allowed = /(of|after) a 429 or 503|responded with 410|port is 443/;
  const status = /(?<![-\d,.])\b[2-5]\d\d\b(?![-\d,]| (?:characters|rows))/;
  const about = ours.filter(([path]) => !/rest\.proto$|error_reason\.proto$/.test(path));
  const lines = about.flatMap(([path, text]) => (text.match(/^ *\/\/.*/gm) ?? []).map((line) => `${path}: ${line}`));
  expect(lines.filter((line) => status.test(line) && !allowed.test(line))).toEqual([]);
});

test("buf builds and lints a clone without other tools", () => {
  const clone = mkdtempSync(join(tmpdir(), "ems-clone-"));
  try {
    cpSync(join(here, "../buf.yaml"), join(clone, "buf.yaml"));
    for (const path of sources.keys()) cpSync(join(here, path), join(clone, "proto", path));
    for (const command of ["build", "lint"]) {
      execFileSync(join(here, "node_modules/.bin/buf"), [command], { cwd: clone });
    }
  } finally {
    rmSync(clone, { recursive: true });
  }
});

test("exactly the read-only RPCs are declared free of side effects", () => {
  const { NO_SIDE_EFFECTS } = MethodOptions_IdempotencyLevel;
  const methods = services.flatMap((service) => service.methods);
  const names = (all: typeof methods) => all.map(({ parent, name }) => `${parent.name}.${name}`);
  const gets = methods.filter((method) => hasOption(method, http) && getOption(method, http).pattern.case === "get");
  expect(gets.length).toBeGreaterThan(40);
  expect(names(gets.filter(({ idempotency }) => idempotency !== NO_SIDE_EFFECTS))).toEqual([]);

  const isNamedRead = ({ name }: { name: string }) =>
    /^((Get|List|BatchGet|Query|Check|Compare|Read|Resolve|Download)[A-Z]|Watch$)/.test(name);
  // ExportMetrics counts metrics as rejected and does not store them. A test of redaction rules also stores nothing.
  const storesNothing = ["ExportMetrics", "TestIngestSettings", "TestTracePaths"];
  const reads = methods.filter((method) => isNamedRead(method) || storesNothing.includes(method.name));
  expect(names(methods.filter(({ idempotency }) => idempotency === NO_SIDE_EFFECTS))).toEqual(names(reads));
});

test("the README of events lists every service with changes, and every event type", () => {
  const readme = readFileSync(join(here, "ems/events/README.md"), "utf8");
  const [, table = ""] = readme.split("## Which changes");
  const changing = services.filter(({ methods }) =>
    methods.some(
      (method) =>
        hasOption(method, http) &&
        method.idempotency !== MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS &&
        !validations.has(method.name),
    ),
  );
  const rows = [...table.matchAll(/^\| `(\w+Service)` /gm)].map(([, name = ""]) => name);
  expect(rows.toSorted()).toEqual(changing.map(({ name }) => name).toSorted());
  const types = EventSchema.fields.filter((field) => field.oneof !== undefined && !getOption(field, internal));
  const listed = new Set([...table.matchAll(/`(\w+\.\w+)`/g)].map(([, name]) => name));
  expect([...listed].toSorted()).toEqual(types.map((field) => getOption(field, type)).toSorted());
});

/** RPCs without an ETag, because they change many resources, which have no common version. */
const bulk: Record<string, string> = {
  UpdateTopics: "changes these fields of each topic, regardless of its other fields",
  UpdateIssues: "changes these fields of each issue, regardless of its other fields",
  ReassignAssignments: "changes the assignee of each assignment, regardless of its other fields",
};

test("every PUT and PATCH, and the GET of its path, has the ETag of its resource", () => {
  const routes = services.flatMap(({ methods }) =>
    methods.flatMap((method) => {
      const { pattern } = getOption(method, http);
      return typeof pattern.value === "string" ? [{ method, verb: pattern.case, path: pattern.value }] : [];
    }),
  );
  const changes = routes.filter(({ verb }) => verb === "put" || verb === "patch");
  expect(changes.length).toBeGreaterThan(20);
  const without = changes.filter(({ method }) => !getOption(method, etag)).map(({ method }) => method.name);
  expect(without.toSorted()).toEqual(Object.keys(bulk).toSorted());
  const versioned = changes.filter(({ method }) => getOption(method, etag)).map(({ path }) => path);
  const reads = routes.filter(({ verb, path }) => verb === "get" && versioned.includes(path));
  expect(reads.filter(({ method }) => !getOption(method, etag)).map(({ path }) => path)).toEqual([]);
  // For these, the document or the issue is read at another path.
  const readElsewhere = ["/v0/documents/{id}/versions/{version_number}/activate", "/v0/issues/{id}/suggested-task"];
  const unread = versioned.filter((path) => reads.every((read) => read.path !== path));
  expect(unread.toSorted()).toEqual(readElsewhere);
});

// The list of changes with and without an event (proto/ems/events/README.md) is complete: clients decide by it what they poll.

import { getOption, hasOption } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { EventSchema, internal, type } from "@ems/proto/events/v1/event";
import { http } from "@ems/proto/google/api/annotations";
import { services } from "@ems/proto/services";
import { expect, test } from "vitest";
import { read } from "./sources.ts";

const [, list = ""] = read("proto/ems/events/README.md").split("## Which changes");
const rows = [...list.matchAll(/^\| `(\w+)` +\|(.*)\|(.*)\|$/gm)].map(([, service = "", events = "", others = ""]) => ({
  service,
  events: [...events.matchAll(/`(\w+\.\w+)`/g)].map(([, name = ""]) => name),
  without: others.trim(),
}));

const changing = services.filter((service) =>
  service.methods.some(
    (method) => hasOption(method, http) && method.idempotency !== MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS,
  ),
);
const types = EventSchema.fields
  .filter((field) => field.oneof !== undefined && !getOption(field, internal))
  .map((field) => getOption(field, type));

test("every service whose public RPCs change something has one row", () => {
  expect(changing.length).toBeGreaterThan(20);
  expect(rows.map(({ service }) => service).toSorted()).toEqual(changing.map(({ name }) => name).toSorted());
});

test("every public event is in the list, and no other", () => {
  expect([...new Set(rows.flatMap(({ events }) => events))].toSorted()).toEqual(types.toSorted());
});

test("a service without events says which changes have none", () => {
  expect(rows.filter(({ events, without }) => events.length === 0 && without === "")).toEqual([]);
});

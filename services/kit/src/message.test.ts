import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { TaskSchema, TaskStatus, TaskType } from "@ems/proto/catalog/v1/task_service";
import { expect, test } from "vitest";
import { messageOf } from "./message.ts";

const now = new Date("2026-03-01T00:00:00.125Z");
const row = {
  sizeBytes: 7,
  applicationId: "a",
  id: "i",
  orgId: "o",
  topicId: null,
  title: "Reset a password",
  description: "",
  type: "STATIC",
  status: "DRAFT",
  isVerified: false,
  prompts: ["first"],
  createdAt: now,
  modifiedAt: now,
};

test("null is unset, a date is a timestamp, an enum's value goes by its name, other columns stay out", () => {
  const message = create(TaskSchema, messageOf(TaskSchema, row));
  expect(message).toEqual(
    create(TaskSchema, {
      applicationId: "a",
      id: "i",
      orgId: "o",
      title: "Reset a password",
      type: TaskType.STATIC,
      status: TaskStatus.DRAFT,
      prompts: ["first"],
      createdAt: timestampFromDate(now),
      modifiedAt: timestampFromDate(now),
    }),
  );
  expect(message.topicId).toBeUndefined();
});

test("an unknown enum name is refused", () => {
  expect(() => messageOf(TaskSchema, { ...row, status: "GONE" })).toThrow(
    "ems.catalog.v1.TaskStatus has no value GONE",
  );
});

import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { ExperimentSchema, ExperimentStatus } from "@ems/proto/experiments/v1/experiment_service";
import { expect, test } from "vitest";
import { buildMessage } from "./message.ts";

const now = new Date("2026-03-01T00:00:00.125Z");
const row = {
  sizeBytes: 7,
  id: "i",
  title: "Shorter prompts",
  description: "",
  status: "DRAFT",
  inferenceStepIds: ["first"],
  taskIds: [],
  assignee: null,
  createdAt: now,
  modifiedAt: now,
};

test("null becomes unset, a date a timestamp and a name an enum value; other columns are ignored", () => {
  const message = create(ExperimentSchema, buildMessage(ExperimentSchema, row));
  expect(message).toEqual(
    create(ExperimentSchema, {
      id: "i",
      title: "Shorter prompts",
      status: ExperimentStatus.DRAFT,
      inferenceStepIds: ["first"],
      createdAt: timestampFromDate(now),
      modifiedAt: timestampFromDate(now),
    }),
  );
  expect(message.assignee).toBeUndefined();
});

test("an unknown enum name is an error", () => {
  expect(() => buildMessage(ExperimentSchema, { ...row, status: "GONE" })).toThrow(
    "ems.experiments.v1.ExperimentStatus has no value GONE",
  );
});

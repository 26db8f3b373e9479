import { messageOf } from "@ems/kit/message";
import { RunSchema } from "@ems/proto/experiments/v1/run";
import type { RunRow } from "./entity.ts";

export const run = (row: RunRow) => messageOf(RunSchema, row);

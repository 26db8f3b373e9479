import { messageOf } from "@ems/kit/message";
import { ExperimentSchema } from "@ems/proto/experiments/v1/experiment_service";
import type { ExperimentRow } from "./entity.ts";

export const experiment = (row: ExperimentRow) => messageOf(ExperimentSchema, row);

import { columnsOf } from "@ems/kit/db/columns";
import { ExperimentEntity } from "./entity.ts";

/** The columns of ExperimentRow, of `experiments.experiment e`. */
export const experimentColumns = columnsOf(ExperimentEntity, "e");

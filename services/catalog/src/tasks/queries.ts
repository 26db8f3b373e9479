import { columnsOf } from "@ems/kit/db/columns";
import { TaskEntity } from "./entity.ts";

/** The columns of TaskRow, of `catalog.task t`. */
export const taskColumns = columnsOf(TaskEntity, "t");

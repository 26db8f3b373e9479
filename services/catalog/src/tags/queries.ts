import { columnsOf } from "@ems/kit/db/columns";
import { TagEntity } from "./entity.ts";

/** The columns of TagRow, of `catalog.tag g`. */
export const tagColumns = columnsOf(TagEntity, "g");

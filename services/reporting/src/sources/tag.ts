import { created, identified, integer, modified, text } from "./columns.ts";
import type { Source } from "./source.ts";

export const tag: Source = {
  id: "tag",
  from: "reporting.tag_v1 s",
  columns: [
    ...identified("Tag"),
    text("name", "Name"),
    text("color", "Color"),
    text("status", "Status", { values: ["ACTIVE", "ARCHIVED"] }),
    text("description", "Description"),
    integer("taskCount", "Task Count"),
    created,
    modified,
  ],
  notArchived: "s.status <> 'ARCHIVED'",
  timeline: ["createdAt"],
};

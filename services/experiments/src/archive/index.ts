// What of experiments moves to the archive (kit's DECISION-archive.md), and what becomes of it there.

export { startDropping } from "./drop.ts";
export { DroppedRows } from "./dropped-rows.ts";
export { expireArchived } from "./expire.ts";
export { archiveOptions, experimentsArchive } from "./kinds.ts";
export { startMerging } from "./returned.ts";

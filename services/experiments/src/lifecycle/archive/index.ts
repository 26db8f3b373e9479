// What of experiments moves to the archive (services/archive), and what becomes of changes to it.

export { archivedKinds, archiveOptions } from "./kinds.ts";

export { archiveOf, archiveUnavailable, isArchiveUnavailable } from "./archive.ts";
export { archiveClient, ofApplication } from "./client.ts";
export { type ArchiveConfig, archiveConfig } from "./config.ts";
export { type ArchivedTable, archiveColumns, archiveDdl, archivePolicies } from "./ddl.ts";
export { type ExtentRow, extentOf, extentStatement } from "./extent.ts";
export type { Archive, ArchiveKind, ArchiveStatement, Extent, Interval, TableExtent } from "./types.ts";
export { archivedTables } from "./types.ts";

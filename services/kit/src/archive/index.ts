export { archiveOf, archiveUnavailable, isArchiveUnavailable } from "./archive.ts";
export { Carrier, type CarrierDeps, type CarrierOptions, carrierOf } from "./carrier.ts";
export { archiveClient, ofApplication } from "./client.ts";
export { type ArchiveConfig, archiveConfig, type CarrierConfig, carrierConfig } from "./config.ts";
export { archiveColumns, archiveDdl, archivePolicies } from "./ddl.ts";
export { type ExtentRow, extentOf, extentStatement } from "./extent.ts";
export type { ArchivedKind, ArchivedTable } from "./kind.ts";
export type { Archive, ArchiveKind, ArchiveStatement, Extent, Interval, TableExtent } from "./types.ts";
export { archivedTables } from "./types.ts";

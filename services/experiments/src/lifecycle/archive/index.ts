// Exports the archived kinds of experiments (services/archive), and errors for changes to archived rows.

export { archivedKinds, archiveOptions } from "./kinds.ts";

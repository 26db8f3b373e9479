export { findIds } from "./arriving-ids.ts";
export { checkPaths, requirePaths } from "./check-paths.ts";
export {
  type PathField,
  parsePath,
  parsePaths,
  pathFields,
  type StoredPaths,
  type TracePath,
  type TracePaths,
} from "./path.ts";
export { readStoredValues, type SearchedTrace, type StoredValue, type StoredValues } from "./stored-values.ts";
export { toId } from "./to-id.ts";

export type { DocumentText } from "./documents-of-file.ts";
export { type FormFields, readUpload } from "./read-upload.ts";
export { runReader } from "./run-reader.ts";

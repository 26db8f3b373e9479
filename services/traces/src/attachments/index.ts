export { type Attachment, Extraction } from "./extract.ts";
export { getTraceAttachment } from "./get-trace-attachment.ts";
export { loadAttachments, type StoredAttachment } from "./load-attachments.ts";
export {
  deleteAttachments,
  expireAttachments,
  listStored,
  storeAttachments,
  type TraceAttachments,
} from "./store-attachments.ts";

export {
  ReadBudget,
  type ReadLimits,
  type ReadPlace,
  type ReadPosition,
  type UnreadableReason,
  UnreadableText,
} from "./budget.ts";
export { readCsv, type TableRow } from "./csv.ts";
export { byteOrderMark, formatCsvCell, readCsvCell } from "./csv-cell.ts";
export { decodeBytes, decodeText } from "./decode-text.ts";
export { type DetectedText, detectText } from "./detect-encoding.ts";
export { type DocxBlock, readDocx } from "./docx.ts";
export { type FileFormat, recognizeFormat } from "./file-format.ts";
export { type HtmlPage, readHtml } from "./html.ts";
export {
  isStructure,
  isTooLargeJson,
  type JsonTextLimits,
  jsonTextLimits,
  readJsonText,
  tryReadJsonText,
  tryReadStructure,
} from "./json-text.ts";
export { readJsonValue } from "./json-value.ts";
export { type JsonLine, readJsonl } from "./jsonl.ts";
export { beginsJson, hasWideObject, type JsonMeasure, type MeasureLimits, measureJson } from "./measure-json.ts";
export { Pace } from "./pace.ts";
export { type PdfLimits, type PdfPage, readPdf } from "./pdf.ts";
export {
  makeJsonStorable,
  makeJsonTextStorable,
  makeStorable,
  makeWrittenJsonStorable,
  type ReplacementCount,
  type StorableJson,
  type StorableObject,
  type StorableText,
} from "./storable-text.ts";
export { readXlsx, type Sheet, type XlsxLimits } from "./xlsx.ts";
export { readYaml, type YamlLines } from "./yaml.ts";

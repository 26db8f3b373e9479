// Recognizes the format of a file of rows by its first lines. Pure.

export type FileFormat = "CSV" | "JSONL" | "JSON" | "YAML" | "XLSX";

/** Base64 of the first bytes of a ZIP archive. */
const zipStart = "UEsDB";
/** Maximum characters that are examined. */
const sampleLength = 64 * 1024;

/** Recognizes the format of a text, or of a workbook in base64. A text that is nothing else is CSV. */
export function recognizeFormat(content: string): FileFormat {
  if (content.startsWith(zipStart)) return "XLSX";
  const text = (content.startsWith("\ufeff") ? content.slice(1) : content).trimStart();
  if (text.startsWith("{") || text.startsWith("[")) {
    const end = text.indexOf("\n");
    const [first, rest] = end === -1 ? [text, ""] : [text.slice(0, end), text.slice(end + 1, end + sampleLength)];
    const isFirstWhole = first.startsWith("{") && first.trimEnd().endsWith("}");
    return isFirstWhole && /^\s*\{/.test(rest) ? "JSONL" : "JSON";
  }
  const lines = text.slice(0, sampleLength).split(/\r\n?|\n/);
  const line = lines.find((each) => each.trim() !== "" && !each.startsWith("#")) ?? "";
  const isYaml = /^(?:---|%YAML|- |-$|"?[$\w][\w$ /-]*"?:(?:\s|$))/.test(line) && !/^[^:]*[,;\t]/.test(line);
  return isYaml ? "YAML" : "CSV";
}

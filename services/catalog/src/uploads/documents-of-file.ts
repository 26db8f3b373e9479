import { answerBytesMax, sizeText } from "@ems/proto/limits";
import { Refusal } from "./refusal.ts";
import { textOf } from "./text.ts";

/** A document to be made of a file. */
export interface DocumentText {
  readonly title: string;
  readonly content: string;
}

export interface UploadedFile {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The API's limit of titles. */
const titleLengthMax = 1000;

type Reader = (bytes: Uint8Array<ArrayBuffer>, title: string) => Promise<DocumentText[]> | DocumentText[];

// Libraries are loaded by the files that need them.
const readers: readonly {
  readonly name: string;
  readonly names: RegExp;
  readonly mediaTypes: RegExp;
  readonly read: Reader;
}[] = [
  {
    name: "text",
    names: /\.(md|markdown|mdx|txt|text)$/i,
    mediaTypes: /^text\/(markdown|plain|x-markdown)$/,
    read: (bytes, title) => [{ title, content: textOf(bytes) }],
  },
  {
    name: "CSV",
    names: /\.(csv|tsv)$/i,
    mediaTypes: /^text\/(csv|tab-separated-values)$/,
    read: async (bytes, title) => [{ title, content: (await import("./csv.ts")).csvText(bytes) }],
  },
  {
    name: "PDF",
    names: /\.pdf$/i,
    mediaTypes: /^application\/pdf$/,
    read: async (bytes, title) => [{ title, content: await (await import("./pdf.ts")).pdfText(bytes) }],
  },
  {
    name: "XLSX",
    names: /\.xlsx$/i,
    mediaTypes: /^application\/vnd\.openxmlformats-officedocument\.spreadsheetml\.sheet$/,
    read: async (bytes, title) => {
      const sheets = await (await import("./xlsx.ts")).sheetTexts(bytes);
      const titleOf = (name: string) => (sheets.length === 1 ? title : `${title}: ${name}`);
      return sheets.map(({ name, text }) => ({ title: titleOf(name), content: text }));
    },
  },
];

/** The documents of a file, by the end of its name, else by its media type. */
export async function documentsOfFile({ name, mediaType, bytes }: UploadedFile): Promise<DocumentText[]> {
  const reader =
    readers.find(({ names }) => names.test(name)) ?? readers.find(({ mediaTypes }) => mediaTypes.test(mediaType));
  if (reader === undefined) throw new Refusal("Expected a file of Markdown, text, CSV, PDF or XLSX");
  const title = name.replace(reader.names, "") || name;
  const documents = (await readBy(reader, bytes, title)).map(storable).filter(({ content }) => content.trim() !== "");
  if (documents.length === 0) throw new Refusal("The file has no text");
  const size = documents.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  if (size > answerBytesMax) {
    throw new Refusal(`The file has more than ${sizeText(answerBytesMax)} of text`, { isTooLarge: true });
  }
  return documents;
}

/** Whatever a library throws, the file is at fault. */
async function readBy({ name, read }: (typeof readers)[number], bytes: Uint8Array<ArrayBuffer>, title: string) {
  try {
    return await read(bytes, title);
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(`The file cannot be read as ${name}`);
  }
}

/** PostgreSQL takes no NUL, and JSON no half of a surrogate pair. */
function storable({ title, content }: DocumentText): DocumentText {
  const stored = (text: string) => text.replaceAll("\0", "").toWellFormed();
  return { title: stored(title).slice(0, titleLengthMax).toWellFormed(), content: stored(content) };
}
